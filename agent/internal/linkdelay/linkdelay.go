// SPDX-License-Identifier: Apache-2.0

// Package linkdelay reckons how long packets take over a link, from test packets that a neighbour reflects (STAMP, RFC 8762). It sends
// nothing and knows no clock: times are those of one clock that only goes on, from any beginning.
package linkdelay

import (
	"time"

	"sextant/agent/internal/stamp"
)

// Time is since any beginning.
type Time = time.Duration

// Timeout is how long a test packet may take: several times any link of a domain.
const Timeout = time.Second

// Figures of a window, of packets that were decided in it: Sent is Received and Lost.
type Figures struct {
	Sent, Received, Lost uint64
	// Measured of those that were received: a neighbour whose clock was set says nothing.
	Measured uint64
	// Min, Avg and Max are one way: half of the round trip without the time that the neighbour took.
	Min, Avg, Max time.Duration
}

// A Session is the test packets of one link. It is not safe for concurrent use.
type Session struct {
	underway map[uint32]sent
	next     uint32
	window   Figures
	sum      time.Duration
}

type sent struct {
	at    Time
	stamp stamp.Timestamp
}

// NewSession begins with a number: without a packet of the session the next one cannot be known.
func NewSession(first uint32) *Session { return &Session{underway: map[uint32]sent{}, next: first} }

// Next gives a packet that is about to be sent its number.
func (s *Session) Next(at Time, t stamp.Timestamp) (number uint32) {
	number = s.next
	s.next++
	s.underway[number] = sent{at, t}
	return number
}

// Unsent says that a packet has not left after all, and so cannot be lost.
func (s *Session) Unsent(number uint32) { delete(s.underway, number) }

// Back says that the neighbour has answered. A packet that was not sent like this, has come back before or too late
// counts for nothing: a client that has not seen the packet does not know when it was sent to 2^-32 s.
func (s *Session) Back(r stamp.Reflection, received Time) bool {
	p, known := s.underway[r.Number]
	trip := received - p.at
	if !known || p.stamp != r.Sent || trip < 0 || trip > Timeout {
		return false
	}
	delete(s.underway, r.Number)
	s.window.Received++
	if r.Residence > trip {
		return true
	}
	s.learn((trip - r.Residence) / 2)
	return true
}

func (s *Session) learn(delay time.Duration) {
	w := &s.window
	if w.Measured == 0 {
		w.Min, w.Max = delay, delay
	}
	w.Measured++
	s.sum += delay
	w.Min, w.Max, w.Avg = min(w.Min, delay), max(w.Max, delay), s.sum/time.Duration(w.Measured)
}

// Close ends a window and gives its figures. Packets that are under way for less than Timeout belong to the next.
func (s *Session) Close(now Time) Figures {
	for number, p := range s.underway {
		if now-p.at > Timeout {
			delete(s.underway, number)
			s.window.Lost++
		}
	}
	w := s.window
	w.Sent = w.Received + w.Lost
	s.window, s.sum = Figures{}, 0
	return w
}

// A Limit lets so many through in a second, and so many at once. The zero value lets Burst through at first.
type Limit struct {
	Burst  int
	spent  float64
	before Time
}

// Take says whether one more may pass.
func (l *Limit) Take(now Time) bool {
	l.spent = max(l.spent-(now-l.before).Seconds()*float64(l.Burst), 0)
	l.before = now
	if l.spent+1 > float64(l.Burst) {
		return false
	}
	l.spent++
	return true
}
