// SPDX-License-Identifier: Apache-2.0

// Package n4 runs a user plane of PFCP over a socket, a controller, a journal and the clock. Decisions are made in package
// upf; here one goroutine owns that state, and everything else brings it events and carries out its effects.
//
//	UDP 8805 ──> read ──┐                ┌──> journal, then UDP
//	controller <── ask ─┼─> core (upf) ──┼──> ask: a goroutine per slice, one batch at a time
//	           ──> look ┘                └──> look: slices, and at the start the sessions there
package n4

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"sextant/agent/internal/durable"
	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/gtpu"
	"sextant/agent/internal/n4/pfcp"
	"sextant/agent/internal/n4/upf"
)

// A Controller is asked for sessions.
type Controller interface {
	Slices(ctx context.Context) ([]fabric.Slice, error)
	Sessions(ctx context.Context, slice string) ([]fabric.Session, error)
	Apply(ctx context.Context, slice string, changes []fabric.Change) []fabric.Outcome
	// Stored returns the copies of these sessions, nil for nothing, and leaves out those that could not be read.
	Stored(ctx context.Context, slice string, ids []string) map[string]*fabric.Session
}

// Options of a service. The socket and the echo are the service's to close.
type Options struct {
	Config     upf.Config
	Socket     *net.UDPConn
	Echo       []*gtpu.Socket // empty: gNBs get no answer here
	Controller Controller
	Disk       durable.Disk
	StateDir   string
	Log        *slog.Logger
	// Tick is how often time is looked at, Look how often the slices are.
	Tick, Look time.Duration
}

const (
	usualTick, usualLook = 500 * time.Millisecond, 2 * time.Second
	// looks are at least so far apart.
	lookPause = 200 * time.Millisecond
	// These many datagrams and bytes wait for the core at most; more are lost, as on any path.
	waitingDatagrams = 8192
	waitingBytes     = 16 << 20
	datagramsAtOnce  = 1000
	// heldBytes of answers wait for the disk; a request whose answer has no room is answered when it is repeated.
	heldBytes = 16 << 20
	// socketBytes hold datagrams that come while the core is busy; the kernel may give less.
	socketBytes = 4 << 20
	// notesPerTick are logged; a foreign sender of nonsense does not fill the disk.
	notesPerTick = 50
)

type datagram struct {
	from  netip.AddrPort
	bytes []byte
}

type result struct {
	slice    string
	outcomes []fabric.Outcome
}

// sight is the controller's state of sessions in doubt.
type sight struct {
	slice string
	found map[string]*fabric.Session
}

// look is the controller's state: slices, and, if they were asked for, all sessions of each.
type look struct {
	slices   []fabric.Slice
	sessions map[string][]fabric.Session
}

// strangers counts messages of senders that are not permitted where they are read: they do not wait with the rest.
type strangers struct {
	messages atomic.Int64
	last     atomic.Pointer[netip.Addr]
}

// Service is a running user plane.
type Service struct {
	Options
	machine *upf.Machine
	journal *journal

	datagrams chan datagram
	results   chan result
	looks     chan look
	sights    chan sight
	wanted    chan struct{}
	asked     chan func()
	always    chan struct{} // closed

	waiting  atomic.Int64 // bytes of datagrams
	overflow atomic.Int64 // datagrams that were lost
	stranger strangers

	held     []upf.Send     // until the state they acknowledge is durable
	heldOnce map[*byte]bool // the answer to a request that came again is the same
	heldNow  int            // bytes of them
	notes    int
	group    *errgroup.Group
	failing  bool // of the journal
	reported bool // of the controller
}

// Open reads the journal. A user plane without one begins to remember now, and says so by its recovery time stamp.
func Open(o Options) (*Service, error) {
	or(&o.Tick, usualTick)
	or(&o.Look, usualLook)
	journal, records, err := openJournal(o.Disk, o.StateDir, o.Log)
	if err != nil {
		return nil, err
	}
	o.Config.EndMarkers = len(o.Echo) > 0
	now := time.Now()
	s := &Service{
		Options: o, journal: journal,
		machine:   upf.New(now, o.Config, records, pfcp.Recovery(now.Unix())),
		datagrams: make(chan datagram, waitingDatagrams), results: make(chan result), looks: make(chan look), sights: make(chan sight),
		wanted: make(chan struct{}, 1), asked: make(chan func()), always: make(chan struct{}), heldOnce: map[*byte]bool{},
	}
	close(s.always)
	journal.snapshot = s.machine.Snapshot
	if err := journal.rewrite(); err != nil {
		return nil, err
	}
	o.Log.Info("journal read", "records", len(records), "sessions", s.machine.Status().Sessions.All)
	return s, nil
}

