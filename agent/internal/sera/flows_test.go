// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
)

func stateful(firewall contract.FirewallID, flows uint32) contract.MySID {
	sid := container(firewall)
	sid.Behavior.Action, sid.Behavior.SERA.Flows = contract.SeraStateful, flows
	return sid
}

// known accepts known flows, new ones to 2001:db8:2::/64, and nothing else.
func known(firewall contract.FirewallID) []contract.Entry {
	return []contract.Entry{
		contract.Firewall{Firewall: firewall, Priority: 3, Established: contract.Masked(1, 1), Verdict: contract.FwGoNext},
		contract.Firewall{Firewall: firewall, Priority: 2, Dst: prefixed("2001:db8:2::/64"), Verdict: contract.FwSkipNext},
		contract.Firewall{Firewall: firewall, Priority: 1, Verdict: contract.FwDrop},
	}
}

// segment is TCP, or another protocol, between two hosts.
func segment(protocol byte, from, to netip.AddrPort, flags byte) []byte {
	body := make([]byte, 20)
	binary.BigEndian.PutUint16(body, from.Port())
	binary.BigEndian.PutUint16(body[2:], to.Port())
	body[12], body[13] = 0x50, flags
	switch protocol {
	case 17:
		body = body[:8]
		body[5] = 8
	case 6: // an attempt has the number 0, all that follows the number 1
		body[7], body[11], body[14] = 1-flags>>1&1, flags>>4&1, 0xff
	}
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
	passes("its acknowledgment", segment(6, host, server, 0x10), true)
	passes("an answer from another port", segment(6, netip.AddrPortFrom(server.Addr(), 81), host, 0x12), false)
	passes("an answer of another protocol", segment(17, server, host, 0), false)
	passes("a datagram", segment(17, host, server, 0), true)
	passes("its answer", segment(17, server, host, 0), true)
	passes("the next datagram", segment(17, host, server, 0), true)
	passes("a flow too many", segment(17, netip.AddrPortFrom(host.Addr(), 1001), server, 0), false)
	if got := b.drops(t, 3); got[5] != 1 {
		t.Errorf("dropped are %v, want one for flows", got)
	}
	passes("the second packet", segment(6, host, server, 0x10), true)
	// Other rules, and another number of them: flows are the firewall's.
	b.now(t, append(known(8), stateful(8, 3))...)
	passes("an answer under other rules", segment(6, server, host, 0x10), true)
	passes("an echo", segment(58, host, server, 128), true)
	passes("its reply", segment(58, netip.AddrPortFrom(server.Addr(), 1000), host, 129), true)
	// Another firewall knows none of them.
	other := stateful(8, 3)
	other.Behavior.SERA.Instance = 5
	b.now(t, append(known(8), other)...)
	passes("an answer at another firewall", segment(6, server, host, 0x10), false)
}

