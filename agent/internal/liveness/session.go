// SPDX-License-Identifier: Apache-2.0

package liveness

import (
	"math/bits"
	"time"
)

// A Session is the probes of one member of a list. It is not safe for concurrent use.
type Session struct {
	params Params
	state  State
	// held says that it goes up only after its wait, though it is not known to be down: so another agent found it.
	held bool
	// since is when the state was reached.
	since Time

	probes []probe // by their numbers, modulo its length, a power of two
	next   uint32  // the number of the next probe
	oldest uint32  // the first one that is not decided yet

	missed  int  // in a row
	whole   bool // a probe has come back since the last one missed
	backAt  Time // when the first of those was sent
	level   int  // how often it went down in short order
	timeout estimate
	Stats   Stats
}

type fate int

const (
	none fate = iota
	reserved
	underway
	back
	gone
)

type probe struct {
	number   uint32
	fate     fate
	extended bool
	sent     Time
	deadline Time
}

// NewSession watches a member. held says that it was silent for another agent: it goes up after its hold-down only.
func NewSession(p Params, held bool, now Time) *Session {
	room := uint(MostTimeout/p.Gap(0)) + 8
	return &Session{params: p, held: held, since: now, probes: make([]probe, 1<<bits.Len(room))}
}

// State is the present state.
func (s *Session) State() State { return s.state }

// Silent reports that traffic of the list should take another path.
func (s *Session) Silent() bool { return s.state == Down || s.held }

// Next gives a probe that is about to be sent its number. It is false while all numbers are under way.
func (s *Session) Next(now Time) (number uint32, ok bool) {
	p := s.at(s.next)
	if p.fate == underway || p.fate == reserved {
		return 0, false
	}
	*p = probe{number: s.next, fate: reserved, sent: now}
	s.next++
	return p.number, true
}

// Sent says that a probe has left, at the latest at after; or not, and then it cannot be missed.
func (s *Session) Sent(number uint32, after Time, left bool) {
	p := s.at(number)
	if p.number != number || p.fate != reserved {
		return
	}
	if !left {
		p.fate = none
		return
	}
	s.Stats.Sent++
	p.fate, p.deadline = underway, after+s.timeout.value(s.params)
}

// Back says that a probe has come back. A probe that was never sent, or has come back before, counts for nothing; one
// that comes after its time-out is lost still, but shows how long the path takes now, and that there is one.
func (s *Session) Back(number uint32, received Time) bool {
	p := s.at(number)
	if p.number != number || p.fate != underway && p.fate != gone {
		return false
	}
	delay := max(received-p.sent, 0)
	if !s.timeout.known {
		defer s.shorten(received)
	}
	s.timeout.learn(delay)
	s.Stats.learn(delay, received, s.params.Interval)
	late := p.fate == gone
	p.fate = back
	if late {
		s.Stats.Late++
		s.missed = 0
		return true
	}
	s.Stats.Received++
	return true
}

// shorten shortens the time-outs of probes that left before any had come back.
func (s *Session) shorten(now Time) {
	for n := s.oldest; n != s.next; n++ {
		if p := s.at(n); p.fate == underway {
			p.deadline = min(p.deadline, now+s.timeout.value(s.params))
		}
	}
}

// Stalled reports that the machine may have stood still until now: probes under way have their time-out from now on,
// once.
func (s *Session) Stalled(now Time) {
	until := now + s.timeout.value(s.params)
	for n := s.oldest; n != s.next; n++ {
		p := s.at(n)
		if p.fate == underway && !p.extended {
			p.deadline, p.extended = max(p.deadline, until), true
		}
	}
}

// Judge decides probes in the order in which they were sent; read is until when all received ones were passed. It
// returns whether the state, or the list that should be used, has changed.
func (s *Session) Judge(read Time) (changed bool) {
	before, silent := s.state, s.Silent()
	for ; s.oldest != s.next; s.oldest++ {
		p := s.at(s.oldest)
		switch {
		case p.fate == reserved, p.fate == underway && p.deadline > read:
			return s.state != before || s.Silent() != silent
		case p.fate == underway:
			p.fate = gone
			s.Stats.Lost++
			s.miss(read)
		case p.fate == back:
			s.came(*p, read)
		}
	}
	return s.state != before || s.Silent() != silent
}

// Deadline is when the next probe may be missed; false if none is under way.
func (s *Session) Deadline() (Time, bool) {
	for n := s.oldest; n != s.next; n++ {
		if p := s.at(n); p.fate == underway {
			return p.deadline, true
		}
	}
	return 0, false
}

func (s *Session) at(number uint32) *probe { return &s.probes[number&uint32(len(s.probes)-1)] }

func (s *Session) miss(now Time) {
	s.missed++
	s.whole = false
	if s.missed < s.params.Multiplier || s.state == Down {
		return
	}
	if s.state == Up {
		s.level = max(s.level-int((now-s.since)/Forgiving), 0)
	}
	s.state, s.since, s.held = Down, now, false
}

func (s *Session) came(p probe, now Time) {
	s.missed = 0
	if !s.whole {
		s.whole, s.backAt = true, p.sent
	}
	switch {
	case s.state == Up:
		return
	case s.Silent() && p.sent-s.backAt < s.wait():
		return
	case s.Silent():
		s.level = min(s.level+1, mostLevel)
	}
	s.state, s.since, s.held = Up, now, false
}

func (s *Session) wait() time.Duration { return s.params.wait(s.level) }
