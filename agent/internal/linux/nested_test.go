// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
)

// A path that leads into another policy by its binding SID (RFC 9256, 6; RFC 8986, 4.14), byte by byte: at 0x700 the next
// segment becomes the destination, and the other policy's list stands around it until 0x500 takes that off.
func TestAPolicyWithinAPolicyOnTheWire(t *testing.T) {
	c := newChain(t, 0x100, 0x200, 0x700, 0x600, 0x500, 0x300)
	last := len(c.nodes) - 1
	mustApply(t, c.nodes[0], insert(
		list(1, "fcbb:bbbb:200:700:f800::", "fcbb:bbbb:300:f00d::"),
		contract.Steering{Dst: px("fd00:3::/64"), SIDList: 1, Reduced: true}))
	mustApply(t, c.nodes[2], insert(
		list(9, "fcbb:bbbb:600:500:f00d::"),
		local("fcbb:bbbb:700:f800::/64", contract.Behavior{Action: contract.B6EncapsRed, SIDList: 9})))
	mustApply(t, c.nodes[last], insert(
		list(1, "fcbb:bbbb:100:f00d::"),
		contract.Steering{Dst: px("fd00:1::/64"), SIDList: 1, Reduced: true}))

	var taps []*tap // between node i and node i+1
	for i := range last {
		taps = append(taps, listen(t, c.ns[i], "p2"))
	}
	c.ping(t, "fd00:3::2")

	for i, want := range []struct {
		outer   string
		headers int // of IPv6 around the host's packet, each 40 bytes; the outer policy's has an SRH of 24
	}{
		{"fcbb:bbbb:200:700:f800::", 1},
		{"fcbb:bbbb:700:f800::", 1},
		{"fcbb:bbbb:600:500:f00d::", 2},
		{"fcbb:bbbb:500:f00d::", 2},
		{"fcbb:bbbb:300:f00d::", 1},
	} {
		p := taps[i].first(t, fmt.Sprintf("a packet to h3 on link %d", i), func(p packet) bool { return hostIn(p.whole) == ad("fd00:3::2") })
		if p.dst != ad(want.outer) {
			t.Errorf("link %d: to %s, want %s", i, p.dst, want.outer)
		}
		inner := p
		if want.headers == 2 {
			if p.segmentsLeft != -1 || p.src != ad("fcff:700::1") {
				t.Errorf("link %d: %s from %s, want no SRH, and the binding SID's node as the source", i, p, p.src)
			}
			var ok bool
			if inner, ok = parsePacket(append([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x86, 0xdd}, p.inner...)); !ok {
				t.Fatalf("link %d: inside is % x", i, p.inner)
			}
			if inner.dst != ad("fcbb:bbbb:300:f00d::") {
				t.Errorf("link %d: inside to %s, want the segment behind the binding SID", i, inner.dst)
			}
		}
		left := 1
		if i >= 2 {
			left = 0
		}
		if inner.segmentsLeft != left || len(inner.srh) != 1 || inner.srh[0] != ad("fcbb:bbbb:300:f00d::") || inner.src != ad("fcff:100::1") {
			t.Errorf("link %d: the path's own header is %s from %s", i, inner, inner.src)
		}
		if got, wanted := p.size-len(inner.inner), 40*want.headers+24; got != wanted {
			t.Errorf("link %d: %d bytes around the host's packet, want %d", i, got, wanted)
		}
	}
}

// hostIn is the destination of the innermost IPv6 packet.
func hostIn(whole []byte) netip.Addr {
	for {
		p, ok := parsePacket(append([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x86, 0xdd}, whole...))
		switch {
		case !ok || !p.dst.IsValid():
			return netip.Addr{}
		case p.innerProto != unix.IPPROTO_IPV6:
			return p.dst
		}
		whole = p.inner
	}
}
