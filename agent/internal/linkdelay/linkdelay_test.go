// SPDX-License-Identifier: Apache-2.0

package linkdelay

import (
	"testing"
	"time"

	"sextant/agent/internal/stamp"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

// exchange sends a packet at a time, which comes back after a round trip of which the neighbour took some.
func exchange(s *Session, at, trip, residence time.Duration) bool {
	number := s.Next(at, stamp.Timestamp(at))
	return s.Back(stamp.Reflection{Number: number, Sent: stamp.Timestamp(at), Residence: residence}, at+trip)
}

func TestADelayIsHalfTheRoundTripWithoutTheNeighboursTime(t *testing.T) {
	s := NewSession(1)
	exchange(s, 0, 300*us, 100*us)
	exchange(s, 1*ms, 1100*us, 100*us)
	exchange(s, 2*ms, 500*us, 100*us)
	if got, want := s.Close(3*ms), (Figures{Sent: 3, Received: 3, Measured: 3, Min: 100 * us, Avg: 800 * us / 3, Max: 500 * us}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := s.Close(4 * ms); got != (Figures{}) {
		t.Errorf("the next window begins with %+v", got)
	}
}

func TestWhatDoesNotComeBackIsLostInTheWindowInWhichThatIsKnown(t *testing.T) {
	s := NewSession(1)
	s.Next(0, 1)
	s.Next(500*ms, 2)
	if got, want := s.Close(1200*ms), (Figures{Sent: 1, Lost: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := s.Close(2*time.Second), (Figures{Sent: 1, Lost: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestWhatHasNotLeftIsNotLost(t *testing.T) {
	s := NewSession(1)
	s.Unsent(s.Next(0, 1))
	if got := s.Close(time.Minute); got != (Figures{}) {
		t.Errorf("got %+v", got)
	}
}

func TestForgedRepeatedAndLateAnswersCountForNothing(t *testing.T) {
	s := NewSession(7)
	number := s.Next(0, 1000)
	for name, r := range map[string]stamp.Reflection{
		"another time":   {Number: number, Sent: 1001},
		"another number": {Number: number + 1, Sent: 1000},
	} {
		if s.Back(r, ms) {
			t.Errorf("%s is taken", name)
		}
	}
	good := stamp.Reflection{Number: number, Sent: 1000}
	if s.Back(good, Timeout+1) {
		t.Error("a late one is taken")
	}
	if !s.Back(good, ms) || s.Back(good, ms) {
		t.Error("the right one is not taken once")
	}
	if got := s.Close(2 * ms); got.Received != 1 || got.Measured != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestANeighbourThatHadItForLongerThanItTookIsNotBelieved(t *testing.T) {
	s := NewSession(1)
	if !exchange(s, 0, 300*us, 301*us) {
		t.Error("it did come back")
	}
	if got, want := s.Close(ms), (Figures{Sent: 1, Received: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestNumbersGoRound(t *testing.T) {
	s := NewSession(1<<32 - 1)
	if !exchange(s, 0, ms, 0) || !exchange(s, ms, ms, 0) {
		t.Error("an answer was not taken")
	}
}

func TestALimitLetsThroughWhatItSaysAndNoMore(t *testing.T) {
	l := Limit{Burst: 10}
	passed := 0
	for range 100 {
		if l.Take(0) {
			passed++
		}
	}
	if passed != 10 {
		t.Errorf("%d passed at once, want 10", passed)
	}
	for at := time.Duration(0); at < 10*time.Second; at += ms {
		if l.Take(at) {
			passed++
		}
	}
	if passed < 105 || passed > 111 {
		t.Errorf("%d passed in ten seconds, want 110", passed)
	}
}