func or(to *time.Duration, usual time.Duration) {
	if *to == 0 {
		*to = usual
	}
}

// Run serves until ctx ends; nil then. Associations and sessions stay as they are, in the journal and in the fabric.
func (s *Service) Run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	s.group = group
	if err := s.Socket.SetReadBuffer(socketBytes); err != nil {
		s.Log.Debug("the socket's buffer stays as it is", "error", err)
	}
	group.Go(func() error { return ended(ctx, s.read()) })
	group.Go(func() error { return s.core(ctx) })
	group.Go(func() error { return s.lookAround(ctx) })
	for _, echo := range s.Echo {
		group.Go(func() error { return ended(ctx, echo.Serve()) })
	}
	group.Go(func() error {
		<-ctx.Done()
		for _, echo := range s.Echo {
			_ = echo.Close() // nothing of it is kept
		}
		return s.Socket.Close()
	})
	err := group.Wait()
	return errors.Join(err, s.journal.close())
}

// ended says that a reader whose socket was closed on purpose has not failed.
func ended(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return nil
}

// read takes datagrams off the socket.
func (s *Service) read() error {
	b := make([]byte, pfcp.MaxDatagramBytes)
	for {
		n, from, err := s.Socket.ReadFromUDPAddrPort(b)
		if err != nil {
			return err
		}
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
		if a := from.Addr(); !s.Config.Permits(a) {
			s.stranger.last.Store(&a)
			s.stranger.messages.Add(1)
			continue
		}
		if s.waiting.Add(int64(n)) > waitingBytes {
			s.lose(n)
			continue
		}
		select {
		case s.datagrams <- datagram{from, slices.Clone(b[:n])}:
		default:
			s.lose(n)
		}
	}
}

// lose counts a datagram for which there is no room. It comes again.
func (s *Service) lose(bytes int) {
	s.waiting.Add(-int64(bytes))
	s.overflow.Add(1)
}

// core owns the machine.
func (s *Service) core(ctx context.Context) error {
	ticker := time.NewTicker(s.Tick)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case d := <-s.datagrams:
			s.receive(d)
		case r := <-s.results:
			s.machine.Settle(time.Now(), r.slice, r.outcomes)
		case l := <-s.looks:
			s.learn(l)
		case seen := <-s.sights:
			s.machine.Seen(time.Now(), seen.slice, seen.found)
		case <-ticker.C:
			s.notes = 0
			s.countStrangers()
			s.machine.Tick(time.Now())
		case <-s.winding():
			s.machine.Wind(time.Now())
		case ask := <-s.asked:
			ask()
		}
		s.flush(ctx)
		for _, batch := range s.machine.Next(time.Now()) {
			s.ask(ctx, batch)
		}
	}
}

// winding can be read from while sessions of former lives are to leave.
func (s *Service) winding() <-chan struct{} {
	if s.machine.Winding() {
		return s.always
	}
	return nil
}

func (s *Service) countStrangers() {
	if n := s.stranger.messages.Swap(0); n > 0 {
		s.machine.Strangers(time.Now(), *s.stranger.last.Load(), int(n))
	}
}

// receive takes the other pending datagrams as well, so that many records become durable at once.
func (s *Service) receive(d datagram) {
	now := time.Now()
	take := func(d datagram) {
		s.waiting.Add(-int64(len(d.bytes)))
		s.machine.Receive(now, d.from, d.bytes)
	}
	take(d)
	for range datagramsAtOnce {
		select {
		case d := <-s.datagrams:
			take(d)
		default:
			return
		}
	}
}

func (s *Service) learn(l look) {
	now := time.Now()
	if l.sessions != nil {
		for _, slice := range l.slices {
			s.machine.Reconcile(now, slice.Name, l.sessions[slice.Name])
		}
		s.machine.Reconciled(now)
	}
	s.machine.Learn(now, l.slices)
}

// ask has a goroutine ask the controller.
func (s *Service) ask(ctx context.Context, batch upf.Batch) {
	s.group.Go(func() error {
		outcomes := s.Controller.Apply(ctx, batch.Slice, batch.Changes)
		select {
		case s.results <- result{batch.Slice, outcomes}:
		case <-ctx.Done():
		}
		return nil
	})
}

// see has a goroutine read the controller's copies of sessions.
func (s *Service) see(ctx context.Context, d upf.Doubt) {
	s.group.Go(func() error {
		found := s.Controller.Stored(ctx, d.Slice, d.IDs)
		select {
		case s.sights <- sight{d.Slice, found}:
		case <-ctx.Done():
		}
		return nil
	})
}

