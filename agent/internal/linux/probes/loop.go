// SPDX-License-Identifier: Apache-2.0

package probes

import (
	"math/rand/v2"
	"time"

	"sextant/agent/internal/liveness"
	"sextant/agent/internal/stamp"
)

// loop reads returned probes, judges, and sends due ones, again and again, until nothing is watched any more.
func (p *Prober) loop() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for planned := p.now(); ; {
		woken := false
		select {
		case <-timer.C:
		case <-p.woken:
			woken = true
		}
		next, going := p.turn(planned, woken)
		if !going {
			return
		}
		planned = next
		timer.Reset(planned - p.now())
	}
}

// turn is one time around; it says when the next one is due.
func (p *Prober) turn(planned liveness.Time, woken bool) (next liveness.Time, going bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || len(p.lists) == 0 {
		p.looping = false
		return 0, false
	}
	read := p.now()
	stalled := !woken && read-planned > late
	p.receive()
	changed := p.judge(read, stalled)
	next = p.send()
	if changed {
		p.wake(p.changed)
	}
	return next, true
}

// receive passes all that is there to the sessions. The kernel's time stamps are of the clock that people set: how far
// it is from the one that only goes on is looked at each time.
func (p *Prober) receive() {
	offset := time.Duration(time.Now().UnixNano()) - p.now()
	for {
		frame, at, ok := p.wire.receive()
		if !ok {
			return
		}
		answer, is := stamp.Parse(frame)
		if !is {
			continue
		}
		one := p.sessions[answer.Session]
		if one == nil || one.nonce != answer.Nonce {
			continue // foreign, or forged
		}
		received := p.now()
		if !at.IsZero() {
			received = min(received, time.Duration(at.UnixNano())-offset)
		}
		one.Back(answer.Number, received)
	}
}

// judge decides the due probes.
func (p *Prober) judge(read liveness.Time, stalled bool) (changed bool) {
	for _, one := range p.sessions {
		if stalled {
			one.Stalled(read)
		}
		if one.Judge(read) {
			one.of.follow()
			changed = true
		}
	}
	return changed
}

func (l *list) follow() {
	l.silent = liveness.Silent(l.members)
	if state := liveness.StateOf(l.members); state != l.state {
		l.state, l.since = state, time.Now()
	}
}

// send sends the due probes, each by itself, so that its time is its own. It says when there is something to do again.
func (p *Prober) send() (next liveness.Time) {
	now := p.now()
	next = now + time.Second
	for _, one := range p.sessions {
		if one.due <= now {
			p.one(one)
			one.due = now + one.of.target.Params.Gap(rand.Float64()) //nolint:gosec // spreads load
		}
		next = min(next, one.due)
		if deadline, waiting := one.Deadline(); waiting {
			next = min(next, deadline)
		}
	}
	return max(next, p.now()+step)
}

func (p *Prober) one(one *session) {
	if one.frame == nil {
		return
	}
	before := p.now()
	number, ok := one.Next(before)
	if !ok {
		return
	}
	left := p.wire.send(one.frame.Bytes(number, time.Now()))
	one.Sent(number, p.now(), left)
}
