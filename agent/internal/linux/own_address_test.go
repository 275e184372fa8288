// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"testing"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
)

// SIDs are routes. An SRH to an address of the node itself, which no route guards, is no program of the node's, whoever
// sends it: the kernel asks seg6_enabled there, and nowhere else (RFC 8754, 5.1).
func TestAnSRHToAnAddressOfTheNodeIsNotProcessed(t *testing.T) {
	b := newBorder(t)
	in(t, b.ns, "ip -6 addr add 2001:db8:1::f/64 dev p1 nodad && ip -6 addr add fcff:9::1/128 dev lo")
	classic := "fcbb:bbbb:200:e::"
	mustApply(t, b.node, insert(local(classic+"/128", contract.Behavior{Action: contract.End})))
	for _, own := range []string{"2001:db8:1::f", "fcff:9::1"} {
		for left := range 2 {
			p := encapsulated(own, left, []string{own, ownSID}, unix.IPPROTO_IPV6, probe6(nobody, another))
			had := b.arrived()
			b.send(t, b.toNode(p))
			b.send(t, b.plain())
			eventually(t, "a packet to no SID arrives", func() bool { return b.arrived() > had })
			if got := len(b.out.all(func(p packet) bool { return p.dst != ad(another) && !p.dst.IsMulticast() })); got > 0 || b.arrived() != had+1 {
				t.Errorf("an SRH to %s with %d segments left was processed: %v", own, left, b.out.all(func(packet) bool { return true }))
			}
		}
	}
	// SIDs go on as they do.
	for _, destination := range []string{classic, "fcbb:bbbb:200::"} {
		b.passes(t, "a packet with an SRH to "+destination,
			b.toNode(encapsulated(destination, 1, []string{destination, ownSID}, unix.IPPROTO_IPV6, probe6(nobody, another))))
	}
	b.passes(t, "a packet with an SRH that has ended",
		b.toNode(encapsulated(ownSID, 0, []string{ownSID}, unix.IPPROTO_IPV6, probe6(nobody, another))))
}
