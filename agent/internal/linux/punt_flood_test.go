// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"testing"
	"time"

	"sextant/agent/internal/contract"
)

// A host that floods its own port must not be able to hide a link of the node: discovery learns of links by LLDP frames only.
func TestAFloodOfLLDPAtOnePortTakesNoFrameOfAnotherPort(t *testing.T) {
	b := newBench(t)
	lldp := append(append([]byte{0x01, 0x80, 0xc2, 0, 0, 0x0e}, 2, 0, 0, 0, 0, 9), 0x88, 0xcc, 1, 2, 3, 4)
	mustApply(t, b.n, insert(contract.Punt{Priority: 10, EtherType: contract.Masked(0x88cc, 0xffff)}))
	const wanted = 100
	flood, endFlood := sender(t, b.far, "f1")
	defer endFlood()
	other, endOther := sender(t, b.far, "f2")
	defer endOther()
	for range wanted { // nothing is read meanwhile: a controller that is slow
		for range 100 {
			flood(lldp)
		}
		other(lldp)
	}
	received := map[contract.PortID]int{}
	timeout := time.NewTimer(10 * time.Second)
	defer timeout.Stop()
	for received[2] < wanted {
		select {
		case p := <-b.n.Packets():
			received[p.InPort]++
		case <-timeout.C:
			t.Fatalf("%d of %d frames of port 2 were punted beside a flood at port 1, of which %d were", received[2], wanted, received[1])
		}
	}
}