// A flow has no packets for as long as it is remembered: to the program it is not there, and the agent deletes it.
func TestASilentFlowIsForgotten(t *testing.T) {
	host, server := netip.MustParseAddrPort("[2001:db8:1::1]:1000"), netip.MustParseAddrPort("[2001:db8:2::1]:80")
	b := loaded(t, append(known(7), stateful(7, 1))...)
	b.run(t, segment(6, host, server, 2))
	b.run(t, segment(6, server, host, syn|ack))
	b.run(t, segment(6, host, server, ack))
	b.run(t, segment(6, host, server, fin|ack))
	age := func(by uint64) {
		t.Helper()
		entries := b.objects.Flows.Iterate()
		var key bpfFlowKey
		var flow bpfFlow
		if !entries.Next(&key, &flow) {
			t.Fatal("there is no flow")
		}
		if flow.State != flowFinWait {
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
	age(uint64(2 * time.Minute.Microseconds()))
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

// flowOf returns the program's state of the only flow.
func (b *bench) flowOf(t *testing.T) (bpfFlowKey, bpfFlow) {
	t.Helper()
	flows, err := pair.Contents[bpfFlowKey, bpfFlow](b.objects.Flows)
	if err != nil || len(flows) != 1 {
		t.Fatalf("there are %d flows, %v", len(flows), err)
	}
	for key, flow := range flows {
		return key, flow
	}
	panic("unreachable")
}

const fin, syn, rst, ack = 1, 2, 4, 16

// A flow is kept as long as conntrack keeps it.
func TestALifeOfAFlowIsThatOfItsState(t *testing.T) {
	high, low := netip.MustParseAddrPort("[2001:db8:2::1]:1000"), netip.MustParseAddrPort("[2001:db8:1::1]:80")
	type sent struct {
		back  bool // from the end that did not begin
		flags byte
	}
	for _, c := range []struct {
		name     string
		protocol byte
		packets  []sent
		want     uint8
		patience time.Duration
	}{
		{"SYN", 6, []sent{{false, syn}}, flowNew, 2 * time.Minute},
		{"SYN again", 6, []sent{{false, syn}, {false, syn}}, flowNew, 2 * time.Minute},
		{"SYN, SYN ACK", 6, []sent{{false, syn}, {true, syn | ack}}, flowAnswered, time.Minute},
		{"SYN, SYN ACK, SYN", 6, []sent{{false, syn}, {true, syn | ack}, {false, syn}}, flowAnswered, time.Minute},
		{"SYN, SYN ACK, SYN ACK", 6, []sent{{false, syn}, {true, syn | ack}, {true, syn | ack}}, flowAnswered, time.Minute},
		{"SYN of both", 6, []sent{{false, syn}, {true, syn}}, flowSynSent2, 2 * time.Minute},
		{"a connection", 6, []sent{{false, syn}, {true, syn | ack}, {false, ack}, {true, ack}}, flowOpen, 5 * 24 * time.Hour},
		{"one seen from its middle", 6, []sent{{false, ack}}, flowOpen, 5 * time.Minute},
		{"FIN", 6, []sent{{false, syn}, {true, syn | ack}, {false, ack}, {true, fin | ack}}, flowFinWait, 2 * time.Minute},
		{"FIN, ACK", 6, []sent{{false, syn}, {true, syn | ack}, {false, ack}, {true, fin | ack}, {false, ack}}, flowCloseWait, time.Minute},
		{"FIN of both", 6, []sent{{false, syn}, {true, syn | ack}, {false, ack}, {true, fin | ack}, {false, fin | ack}}, flowLastAck, 30 * time.Second},
		{"FIN of both, ACK", 6, []sent{{false, syn}, {true, syn | ack}, {false, ack}, {true, fin | ack}, {false, fin | ack}, {true, ack}}, flowTimeWait, 2 * time.Minute},
		{"RST", 6, []sent{{false, syn}, {true, syn | ack}, {false, ack}, {false, rst}}, flowClose, 10 * time.Second},
		{"a question", 17, []sent{{}}, flowNew, 30 * time.Second},
		{"its answer", 17, []sent{{}, {back: true}}, flowAnswered, 30 * time.Second},
		{"a conversation", 17, []sent{{}, {back: true}, {}}, flowGoesOn, 30 * time.Second},
		{"an echo", 58, []sent{{false, 128}}, flowNew, 30 * time.Second},
		{"another protocol", 50, []sent{{}}, flowNew, 10 * time.Minute},
	} {
		for _, ends := range [][2]netip.AddrPort{{high, low}, {low, high}} {
			t.Run(c.name+" from "+ends[0].String(), func(t *testing.T) {
				b := loaded(t, append(everything(7), stateful(7, 10))...)
				for i, s := range c.packets {
					from, to := ends[0], ends[1]
					if s.back {
						from, to = to, from
					}
					if answer, _ := b.run(t, segment(c.protocol, from, to, s.flags)); answer != passed {
						t.Fatalf("packet %d is answered %#x", i, answer)
					}
				}
				if _, flow := b.flowOf(t); flow.State != c.want || flow.patience() != c.patience {
					t.Errorf("it is %+v and lives %s, want state %d and %s", flow, flow.patience(), c.want, c.patience)
				}
				answer := segment(c.protocol, ends[1], ends[0], ack)
				if c.protocol == 58 {
					answer = segment(58, netip.AddrPortFrom(ends[1].Addr(), ends[0].Port()), ends[0], 129)
				}
				b.livesAsLongAsItSays(t, answer)
			})
		}
	}
}

// everything accepts all packets, known flows by a rule of their own.
func everything(firewall contract.FirewallID) []contract.Entry {
	return []contract.Entry{
		contract.Firewall{Firewall: firewall, Priority: 2, Established: contract.Masked(1, 1), Verdict: contract.FwGoNext},
		contract.Firewall{Firewall: firewall, Priority: 1, Verdict: contract.FwGoNext},
	}
}

// The program's timeouts are the agent's: a packet that comes a second before its end is known, one that comes after is not.
func (b *bench) livesAsLongAsItSays(t *testing.T, packet []byte) {
	t.Helper()
	known := contract.Firewall{Firewall: 7, Priority: 2, Established: contract.Masked(1, 1), Verdict: contract.FwGoNext}
	for _, c := range []struct {
		after time.Duration
		want  uint64
	}{{-time.Second, 1}, {time.Second / 10, 0}} {
		key, flow := b.flowOf(t)
		before, aged := b.counted(t, known), flow
		now, err := sinceBoot()
		if err != nil {
			t.Fatal(err)
		}
		aged.Seen = uint64((now - flow.patience() - c.after).Microseconds())
		if err := b.objects.Flows.Put(key, aged); err != nil {
			t.Fatal(err)
		}
		b.run(t, packet)
		if got := b.counted(t, known) - before; got != c.want {
			t.Errorf("%s after its end %d packets are known, want %d", c.after, got, c.want)
		}
		if err := b.objects.Flows.Put(key, flow); err != nil {
			t.Fatal(err)
		}
	}
}

// A RST that belongs to nothing makes nothing.
func TestARSTOpensNoFlow(t *testing.T) {
	b := loaded(t, append(everything(7), stateful(7, 10))...)
	from, to := netip.MustParseAddrPort("[2001:db8:2::1]:1000"), netip.MustParseAddrPort("[2001:db8:1::1]:80")
	if answer, _ := b.run(t, segment(6, from, to, rst)); answer != passed {
		t.Errorf("it is answered %#x", answer)
	}
	if flows, err := pair.Contents[bpfFlowKey, bpfFlow](b.objects.Flows); err != nil || len(flows) != 0 {
		t.Errorf("there are %d flows, %v", len(flows), err)
	}
}

// However many SYNs come, answered or not: a connection that is there goes on, and another begins meanwhile.
func TestAFloodOfSYNsLocksNothing(t *testing.T) {
	const room, flood = 64, 2000
	host, server := netip.MustParseAddrPort("[2001:db8:1::1]:1000"), netip.MustParseAddrPort("[2001:db8:2::1]:80")
	other := netip.MustParseAddrPort("[2001:db8:1::2]:1000")
	for _, answered := range []bool{false, true} {
		t.Run(fmt.Sprintf("answered %t", answered), func(t *testing.T) {
			b := loaded(t, append(known(7), stateful(7, room))...)
			passes := func(what string, packet []byte) {
				t.Helper()
				if answer, _ := b.run(t, packet); answer != passed {
					t.Fatalf("%s: answer %#x; dropped are %v", what, answer, b.drops(t, 3))
				}
			}
			spoofed := func(n int) {
				for i := range n {
					from := netip.AddrPortFrom(netip.MustParseAddr(fmt.Sprintf("2001:db8:bad:%x::1", i)), uint16(i))
					passes("a SYN of the flood", segment(6, from, server, syn))
					if answered {
						passes("its answer", segment(6, server, from, syn|ack))
					}
				}
			}
			passes("SYN", segment(6, host, server, syn))
			passes("SYN ACK", segment(6, server, host, syn|ack))
			passes("ACK", segment(6, host, server, ack))
			spoofed(flood)
			passes("data of the connection", segment(6, server, host, ack))
			passes("SYN of another", segment(6, other, server, syn))
			spoofed(room / 2)
			passes("its SYN ACK", segment(6, server, other, syn|ack))
			passes("its ACK", segment(6, other, server, ack))
			spoofed(flood)
			passes("its data", segment(6, server, other, ack))
			passes("data of the first", segment(6, server, host, ack))
			flows, err := pair.Contents[bpfFlowKey, bpfFlow](b.objects.Flows)
			if err != nil || len(flows) != room {
				t.Errorf("it remembers %d flows, want %d, %v", len(flows), room, err)
			}
			// The second flood's sources are the first's over again, of which the last ones are still known.
			if got := b.drops(t, 3); got[5] != 0 || got[6] < 2*flood-2*room {
				t.Errorf("dropped are %v", got)
			}
			turns, err := pair.Contents[bpfTurnKey, bpfFlowKey](b.objects.FlowsInTurn)
			if err != nil || len(turns) > room {
				t.Errorf("%d turns are kept, %v", len(turns), err)
			}
			b.now(t, append(known(8), container(8))...)
			if err := b.closeFlows(&b.held); err != nil {
				t.Fatal(err)
			}
			if turns, err = pair.Contents[bpfTurnKey, bpfFlowKey](b.objects.FlowsInTurn); err != nil || len(turns) != 0 {
				t.Errorf("%d turns outlive their firewall, %v", len(turns), err)
			}
		})
	}
}

// Where all that is remembered are connections, a new one is refused; once one ends, its place is there for another.
func TestAConnectionGivesWayToNoOther(t *testing.T) {
	server := netip.MustParseAddrPort("[2001:db8:2::1]:80")
	b := loaded(t, append(known(7), stateful(7, 3))...)
	at := func(i int) netip.AddrPort {
		return netip.AddrPortFrom(netip.MustParseAddr("2001:db8:1::1"), uint16(1000+i))
	}
	connect := func(i int) bool {
		answer, _ := b.run(t, segment(6, at(i), server, syn))
		b.run(t, segment(6, server, at(i), syn|ack))
		b.run(t, segment(6, at(i), server, ack))
		return answer == passed
	}
	for i := range 3 {
		if !connect(i) {
			t.Fatalf("connection %d is refused", i)
		}
	}
	if connect(3) {
		t.Error("a fourth is taken")
	}
	// It was asked to give way before it ended, and nothing asks it again: the agent takes it away in its time.
	b.run(t, segment(6, at(1), server, rst))
	key, flow := bpfFlowKey{}, bpfFlow{}
	for entries := b.objects.Flows.Iterate(); entries.Next(&key, &flow); {
		if flow.State == flowClose {
			flow.Seen -= uint64(tcpPatience[flowClose].Microseconds())
			if err := b.objects.Flows.Put(key, flow); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := b.closeFlows(&b.held); err != nil {
		t.Fatal(err)
	}
	if !connect(4) || connect(5) {
		t.Error("there is not room for exactly one")
	}
}

// Flows of a former agent, which has these two states only, keep their state: a connection is not forgotten for a SYN.
func TestFlowsOfAFormerAgentAreTakenOver(t *testing.T) {
	host, server := netip.MustParseAddrPort("[2001:db8:1::1]:1000"), netip.MustParseAddrPort("[2001:db8:2::1]:80")
	b := loaded(t, append(known(7), stateful(7, 1))...)
	b.run(t, segment(6, host, server, syn))
	key, flow := b.flowOf(t)
	if err := b.objects.Flows.Put(key, bpfFlow{Seen: flow.Seen, Protocol: 6}); err != nil {
		t.Fatal(err)
	}
	if answer, _ := b.run(t, segment(6, netip.AddrPortFrom(host.Addr(), 1001), server, syn)); answer != dropped {
		t.Errorf("another is answered %#x", answer)
	}
	if answer, _ := b.run(t, segment(6, server, host, ack)); answer != passed {
		t.Errorf("its packet is answered %#x", answer)
	}
}

// Processors open flows at once, more than there is room for: as many are counted as there are.
func TestFlowsAreCountedRightWhereManyOpenAtOnce(t *testing.T) {
	const room, workers, each = 50, 8, 400
	server := netip.MustParseAddrPort("[2001:db8:2::1]:80")
	b := loaded(t, append(known(7), stateful(7, room))...)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for i := range each { // every second one is opened by two
				from := netip.AddrPortFrom(netip.MustParseAddr(fmt.Sprintf("2001:db8:1::%x", 1+w/(1+i%2))), uint16(i))
				b.run(t, segment(6, from, server, syn))
			}
		})
	}
	group.Wait()
	flows, err := pair.Contents[bpfFlowKey, bpfFlow](b.objects.Flows)
	if err != nil {
		t.Fatal(err)
	}
	var opened uint64
	if err := b.objects.FlowsOpened.Lookup(uint32(3), &opened); err != nil {
		t.Fatal(err)
	}
	if int(opened) != len(flows) || len(flows) > room || len(flows) < room/2 {
		t.Errorf("%d flows are there, %d are counted, room is for %d", len(flows), opened, room)
	}
}
