// SPDX-License-Identifier: Apache-2.0

package punt

import (
	"testing"
	"time"

	"sextant/agent/internal/contract"
)

// clock is one that a test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func queuesAt() (*queues, *clock) {
	c := &clock{time.Unix(1000, 0)}
	return newQueues(c.now), c
}

func TestPortsAreServedInTurn(t *testing.T) {
	q, _ := queuesAt()
	for i := range 3 {
		q.put(1, []byte{1, byte(i)})
	}
	q.put(2, []byte{2, 0})
	q.put(7, []byte{7, 0})
	q.put(2, []byte{2, 1})
	want := [][2]byte{{1, 0}, {2, 0}, {7, 0}, {1, 1}, {2, 1}, {1, 2}}
	for i, w := range want {
		p, ok := q.take()
		if !ok || p.InPort != contract.PortID(w[0]) || p.Frame[1] != w[1] {
			t.Fatalf("frame %d is %+v, want %v", i, p, w)
		}
	}
	if p, ok := q.take(); ok {
		t.Errorf("one frame too many: %+v", p)
	}
}

func TestAPortHasARateAndABurst(t *testing.T) {
	q, c := queuesAt()
	passed := func(seconds float64, frames int) int {
		t.Helper()
		c.at = c.at.Add(time.Duration(seconds * float64(time.Second)))
		got := 0
		for range frames {
			q.put(1, []byte{1})
			if _, ok := q.take(); ok {
				got++
			}
		}
		return got
	}
	if got := passed(0, 1000); got != portBurst {
		t.Errorf("a burst of %d, want %d", got, portBurst)
	}
	if got := passed(0.5, 1000); got != portRate/2 {
		t.Errorf("%d frames in half a second, want %d", got, portRate/2)
	}
	if got := passed(3600, 1000); got != portBurst {
		t.Errorf("a burst of %d after a pause, want %d", got, portBurst)
	}
	if got, want := q.drops()[1].OverRate, uint64(3000-2*portBurst-portRate/2); got != want {
		t.Errorf("%d frames are counted as over the rate, want %d", got, want)
	}
}

func TestAFullPortDropsItsOwnFramesAndCountsThem(t *testing.T) {
	q, c := queuesAt()
	frame := make([]byte, 9000)
	fits := portBytes / len(frame)
	for range 10 {
		for range 20 {
			q.put(1, frame)
		}
		c.at = c.at.Add(time.Second)
	}
	q.put(2, frame)
	if got := q.drops(); len(got) != 1 || got[1] != (Drops{NoRoom: uint64(200 - fits)}) {
		t.Errorf("dropped %+v, want %d at port 1 for want of room", got, 200-fits)
	}
	received := map[contract.PortID]int{}
	for p, ok := q.take(); ok; p, ok = q.take() {
		received[p.InPort]++
	}
	if received[1] != fits || received[2] != 1 {
		t.Errorf("received %v, want %d of port 1 and 1 of port 2", received, fits)
	}
	q.put(1, frame)
	if _, ok := q.take(); !ok {
		t.Error("frames that were taken leave no room")
	}
}

func TestFramesThatTheKernelDroppedAreCounted(t *testing.T) {
	q, _ := queuesAt()
	q.lost(3, 0)
	if got := q.drops(); len(got) != 0 {
		t.Errorf("nothing was dropped, yet %v", got)
	}
	q.lost(3, 5)
	if got := q.drops()[3]; got != (Drops{Kernel: 5}) {
		t.Errorf("dropped %+v, want 5 by the kernel", got)
	}
}
