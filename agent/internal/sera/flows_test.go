// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"testing"

	"sextant/agent/internal/contract"
)

func stateful(firewall contract.FirewallID, flows uint32) contract.MySID {
	sid := container(firewall)
	sid.Behavior.Action, sid.Behavior.SERA.Flows = contract.SeraStateful, flows
	return sid
}

// known lets through what is known, out what goes to 2001:db8:2::/64, and nothing else.
func known(firewall contract.FirewallID) []contract.Entry {
	return []contract.Entry{
		contract.Firewall{Firewall: firewall, Priority: 3, Established: contract.Masked(1, 1), Verdict: contract.FwGoNext},
		contract.Firewall{Firewall: firewall, Priority: 2, Dst: prefixed("2001:db8:2::/64"), Verdict: contract.FwSkipNext},
		contract.Firewall{Firewall: firewall, Priority: 1, Verdict: contract.FwDrop},
	}
}

// segment is TCP, or what the protocol says, between two hosts.
func segment(protocol byte, from, to netip.AddrPort, flags byte) []byte {
	body := make([]byte, 20)
	binary.BigEndian.PutUint16(body, from.Port())
	binary.BigEndian.PutUint16(body[2:], to.Port())
	body[12], body[13] = 0x50, flags
	if protocol == 58 {
		body = []byte{flags, 0, 0, 0, byte(from.Port() >> 8), byte(from.Port()), 0, 1}
	}
	head := mustHex("6000000000000040")
	binary.BigEndian.PutUint16(head[4:], uint16(len(body)))
	head[6] = protocol
	inner := slices.Concat(head, from.Addr().AsSlice(), to.Addr().AsSlice(), body)
	outer := mustHex(plain)
	binary.BigEndian.PutUint16(outer[4:], uint16(len(inner)))
	return slices.Concat(outer, mustHex("fcbbbbbb0200f23006000300f00d0000"), inner)
}

func TestAFlowThatIsKnownComesBack(t *testing.T) {
	host, server := netip.MustParseAddrPort("[2001:db8:1::1]:1000"), netip.MustParseAddrPort("[2001:db8:2::1]:80")
	b := loaded(t, append(known(7), stateful(7, 2))...)
	passes := func(what string, packet []byte, want bool) {
		t.Helper()
		if answer, _ := b.run(t, packet); (answer == passed) != want {
			t.Errorf("%s: answer %#x, want it to pass: %t", what, answer, want)
		}
	}
	passes("an answer to nothing", segment(6, server, host, 0x12), false)
	passes("the first packet", segment(6, host, server, 2), true)
	passes("the answer", segment(6, server, host, 0x12), true)
	passes("an answer from another port", segment(6, netip.AddrPortFrom(server.Addr(), 81), host, 0x12), false)
	passes("an answer of another protocol", segment(17, server, host, 0), false)
	passes("an echo", segment(58, host, server, 128), true)
	passes("its reply", segment(58, netip.AddrPortFrom(server.Addr(), 1000), host, 129), true)
	passes("a flow too many", segment(17, host, server, 0), false)
	if got := b.drops(t, 3); got[5] != 1 {
		t.Errorf("dropped are %v, want one for flows", got)
	}
	passes("the second packet", segment(6, host, server, 0x10), true)
	// Other rules, and another number of them: flows are the firewall's.
	b.now(t, append(known(8), stateful(8, 3))...)
	passes("an answer under other rules", segment(6, server, host, 0x10), true)
	passes("a third flow", segment(17, host, server, 0), true)
	passes("its answer", segment(17, server, host, 0), true)
	// Another firewall knows none of them.
	other := stateful(8, 3)
	other.Behavior.SERA.Instance = 5
	b.now(t, append(known(8), other)...)
	passes("an answer at another firewall", segment(6, server, host, 0x10), false)
}

// Nothing was heard of a flow for as long as it is remembered: to the program it is not there, and the agent takes it away.
func TestASilentFlowIsForgotten(t *testing.T) {
	host, server := netip.MustParseAddrPort("[2001:db8:1::1]:1000"), netip.MustParseAddrPort("[2001:db8:2::1]:80")
	b := loaded(t, append(known(7), stateful(7, 1))...)
	b.run(t, segment(6, host, server, 2))
	b.run(t, segment(6, host, server, 1)) // FIN
	age := func(by uint64) {
		t.Helper()
		entries := b.objects.Flows.Iterate()
		var key bpfFlowKey
		var flow bpfFlow
		if !entries.Next(&key, &flow) {
			t.Fatal("there is no flow")
		}
		if flow.State != flowClosing {
			t.Errorf("after FIN it is %+v", flow)
		}
		flow.Seen -= by
		if err := b.objects.Flows.Put(key, flow); err != nil {
			t.Fatal(err)
		}
	}
	left := func() (n int) {
		entries := b.objects.Flows.Iterate()
		var key bpfFlowKey
		var flow bpfFlow
		for entries.Next(&key, &flow) {
			n++
		}
		return n
	}
	if err := b.closeFlows(&b.held); err != nil || left() != 1 {
		t.Errorf("%d flows are left at once, %v", left(), err)
	}
	age(uint64(patienceClosing.Microseconds()))
	if answer, _ := b.run(t, segment(6, server, host, 0x10)); answer != dropped {
		t.Errorf("a flow that has ended is answered %#x", answer)
	}
	if err := b.closeFlows(&b.held); err != nil || left() != 0 {
		t.Errorf("%d flows are left, %v", left(), err)
	}
	// There is room for one again.
	if answer, _ := b.run(t, segment(17, host, server, 0)); answer != passed {
		t.Errorf("the next flow is answered %#x", answer)
	}
}