// flush makes records durable, then sends the messages that rest on them. A message whose record cannot be kept is not
// sent: the SMF asks again.
func (s *Service) flush(ctx context.Context) {
	e := s.machine.Take()
	for _, d := range e.Doubts {
		s.see(ctx, d)
	}
	for _, n := range e.Notes {
		s.note(n)
	}
	if e.WantsSlices {
		select {
		case s.wanted <- struct{}{}:
		default:
		}
	}
	for _, send := range e.Sends {
		switch {
		case !send.Rests:
			s.send(send)
		case !s.heldOnce[&send.Bytes[0]] && s.heldNow+len(send.Bytes) <= heldBytes:
			s.held = append(s.held, send)
			s.heldOnce[&send.Bytes[0]] = true
			s.heldNow += len(send.Bytes)
		}
	}
	if !s.keep(e.Records) {
		return
	}
	for _, send := range s.held {
		s.send(send)
	}
	s.held, s.heldNow = nil, 0
	clear(s.heldOnce)
	for _, m := range e.EndMarkers {
		s.endMarker(m)
	}
}

// endMarker goes out where the session's packets came from.
func (s *Service) endMarker(m upf.EndMarker) {
	for _, echo := range s.Echo {
		if echo.Address().Addr().Unmap() == m.From {
			echo.EndMarker(m.To.Endpoint, m.To.TEID)
			return
		}
	}
	s.Log.Warn("an End Marker was not sent: --echo has no socket at the session's N3 address", "n3", m.From)
}

// keep says whether all records up to these are durable.
func (s *Service) keep(records []upf.Record) bool {
	err := s.journal.add(records)
	s.machine.Full = err != nil
	switch {
	case err != nil && !s.failing:
		s.Log.Error("the journal cannot be written: nothing new is accepted until it can", "error", err)
	case err == nil && s.failing:
		s.Log.Info("the journal is written again")
	}
	s.failing = err != nil
	return err == nil
}

func (s *Service) send(d upf.Send) {
	if _, err := s.Socket.WriteToUDPAddrPort(d.Bytes, d.To); err != nil {
		s.Log.Debug("an answer was not sent", "to", d.To, "error", err)
	}
}

func (s *Service) note(n upf.Note) {
	s.notes++
	switch {
	case s.notes < notesPerTick:
		s.Log.Log(context.Background(), n.Level, n.Text, n.Args...)
	case s.notes == notesPerTick:
		s.Log.Warn("more is happening than is logged")
	}
}

// lookAround passes the controller's slices to the core, and its sessions at the start and whenever the controller was
// away.
func (s *Service) lookAround(ctx context.Context) error {
	complete := true
	for {
		l, err := s.lookAt(ctx, complete)
		complete = err != nil
		s.report(err)
		if err == nil {
			select {
			case s.looks <- l:
			case <-ctx.Done():
				return nil
			}
		}
		if !wait(ctx, lookPause, nil) || !wait(ctx, s.Look-lookPause, s.wanted) {
			return nil
		}
	}
}

// wait ends after a while, or when something is wanted; false: ctx has ended.
func wait(ctx context.Context, d time.Duration, wanted <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-wanted:
	case <-ctx.Done():
		return false
	}
	return true
}

func (s *Service) lookAt(ctx context.Context, complete bool) (look, error) {
	l := look{}
	var err error
	if l.slices, err = s.Controller.Slices(ctx); err != nil || !complete {
		return l, err
	}
	l.sessions = map[string][]fabric.Session{}
	for _, slice := range l.slices {
		if l.sessions[slice.Name], err = s.Controller.Sessions(ctx, slice.Name); err != nil {
			return l, err
		}
	}
	return l, nil
}

// report says once that the controller is away, and once that it is back.
func (s *Service) report(err error) {
	switch {
	case err != nil && !s.reported:
		s.Log.Warn("the slices cannot be read from the controller; trying again", "error", err)
	case err == nil && s.reported:
		s.Log.Info("the controller answers")
	}
	s.reported = err != nil
}

// Status gives the present state.
func (s *Service) Status(ctx context.Context) (upf.Status, error) {
	answer := make(chan upf.Status, 1)
	select {
	case s.asked <- func() { answer <- s.machine.Status() }:
		status := <-answer
		status.Counters.Strangers += int(s.stranger.messages.Load()) // since the last tick
		status.Counters.Overflow = int(s.overflow.Load())
		return status, nil
	case <-ctx.Done():
		return upf.Status{}, ctx.Err()
	}
}
