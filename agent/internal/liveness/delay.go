// SPDX-License-Identifier: Apache-2.0

package liveness

import "time"

// An estimate of the round trip, as RFC 6298, 2 has it.
type estimate struct {
	known              bool
	smoothed, variance time.Duration
}

func (e *estimate) learn(delay time.Duration) {
	if !e.known {
		*e = estimate{true, delay, delay / 2}
		return
	}
	e.variance += ((e.smoothed - delay).Abs() - e.variance) / 4
	e.smoothed += (delay - e.smoothed) / 8
}

// value is how long a probe that leaves now may take: no less than the interval, so that a list is down no sooner than the
// multiplier times the interval after a probe came back.
func (e *estimate) value(p Params) time.Duration {
	if !e.known {
		return min(max(FirstTimeout, p.Interval), MostTimeout)
	}
	return min(max(e.smoothed+4*e.variance, p.Interval, LeastTimeout), MostTimeout)
}

// Stats of the probes of a member, or of all of a list.
type Stats struct {
	// Late are of those Lost that came back after all.
	Sent, Received, Lost, Late uint64
	// Last is the round trip measured last, Jitter how much it differs from one to the next (RFC 3550, 6.4.1).
	Last, Jitter time.Duration

	old, young window
}

// Delays are of the last one or two windows.
type Delays struct {
	Measured      bool
	Min, Avg, Max time.Duration
}

// A window is ten seconds, or ten probes where that is longer.
type window struct {
	from     Time
	count    int64
	min, max time.Duration
	sum      time.Duration
}

const (
	windowTime   = 10 * time.Second
	windowProbes = 10
)

func (s *Stats) learn(delay time.Duration, at Time, interval time.Duration) {
	if s.young.count > 0 || s.old.count > 0 {
		s.Jitter += ((delay - s.Last).Abs() - s.Jitter) / 16
	}
	s.Last = delay
	if long := max(windowTime, windowProbes*interval); at-s.young.from >= long && s.young.count > 0 {
		s.old, s.young = s.young, window{from: at}
	}
	s.young.learn(delay, at)
}

func (w *window) learn(delay time.Duration, at Time) {
	if w.count == 0 {
		*w = window{from: at, min: delay, max: delay}
	}
	w.count++
	w.min, w.max, w.sum = min(w.min, delay), max(w.max, delay), w.sum+delay
}

func (w window) with(o window) window {
	switch {
	case w.count == 0:
		return o
	case o.count == 0:
		return w
	}
	return window{count: w.count + o.count, min: min(w.min, o.min), max: max(w.max, o.max), sum: w.sum + o.sum}
}

// Delays of the last windows.
func (s Stats) Delays() Delays {
	w := s.young.with(s.old)
	if w.count == 0 {
		return Delays{}
	}
	return Delays{true, w.min, w.sum / time.Duration(w.count), w.max}
}

// With are those of two members.
func (s Stats) With(o Stats) Stats {
	return Stats{
		Sent: s.Sent + o.Sent, Received: s.Received + o.Received, Lost: s.Lost + o.Lost, Late: s.Late + o.Late,
		Last: max(s.Last, o.Last), Jitter: max(s.Jitter, o.Jitter), old: s.old.with(o.old), young: s.young.with(o.young),
	}
}
