// SPDX-License-Identifier: Apache-2.0

// Package delays measures how long packets take over the links at the ports of a Linux node, and reflects the test
// packets of neighbours: STAMP (RFC 8762) between link-local addresses. The results are computed in package linkdelay.
//
// Test packets go to all nodes of the link, ff02::1: the neighbour need not be known, and a kernel without a reflector
// answers nothing. A raw socket receives them, as one of UDP would need a port below 1024 (CAP_NET_BIND_SERVICE), and
// sends. Reflected packets come to a UDP socket of the sender's, so that its kernel does not call the port unreachable.
package delays

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linkdelay"
	"sextant/agent/internal/stamp"
)

// Settings of all measuring.
type Settings struct {
	// Interval is between two test packets of a port, Window the time that figures cover.
	Interval, Window time.Duration
	// Do runs a function on a thread in the node's namespace.
	Do func(func() error) error
}

// mostReflected is how many test packets of a port are answered in a second.
const mostReflected = 200

// A Meter measures; nothing runs while there are no ports. Its methods are safe for concurrent use.
type Meter struct {
	settings Settings
	begin    time.Time
	running  sync.WaitGroup
	done     chan struct{}

	mu     sync.Mutex // guards the fields below
	links  map[contract.PortID]*link
	window uint64
	ended  bool
	going  bool

	telling sync.Mutex
	tell    map[int]func()
	next    int
}

// link is the state of the link at a port.
type link struct {
	index     int
	listener  *listener
	reflector *reflector
	session   *linkdelay.Session // guarded by Meter.mu
	last      *contract.LinkDelay
}

// New makes a Meter that has no ports.
func New(s Settings) *Meter {
	return &Meter{
		settings: s, begin: time.Now(), done: make(chan struct{}), links: map[contract.PortID]*link{}, tell: map[int]func(){},
	}
}

// Set has exactly these ports measured, by their interfaces' indexes. The error names those that cannot be measured;
// the others are.
func (m *Meter) Set(ports map[contract.PortID]int) error {
	m.mu.Lock()
	if m.ended {
		m.mu.Unlock()
		return nil
	}
	var errs []error
	gone := false
	for id, l := range m.links {
		if ports[id] != l.index {
			gone = gone || l.last != nil
			errs = append(errs, l.close())
			delete(m.links, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ports)) {
		if m.links[id] == nil {
			errs = append(errs, m.begun(id, ports[id]))
		}
	}
	if len(m.links) > 0 && !m.going {
		m.going = true
		m.running.Go(m.loop)
	}
	m.mu.Unlock()
	if gone {
		m.news()
	}
	return errors.Join(errs...)
}

// begun has a port measured from now on. Called with mu held.
func (m *Meter) begun(id contract.PortID, index int) error {
	l := &link{index: index, session: linkdelay.NewSession(rand.Uint32())} //nolint:gosec // only the time must not be guessable
	err := m.settings.Do(func() (err error) {
		if l.listener, err = openListener(index); err != nil {
			return err
		}
		if l.reflector, err = openReflector(index); err != nil {
			return errors.Join(err, l.listener.close())
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("port %d: %w", id, err)
	}
	m.links[id] = l
	m.running.Go(func() { m.listen(l) })
	m.running.Go(func() { m.reflect(l.reflector) })
	return nil
}

// loop sends and ends windows until the Meter is closed.
func (m *Meter) loop() {
	due := time.NewTicker(m.settings.Interval)
	defer due.Stop()
	window := time.NewTicker(m.settings.Window)
	defer window.Stop()
	for {
		select {
		case <-m.done:
			return
		case <-due.C:
			m.send()
		case <-window.C:
			m.endWindow()
			m.news()
		}
	}
}

func (m *Meter) send() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, l := range m.links {
		now := time.Now()
		t := stamp.TimestampOf(now)
		number := l.session.Next(now.Sub(m.begin), t)
		if !l.reflector.send(allNodes(), l.listener.port, stamp.Port, stamp.Test(number, t)) {
			l.session.Unsent(number)
		}
	}
}

// endWindow reports the measurements of all ports.
func (m *Meter) endWindow() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.window++
	for id, l := range m.links {
		f := l.session.Close(m.now())
		l.last = &contract.LinkDelay{Port: id, Window: m.window, Sent: f.Sent, Received: f.Received, Lost: f.Lost}
		if f.Measured > 0 {
			l.last.Delay = &contract.OneWayDelay{Min: f.Min, Avg: f.Avg, Max: f.Max}
		}
	}
}

// listen takes reflected packets until the socket is closed. The kernel's time stamps are of the clock that people set:
// how far it is from the one that only goes on is looked at each time.
func (m *Meter) listen(l *link) {
	for {
		answer, at, err := l.listener.receive()
		if err != nil {
			return
		}
		r, ok := stamp.ParseReflection(answer)
		if !ok {
			continue
		}
		m.mu.Lock()
		now := time.Now()
		received := now.Sub(m.begin)
		if !at.IsZero() {
			received = min(received, received-time.Duration(now.UnixNano()-at.UnixNano()))
		}
		l.session.Back(r, received)
		m.mu.Unlock()
	}
}

// reflect answers neighbours until the socket is closed.
func (m *Meter) reflect(r *reflector) {
	limit := linkdelay.Limit{Burst: mostReflected}
	for {
		test, err := r.receive()
		if err != nil {
			return
		}
		if !limit.Take(m.now()) {
			continue
		}
		sent := time.Now()
		if test.at.IsZero() || test.at.After(sent) {
			test.at = sent
		}
		if answer, ok := stamp.Reflect(test.payload, stamp.MostHops, test.at, sent); ok {
			r.send(test.from, stamp.Port, test.port, answer)
		}
	}
}

// Figures of the last whole window, by port.
func (m *Meter) Figures() []contract.LinkDelay {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []contract.LinkDelay
	for _, id := range slices.Sorted(maps.Keys(m.links)) {
		if last := m.links[id].last; last != nil {
			all = append(all, *last)
		}
	}
	return all
}

// Changes has tell called when figures are others; see contract.LinkDelayTeller.
func (m *Meter) Changes(tell func()) (stop func()) {
	m.telling.Lock()
	defer m.telling.Unlock()
	m.next++
	id := m.next
	m.tell[id] = tell
	return func() {
		m.telling.Lock()
		defer m.telling.Unlock()
		delete(m.tell, id)
	}
}

func (m *Meter) news() {
	m.telling.Lock()
	defer m.telling.Unlock()
	for _, tell := range m.tell {
		tell()
	}
}

// Close ends all measuring.
func (m *Meter) Close() error {
	m.mu.Lock()
	if m.ended {
		m.mu.Unlock()
		return nil
	}
	m.ended = true
	close(m.done)
	var errs []error
	for _, l := range m.links {
		errs = append(errs, l.close())
	}
	m.mu.Unlock()
	m.running.Wait()
	return errors.Join(errs...)
}

func (l *link) close() error { return errors.Join(l.listener.close(), l.reflector.close()) }

func (m *Meter) now() linkdelay.Time { return time.Since(m.begin) }
