// SPDX-License-Identifier: Apache-2.0

package liveness

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

const ms = time.Millisecond

// A link carries probes: after delay they are back, unless lost says otherwise.
type link struct {
	delay func(number uint32, now Time) time.Duration
	lost  func(number uint32, now Time) bool
}

func steady(delay time.Duration) link {
	return link{func(uint32, Time) time.Duration { return delay }, func(uint32, Time) bool { return false }}
}

func (l link) losing(lost func(number uint32, now Time) bool) link { return link{l.delay, lost} }

// cut is a link that loses everything from one time until another.
func (l link) cut(from, until Time) link {
	return l.losing(func(_ uint32, now Time) bool { return now >= from && now < until })
}

type arrival struct {
	number uint32
	at     Time
}

type event struct {
	at    Time
	state State
}

// agent drives a session as a sender does, in steps of a tenth of a millisecond; it does nothing while asleep says so.
type agent struct {
	s       *Session
	p       Params
	way     link
	random  *rand.Rand
	asleep  func(now Time) bool
	coming  []arrival
	due     Time
	changes []event
}

func newAgent(p Params, way link, held bool) *agent {
	return &agent{s: NewSession(p, held, 0), p: p, way: way, random: rand.New(rand.NewPCG(1, 2)), asleep: func(Time) bool { return false }}
}

func (a *agent) run(from, until Time) *agent {
	const step = ms / 10
	last := from
	for now := from; now < until; now += step {
		if a.asleep(now) {
			continue
		}
		if now-last > 5*ms {
			a.s.Stalled(now)
		}
		last = now
		a.read(now)
		if a.s.Judge(now) {
			a.changes = append(a.changes, event{now, a.s.State()})
		}
		if now >= a.due {
			a.send(now)
		}
	}
	return a
}

func (a *agent) read(now Time) {
	a.coming = slices.DeleteFunc(a.coming, func(one arrival) bool {
		if one.at > now {
			return false
		}
		a.s.Back(one.number, one.at)
		return true
	})
}

func (a *agent) send(now Time) {
	a.due = now + a.p.Gap(a.random.Float64())
	number, ok := a.s.Next(now)
	if !ok {
		return
	}
	a.s.Sent(number, now, true)
	if !a.way.lost(number, now) {
		a.coming = append(a.coming, arrival{number, now + a.way.delay(number, now)})
	}
}

func (a *agent) count(state State) (n int) {
	for _, c := range a.changes {
		if c.state == state {
			n++
		}
	}
	return n
}

func (a *agent) first(state State, from Time) Time {
	for _, c := range a.changes {
		if c.state == state && c.at >= from {
			return c.at
		}
	}
	return -1
}

var usual = Params{Interval: 10 * ms, Multiplier: 3, HoldDown: 500 * ms}

func TestAListGoesUpWithItsFirstProbeAndDownWithinTheMultiplierOfIntervals(t *testing.T) {
	for seed := range uint64(50) {
		cut := time.Second + time.Duration(seed)*ms/5
		a := newAgent(usual, steady(300*time.Microsecond).cut(cut, 2*time.Second), false)
		a.random = rand.New(rand.NewPCG(seed, 7))
		a.run(0, 4*time.Second)
		if up := a.first(Up, 0); up < 0 || up > 15*ms {
			t.Errorf("seed %d: up after %v", seed, up)
		}
		if down := a.first(Down, 0) - cut; down < 20*ms || down > 41*ms {
			t.Errorf("seed %d: down %v after the cut", seed, down)
		}
		if again := a.first(Up, cut) - 2*time.Second; again < 500*ms || again > 525*ms {
			t.Errorf("seed %d: up %v after it was mended, want the hold-down of 500 ms", seed, again)
		}
	}
}

func TestWhatNeverAnswersIsDownAfterTheFirstTimeouts(t *testing.T) {
	a := newAgent(usual, steady(ms).cut(0, time.Hour), false).run(0, 2*time.Second)
	if down := a.first(Down, 0); down < time.Second || down > 1100*ms || len(a.changes) != 1 {
		t.Errorf("changes %v, want one a second after the first probes", a.changes)
	}
}

func TestNothingIsMissedThatWasLostAlone(t *testing.T) {
	for _, tt := range []struct {
		name string
		lost func(number uint32, now Time) bool
		want int
	}{
		{"two in a row", func(n uint32, _ Time) bool { return n > 10 && n%10 < 2 }, 0},
		{"every other one", func(n uint32, _ Time) bool { return n%2 == 1 }, 0},
		{"three in a row, once", func(n uint32, _ Time) bool { return n >= 50 && n < 53 }, 1},
	} {
		a := newAgent(usual, steady(ms).losing(tt.lost), false).run(0, 5*time.Second)
		if got := a.count(Down); got != tt.want {
			t.Errorf("%s: down %d times, want %d", tt.name, got, tt.want)
		}
		if s := a.s.Stats; s.Lost == 0 || s.Sent-s.Lost-s.Received > 1 {
			t.Errorf("%s: %+v", tt.name, s)
		}
	}
}

