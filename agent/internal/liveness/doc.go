// SPDX-License-Identifier: Apache-2.0

// Package liveness judges whether segment lists still lead anywhere, by the probes that were sent along them and those
// that came back (STAMP in loopback: RFC 8762, RFC 9503). It sends nothing and knows no clock: its callers pass the
// times when a probe left, when the kernel received it again, and until when all received ones were passed. Times are
// those of one clock that only goes on, from any beginning.
//
// # Missed probes
//
// A probe is missed when it was sent, its time-out has passed, and all that the kernel had received by then has been
// read without it. So an agent that the scheduler leaves out raises no alarm: a probe that was not sent cannot be
// missed, and one that came back meanwhile bears the time at which the kernel received it. Where a whole machine stood
// still, probes under way have a little longer (Stalled).
package liveness

import "time"

// A State is the state of a list or one of its members.
type State int

// A list is Unknown until enough probes have come back, or stayed away.
const (
	Unknown State = iota
	Up
	Down
)

func (s State) String() string { return [...]string{"UNKNOWN", "UP", "DOWN"}[s] }

// Time is since any beginning, on a clock that only goes on.
type Time = time.Duration

// Params of a watched list.
type Params struct {
	Interval   time.Duration
	Multiplier int
	HoldDown   time.Duration
}

// Bounds of time-outs. The first one is used before anything came back (RFC 6298, 2.1).
const (
	FirstTimeout = time.Second
	LeastTimeout = 5 * time.Millisecond
	MostTimeout  = 3 * time.Second
)

// Bounds of the wait of a path that comes and goes. Each time it goes the wait doubles, up to MostWait (or its
// hold-down, where that is longer); for each Forgiving that it stays, it halves.
const (
	LeastGrowing = 100 * time.Millisecond
	MostWait     = time.Minute
	Forgiving    = 30 * time.Second
)

// mostLevel is enough to grow from LeastGrowing to MostWait.
const mostLevel = 10

// Gap is the time to the next probe: the interval, less up to a quarter of it (RFC 5880, 6.8.7), or between a tenth and a quarter
// where a single probe decides. random is 0 to less than 1.
func (p Params) Gap(random float64) time.Duration {
	least, span := 0.75, 0.25
	if p.Multiplier == 1 {
		span = 0.15
	}
	return time.Duration(float64(p.Interval) * (least + span*random))
}

// wait is how long a path has to come back for without a gap, after it has gone level times in short order.
func (p Params) wait(level int) time.Duration {
	if level == 0 {
		return p.HoldDown
	}
	return min(max(p.HoldDown, LeastGrowing)<<min(level, mostLevel), max(p.HoldDown, MostWait))
}
