// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"testing"

	"sextant/agent/internal/contract"
)

// The golden containers are the corner case of the uSID paper (Figure 4): seven nodes and f00d need
// two containers, of which the first carries five, as f00d may not stand alone.
func TestThePapersPolicyOnTheWire(t *testing.T) {
	c := newChain(t, 0x100, 0x200, 0x700, 0x600, 0x500, 0x400, 0x300)
	last := len(c.nodes) - 1
	mustApply(t, c.nodes[0], insert(
		list(1, "fcbb:bbbb:200:700:600:500:400::", "fcbb:bbbb:300:f00d::"),
		contract.Steering{Dst: px("fd00:3::/64"), SIDList: 1, Reduced: true}))
	mustApply(t, c.nodes[last], insert(
		list(1, "fcbb:bbbb:400:500:600:700:200::", "fcbb:bbbb:100:f00d::"),
		contract.Steering{Dst: px("fd00:1::/64"), SIDList: 1, Reduced: true}))

	var taps []*tap // between node i and node i+1
	for i := range last {
		taps = append(taps, listen(t, c.ns[i], "p2"))
	}
	c.ping(t, "fd00:3::2")

	forward := []string{
		"fcbb:bbbb:200:700:600:500:400:0 SL=1", "fcbb:bbbb:700:600:500:400:: SL=1", "fcbb:bbbb:600:500:400:: SL=1",
		"fcbb:bbbb:500:400:: SL=1", "fcbb:bbbb:400:: SL=1", "fcbb:bbbb:300:f00d:: SL=0",
	}
	reverse := []string{ // on the same links, from left to right
		"fcbb:bbbb:100:f00d:: SL=0", "fcbb:bbbb:200:: SL=1", "fcbb:bbbb:700:200:: SL=1",
		"fcbb:bbbb:600:700:200:: SL=1", "fcbb:bbbb:500:600:700:200:: SL=1", "fcbb:bbbb:400:500:600:700:200:0 SL=1",
	}
	for i, tp := range taps {
		for _, way := range []struct{ from, to, want, sid, source string }{
			{"h1", "fd00:3::2", forward[i], "fcbb:bbbb:300:f00d::", "fcff:100::1"},
			{"h3", "fd00:1::2", reverse[i], "fcbb:bbbb:100:f00d::", "fcff:300::1"},
		} {
			p := tp.first(t, fmt.Sprintf("a packet from %s on link %d", way.from, i), func(p packet) bool { return p.innerV6Dst() == ad(way.to) })
			if got := fmt.Sprintf("%s SL=%d", p.dst, p.segmentsLeft); got != way.want && got != canonical(way.want) {
				t.Errorf("link %d from %s: got %s, want %s", i, way.from, got, way.want)
			}
			if len(p.srh) != 1 || p.srh[0] != ad(way.sid) {
				t.Errorf("link %d from %s: SRH %v, want one segment %s", i, way.from, p.srh, way.sid)
			}
			if p.src != ad(way.source) {
				t.Errorf("link %d from %s: source %s, want %s", i, way.from, p.src, way.source)
			}
			if got := p.size - len(p.inner); got != 64 {
				t.Errorf("link %d from %s: %d bytes of encapsulation, want 64", i, way.from, got)
			}
		}
	}
}

// canonical writes the address of "ADDRESS SL=N" as RFC 5952 does.
func canonical(want string) string {
	var address string
	var left int
	if _, err := fmt.Sscanf(want, "%s SL=%d", &address, &left); err != nil {
		return want
	}
	return fmt.Sprintf("%s SL=%d", ad(address), left)
}

func TestSixNodesFitOneContainerWithoutASegmentRoutingHeader(t *testing.T) {
	c := newChain(t, 0x100, 0x200, 0x300)
	mustApply(t, c.nodes[0], insert(
		list(1, "fcbb:bbbb:200:300:f00d::"), contract.Steering{Dst: px("fd00:3::/64"), SIDList: 1, Reduced: true},
		list(2, "fcbb:bbbb:200:300:f004::"), contract.Steering{Dst: px("10.3.0.0/24"), SIDList: 2, Reduced: true}))
	mustApply(t, c.nodes[2], insert(
		list(1, "fcbb:bbbb:200:100:f00d::"), contract.Steering{Dst: px("fd00:1::/64"), SIDList: 1, Reduced: true},
		list(2, "fcbb:bbbb:200:100:f004::"), contract.Steering{Dst: px("10.1.0.0/24"), SIDList: 2, Reduced: true}))
	tp := listen(t, c.ns[1], "p2")
	c.ping(t, "fd00:3::2")
	c.ping(t, "10.3.0.2")
	for what, sid := range map[string]string{"IPv6": "fcbb:bbbb:300:f00d::", "IPv4": "fcbb:bbbb:300:f004::"} {
		p := tp.first(t, "an encapsulated "+what+" packet", func(p packet) bool { return p.dst == ad(sid) })
		if p.segmentsLeft != -1 || p.size-len(p.inner) != 40 {
			t.Errorf("%s: SL=%d and %d bytes of encapsulation, want no SRH and 40", what, p.segmentsLeft, p.size-len(p.inner))
		}
	}
}