func TestHalfOfAllLostIsDownAndStaysDown(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	a := newAgent(usual, steady(ms).losing(func(uint32, Time) bool { return random.IntN(2) == 0 }), false).run(0, time.Minute)
	if a.s.State() != Down || a.count(Up) > 1 {
		t.Errorf("changes %v", a.changes)
	}
}

// The scheduler leaves the agent out for two seconds; the kernel goes on receiving.
func TestAnAgentThatIsAsleepRaisesNoAlarm(t *testing.T) {
	for _, p := range []Params{usual, {Interval: ms, Multiplier: 1}, {Interval: ms, Multiplier: 3}} {
		a := newAgent(p, steady(4*ms), false)
		a.asleep = func(now Time) bool { return now%(4*time.Second) > 2*time.Second || now%(37*ms) > 13*ms }
		a.run(0, 12*time.Second)
		if len(a.changes) != 1 || a.s.State() != Up || a.s.Stats.Lost != 0 {
			t.Errorf("%+v: changes %v, lost %d", p, a.changes, a.s.Stats.Lost)
		}
	}
}

// The whole machine stands still, so that probes under way come back late by its kernel's own time stamp.
func TestAMachineThatStoodStillRaisesNoAlarm(t *testing.T) {
	still := func(now Time) bool { return now >= time.Second && now < 3*time.Second }
	way := steady(4 * ms)
	way.delay = func(_ uint32, now Time) time.Duration {
		if still(now + 4*ms) {
			return 3*time.Second + 2*ms - now
		}
		return 4 * ms
	}
	a := newAgent(Params{Interval: ms, Multiplier: 3}, way, false)
	a.asleep = still
	if a.run(0, 4*time.Second); len(a.changes) != 1 {
		t.Errorf("changes %v", a.changes)
	}
}

// An agent that is late all the time must find a cut nevertheless.
func TestAnAgentThatIsAlwaysLateFindsACutNevertheless(t *testing.T) {
	a := newAgent(usual, steady(ms).cut(time.Second, time.Hour), false)
	a.asleep = func(now Time) bool { return now%(20*ms) != 0 }
	a.run(0, 3*time.Second)
	if down := a.first(Down, 0) - time.Second; down < 0 || down > 150*ms {
		t.Errorf("down after %v", down)
	}
}

func TestAPathThatFlapsAtOneHertzDoesNotSwitchAtOneHertz(t *testing.T) {
	for _, hold := range []time.Duration{0, 50 * ms, 400 * ms, 2 * time.Second} {
		p := Params{Interval: 10 * ms, Multiplier: 3, HoldDown: hold}
		flapping := func(_ uint32, now Time) bool { return now < time.Minute && now%time.Second >= 500*ms }
		a := newAgent(p, steady(ms).losing(flapping), false).run(0, 3*time.Minute)
		if downs := a.count(Down); downs > 5 {
			t.Errorf("hold-down %v: down %d times in a minute", hold, downs)
		}
		if a.s.State() != Up {
			t.Errorf("hold-down %v: a minute after the last flap it is %s", hold, a.s.State())
		}
	}
}

func TestTheWaitIsBoundedAndIsForgotten(t *testing.T) {
	p := Params{Interval: 10 * ms, Multiplier: 3, HoldDown: time.Second}
	if got := p.wait(50); got != MostWait {
		t.Errorf("the longest wait is %v", got)
	}
	long := Params{Interval: 10 * ms, Multiplier: 3, HoldDown: time.Hour}
	if got := long.wait(3); got != time.Hour {
		t.Errorf("the longest wait of a hold-down of an hour is %v", got)
	}
	cuts := func(_ uint32, now Time) bool { // four short ones, then rest, then one more
		return now < 40*time.Second && now%(10*time.Second) > 9900*ms || now > 5*time.Minute && now < 5*time.Minute+100*ms
	}
	a := newAgent(p, steady(ms).losing(cuts), false).run(0, 6*time.Minute)
	last := a.first(Up, 5*time.Minute) - (5*time.Minute + 100*ms)
	if last < time.Second || last > 1100*ms {
		t.Errorf("after minutes of peace it waits %v, want a second", last)
	}
}

func TestATimeoutFollowsTheRoundTrip(t *testing.T) {
	slow := newAgent(usual, steady(200*ms), false).run(0, 3*time.Second)
	if len(slow.changes) != 1 || slow.s.Stats.Lost > 0 {
		t.Errorf("a round trip of 200 ms: changes %v, %+v", slow.changes, slow.s.Stats)
	}
	way := steady(ms)
	way.delay = func(_ uint32, now Time) time.Duration { // ten times longer from one moment to the next, and reordered
		if now < time.Second {
			return ms
		}
		return 10*ms + now%(7*ms)
	}
	grown := newAgent(usual, way, false).run(0, 3*time.Second)
	if grown.count(Down) != 0 {
		t.Errorf("a longer way: changes %v, %+v", grown.changes, grown.s.Stats)
	}
	d := grown.s.Stats.Delays()
	if d.Min != ms || d.Max > 18*ms || d.Avg < ms || grown.s.Stats.Jitter == 0 {
		t.Errorf("delays %+v, jitter %v", d, grown.s.Stats.Jitter)
	}
}

