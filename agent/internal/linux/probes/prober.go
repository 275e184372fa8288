// SPDX-License-Identifier: Apache-2.0

// Package probes sends the probes of watched segment lists from a Linux node, and receives them again. Their results
// are judged in package liveness; their format is in package stamp.
package probes

import (
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"time"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/liveness"
	"sextant/agent/internal/stamp"
)

// A Target is a list to watch. Targets are compared: an equal one goes on.
type Target struct {
	Params liveness.Params
	// Sender is where its probes are to come back to.
	Sender netip.Addr
	// Members are the lists that probes travel.
	Members [][]netip.Addr
}

func (t Target) same(o Target) bool {
	return t.Params == o.Params && t.Sender == o.Sender && slices.EqualFunc(t.Members, o.Members, slices.Equal)
}

// Rate of the probes of a target, in probes a second, as it is bounded: without the shortening of intervals.
func (t Target) Rate() float64 {
	return float64(len(t.Members)) * float64(time.Second) / float64(t.Params.Interval)
}

// A Report is the knowledge about a list.
type Report struct {
	State  liveness.State
	Silent bool
	Since  time.Time // when State was reached
	Stats  liveness.Stats
}

// Settings are all that a Prober does.
type Settings struct {
	Link   Link
	Source netip.Addr
	Lists  map[contract.SIDListID]Target
}

// Bounds of sending. The agent looks around no more often than every step: probes due meanwhile leave together.
const (
	step = 500 * time.Microsecond
	// late is how long after the time that was planned the agent takes its machine for one that stood still.
	late = 3 * time.Millisecond
)

// A Prober sends and receives; nothing runs while nothing is watched. Its methods are safe for concurrent use.
type Prober struct {
	do      func(func() error) error // on a thread in the node's namespace
	changed chan struct{}
	woken   chan struct{}
	begin   time.Time
	running sync.WaitGroup

	mu       sync.Mutex // guards everything below
	settings Settings
	wire     *wire
	lists    map[contract.SIDListID]*list
	sessions map[uint16]*session
	last     uint16 // session id
	ended    bool
	looping  bool
}

type list struct {
	target   Target
	members  []*liveness.Session
	sessions []*session
	state    liveness.State
	silent   bool
	since    time.Time
}

type session struct {
	*liveness.Session
	of    *list
	path  []netip.Addr
	id    uint16
	nonce [stamp.NonceBytes]byte
	frame *stamp.Frame // nil while there is no source
	due   liveness.Time
}

// New makes a Prober whose sockets are opened by do, on a thread in the node's namespace.
func New(do func(func() error) error) *Prober {
	return &Prober{
		do: do, changed: make(chan struct{}, 1), woken: make(chan struct{}, 1), begin: time.Now(),
		lists: map[contract.SIDListID]*list{}, sessions: map[uint16]*session{},
	}
}

// Changed has an element when reports have changed.
func (p *Prober) Changed() <-chan struct{} { return p.changed }

// Set has exactly these lists watched. held says of one that is new whether another agent has found it silent.
func (p *Prober) Set(s Settings, held func(contract.SIDListID) bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return nil
	}
	if err := p.connect(s); err != nil {
		return err
	}
	anew := p.settings.Link != s.Link || p.settings.Source != s.Source
	p.settings = s
	for id, l := range p.lists {
		if t, wanted := s.Lists[id]; !wanted || !t.same(l.target) {
			p.forget(id, l)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.Lists)) {
		if p.lists[id] == nil {
			if err := p.watch(id, s.Lists[id], held(id)); err != nil {
				return err
			}
		}
	}
	if anew {
		for _, one := range p.sessions {
			p.frame(one)
		}
	}
	if len(p.lists) > 0 && !p.looping {
		p.looping = true
		p.running.Go(p.loop)
	}
	p.wake(p.woken)
	return nil
}

// connect opens the socket where there is something to watch, and closes it where there is not.
func (p *Prober) connect(s Settings) (err error) {
	wanted := len(s.Lists) > 0
	if p.wire != nil && (!wanted || s.Link != p.settings.Link) {
		err = p.wire.close()
		p.wire = nil
	}
	if wanted && p.wire == nil && err == nil {
		err = p.do(func() (err error) { p.wire, err = openWire(s.Link); return err })
	}
	return err
}

func (p *Prober) forget(id contract.SIDListID, l *list) {
	for _, one := range l.sessions {
		delete(p.sessions, one.id)
	}
	delete(p.lists, id)
}

func (p *Prober) watch(id contract.SIDListID, t Target, held bool) error {
	l := &list{target: t, silent: held, since: time.Now()}
	now := p.now()
	for _, path := range t.Members {
		one := &session{Session: liveness.NewSession(t.Params, held, now), of: l, path: path}
		if _, err := rand.Read(one.nonce[:]); err != nil {
			return fmt.Errorf("a nonce: %w", err)
		}
		for p.last++; p.last == 0 || p.sessions[p.last] != nil; p.last++ {
		}
		one.id = p.last
		one.due = now + time.Duration(mathrand.Float64()*float64(min(t.Params.Interval, time.Second))) //nolint:gosec // spreads load
		p.sessions[one.id] = one
		l.sessions, l.members = append(l.sessions, one), append(l.members, one.Session)
		p.frame(one)
	}
	p.lists[id] = l
	return nil
}

// frame writes the probe of a session anew.
func (p *Prober) frame(one *session) {
	one.frame = nil
	if !p.settings.Source.IsValid() || p.settings.Source.IsUnspecified() {
		return // no address to come back to
	}
	one.frame = stamp.New(stamp.Path{
		To: p.settings.Link.FarMAC, From: NobodysMAC, Source: p.settings.Source, Sender: one.of.target.Sender,
		Segments: one.path, Session: one.id, Nonce: one.nonce, FlowLabel: one.id,
	})
}

// Reports of all lists.
func (p *Prober) Reports() map[contract.SIDListID]Report {
	p.mu.Lock()
	defer p.mu.Unlock()
	reports := make(map[contract.SIDListID]Report, len(p.lists))
	for id, l := range p.lists {
		reports[id] = Report{l.state, l.silent, l.since, liveness.StatsOf(l.members)}
	}
	return reports
}

// Close ends sending.
func (p *Prober) Close() error {
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	p.wake(p.woken)
	p.running.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wire == nil {
		return nil
	}
	err := p.wire.close()
	p.wire = nil
	if err != nil {
		return errors.Join(errors.New("close the packet socket of probes"), err)
	}
	return nil
}

func (p *Prober) wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (p *Prober) now() liveness.Time { return time.Since(p.begin) }