func TestForgedOldAndRepeatedAnswersCountForNothing(t *testing.T) {
	s := NewSession(usual, false, 0)
	number, _ := s.Next(0)
	if s.Back(number, ms) {
		t.Error("an answer to what has not left yet is taken")
	}
	s.Sent(number, 0, true)
	for _, forged := range []uint32{number + 1, number + 7, 1 << 31, ^uint32(0)} {
		if s.Back(forged, ms) {
			t.Errorf("an answer to probe %d is taken, which was not sent", forged)
		}
	}
	if !s.Back(number, ms) || s.Back(number, 2*ms) {
		t.Error("an answer is not taken, or twice")
	}
	for range 3 * len(s.probes) {
		n, ok := s.Next(ms)
		if !ok {
			t.Fatal("no number is free, though nothing is under way")
		}
		s.Sent(n, ms, false)
		s.Judge(ms)
	}
	if s.Back(number, 3*ms) {
		t.Error("an answer to a probe of long ago is taken")
	}
	if s.Stats.Sent != 1 || s.Stats.Received != 1 || s.Stats.Lost != 0 || s.State() != Up {
		t.Errorf("%s, %+v", s.State(), s.Stats)
	}
}

func TestWhatDidNotLeaveIsNotMissed(t *testing.T) {
	s := NewSession(Params{Interval: ms, Multiplier: 1}, false, 0)
	for i := range 10000 {
		now := Time(i) * ms
		n, ok := s.Next(now)
		if !ok {
			t.Fatalf("after %d probes no number is free", i)
		}
		s.Sent(n, now, false)
		s.Judge(now)
	}
	if s.State() != Unknown || s.Stats.Sent != 0 || s.Stats.Lost != 0 {
		t.Errorf("%s, %+v", s.State(), s.Stats)
	}
}

// Another agent had found it silent: nothing switches before the hold-down.
func TestWhatWasSilentForAnotherAgentWaitsBeforeItIsUp(t *testing.T) {
	a := newAgent(usual, steady(ms), true)
	if !a.s.Silent() || a.s.State() != Unknown {
		t.Errorf("begins %s, silent %t", a.s.State(), a.s.Silent())
	}
	a.run(0, 2*time.Second)
	if up := a.first(Up, 0); up < 500*ms || up > 525*ms || a.s.Silent() {
		t.Errorf("up after %v", up)
	}
	dead := newAgent(usual, steady(ms).cut(0, time.Hour), true).run(0, 2*time.Second)
	if !dead.s.Silent() || dead.s.State() != Down {
		t.Errorf("%s, silent %t", dead.s.State(), dead.s.Silent())
	}
}

// Whatever is lost, delayed and slept through: the counters add up, a list is down only after the multiplier of losses in a
// row, and numbers come back once all is quiet.
func TestCountersAddUpWhateverHappens(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 11))
		p := Params{Interval: time.Duration(1+random.IntN(20)) * ms, Multiplier: 1 + random.IntN(5), HoldDown: time.Duration(random.IntN(300)) * ms}
		rate, longest := random.Float64(), 1+random.IntN(80)
		way := link{
			func(uint32, Time) time.Duration { return time.Duration(random.IntN(longest)) * ms / 4 },
			func(_ uint32, now Time) bool { return now < 3*time.Second && random.Float64() < rate },
		}
		a := newAgent(p, way, seed%2 == 0)
		nap := Time(1+random.IntN(50)) * ms
		a.asleep = func(now Time) bool { return now%nap > nap/2 && now < 2*time.Second }
		a.run(0, 4*time.Second)
		downs := a.count(Down)
		a.way = steady(0)
		a.due = time.Hour
		a.run(4*time.Second, 12*time.Second)
		s := a.s.Stats
		if s.Sent != s.Received+s.Lost || s.Late > s.Lost || uint64(downs*p.Multiplier) > s.Lost {
			t.Errorf("seed %d, %+v: down %d times, %+v", seed, p, downs, s)
		}
		if _, waiting := a.s.Deadline(); waiting || a.s.oldest != a.s.next {
			t.Errorf("seed %d: probes are under way for ever", seed)
		}
	}
}

func TestGapsAreSpread(t *testing.T) {
	for _, tt := range []struct {
		multiplier  int
		least, most time.Duration
	}{{3, 75 * ms, 100 * ms}, {1, 75 * ms, 90 * ms}} {
		p := Params{Interval: 100 * ms, Multiplier: tt.multiplier}
		if p.Gap(0) != tt.least || p.Gap(0.999999) > tt.most || p.Gap(0.999999) < tt.most-ms {
			t.Errorf("multiplier %d: %v to %v", tt.multiplier, p.Gap(0), p.Gap(0.999999))
		}
	}
}
