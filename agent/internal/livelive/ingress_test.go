// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"testing"

	"github.com/cilium/ebpf"

	"sextant/agent/internal/contract"
)

// ingress is a node with flow rows.
func ingress(t testing.TB, rows ...contract.Flow) *programs {
	t.Helper()
	p := loaded(t)
	state := State{Flows: rows}
	plan, err := p.plan(state)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.syncFlows(plan), p.setSettings(state, plan)); err != nil {
		t.Fatal(err)
	}
	return p
}

func exactly8(v uint8) *contract.Ternary   { return contract.Masked(uint64(v), 0xff) }
func exactly16(v uint16) *contract.Ternary { return contract.Masked(uint64(v), 0xffff) }

// ofPort is a flow of UDP to port 5000, of the family of the prefix.
func ofPort(dst string) contract.Flow {
	to := netip.MustParsePrefix(dst)
	from := netip.PrefixFrom(netip.IPv6Unspecified(), 0)
	if to.Addr().Is4() {
		from = netip.PrefixFrom(netip.IPv4Unspecified(), 0)
	}
	return contract.Flow{Priority: 10, Src: from, Dst: to, IPProto: exactly8(17), DstPort: exactly16(5000), FlowID: flow, Group: 1, Copies: 2}
}

func isCopied(t testing.TB, p *programs, frame []byte) bool {
	t.Helper()
	answer, _ := runPort(t, p, frame)
	if answer != copied && answer != passed {
		t.Fatalf("answer %#x to %x, neither copied nor passed on", answer, frame)
	}
	return answer == copied
}

// udp is a header from port 4000, and something behind it.
func udp(port uint16) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0x0f, 0xa0}, port), make([]byte, 28)...)
}

func ipv6Frame(next uint8, payload []byte) []byte {
	ip := make([]byte, 40)
	ip[0], ip[6], ip[7] = 0x60, next, 64
	binary.BigEndian.PutUint16(ip[4:], uint16(len(payload)))
	ip[8], ip[24], ip[39] = 0xfd, 0xfd, 9
	return append(append(append(make([]byte, 12), 0x86, 0xdd), ip...), payload...)
}

func ipv4Frame(id, fragment uint16, payload []byte) []byte {
	ip := make([]byte, 20)
	ip[0], ip[8], ip[9] = 0x45, 64, 17
	binary.BigEndian.PutUint16(ip[2:], uint16(20+len(payload)))
	binary.BigEndian.PutUint16(ip[4:], id)
	binary.BigEndian.PutUint16(ip[6:], fragment)
	copy(ip[12:], []byte{10, 1, 0, 2, 10, 3, 0, 2})
	return append(append(append(make([]byte, 12), 0x08, 0x00), ip...), payload...)
}

const (
	moreFragments = 1
	at1480        = 1480
)

// A fragment header in front of UDP: where it is in the datagram in bytes, and whether more follow.
func ipv6Fragment(id uint32, place uint16, payload []byte) []byte {
	header := []byte{17, 0}
	header = binary.BigEndian.AppendUint16(header, place)
	return ipv6Frame(44, append(binary.BigEndian.AppendUint32(header, id), payload...))
}

func TestTheFragmentsOfADatagramGoWhereItsFirstOneGoes(t *testing.T) {
	p := ingress(t, ofPort("fd00::/16"), ofPort("10.3.0.0/24"))
	type datagram struct{ first, rest, last []byte }
	of := map[string]func(id uint16, port uint16) datagram{
		"IPv6": func(id, port uint16) datagram {
			return datagram{
				ipv6Fragment(uint32(id), moreFragments, udp(port)), ipv6Fragment(uint32(id), at1480|moreFragments, make([]byte, 64)),
				ipv6Fragment(uint32(id), 2*at1480, make([]byte, 9)),
			}
		},
		"IPv4": func(id, port uint16) datagram {
			return datagram{
				ipv4Frame(id, 0x2000, udp(port)), ipv4Frame(id, 0x2000|at1480/8, make([]byte, 64)), ipv4Frame(id, 2*at1480/8, make([]byte, 9)),
			}
		},
	}
	for family, datagram := range of {
		t.Run(family, func(t *testing.T) {
			mine, others := datagram(7, 5000), datagram(8, 5001)
			if isCopied(t, p, mine.rest) {
				t.Error("a fragment before its first one is copied, although nobody knows its port")
			}
			for _, one := range [][]byte{mine.first, mine.rest, mine.last} {
				if !isCopied(t, p, one) {
					t.Errorf("a fragment of the flow is not copied: %x", one)
				}
			}
			for _, one := range [][]byte{others.first, others.rest, others.last} {
				if isCopied(t, p, one) {
					t.Errorf("a fragment of another port is copied: %x", one)
				}
			}
			again := datagram(7, 5001) // identifications are used again
			if isCopied(t, p, again.first) || isCopied(t, p, again.rest) {
				t.Error("a datagram of another port with the same identification is copied")
			}
		})
	}
}

// The rest of a datagram is not waited for that long, and its identification may be another one's.
func TestADatagramIsForgottenAfterItsTime(t *testing.T) {
	p := ingress(t, ofPort("10.3.0.0/24"))
	isCopied(t, p, ipv4Frame(7, 0x2000, udp(5000)))
	var key bpfDatagramKey
	var known bpfDatagram
	if entries := p.objects.Datagrams.Iterate(); !entries.Next(&key, &known) {
		t.Fatal("nothing is remembered")
	}
	known.When -= 31_000_000
	if err := p.objects.Datagrams.Put(key, known); err != nil {
		t.Fatal(err)
	}
	if isCopied(t, p, ipv4Frame(7, at1480/8, make([]byte, 64))) {
		t.Error("a fragment half a minute behind its first one is copied")
	}
}

// flowOf is the flow whose row took a packet.
func flowOf(t testing.TB, p *programs, frame []byte) contract.FlowID {
	t.Helper()
	const markAt, bytes = 8, 192 // in struct __sk_buff
	after := make([]byte, bytes)
	if _, err := p.objects.SextantPort.Run(&ebpf.RunOptions{Data: frame, ContextOut: after}); err != nil {
		t.Fatal(err)
	}
	var rule bpfRule
	if err := p.objects.Rules.Lookup(binary.NativeEndian.Uint32(after[markAt:])-1, &rule); err != nil {
		t.Fatal(err)
	}
	return contract.FlowID(rule.FlowId)
}

// A row for protocol 44 takes fragments as they are, one with ports the datagrams that they are of.
func TestOfRowsForAFragmentTheHighestPriorityWins(t *testing.T) {
	fragments := ofPort("fd00::/16")
	fragments.IPProto, fragments.DstPort, fragments.FlowID, fragments.Group = exactly8(44), nil, 78, 2
	for priority, want := range map[int32]contract.FlowID{5: flow, 20: 78} {
		fragments.Priority = priority
		p := ingress(t, ofPort("fd00::/16"), fragments)
		for _, one := range [][]byte{ipv6Fragment(7, moreFragments, udp(5000)), ipv6Fragment(7, at1480, make([]byte, 64))} {
			if got := flowOf(t, p, one); got != want {
				t.Errorf("priority %d beside 10: flow %d, want %d", priority, got, want)
			}
		}
	}
}

func TestWhatIsNoIPPacketIsOfNoFlow(t *testing.T) {
	all6, all4 := ofPort("::/0"), ofPort("0.0.0.0/0")
	all6.IPProto, all6.DstPort, all4.IPProto, all4.DstPort = nil, nil, nil, nil
	p := ingress(t, all6, all4)
	whole6, whole4 := ipv6Frame(17, udp(5000)), ipv4Frame(1, 0, udp(5000))
	if !isCopied(t, p, whole6) || !isCopied(t, p, whole4) {
		t.Fatal("the packets are not copied as they are")
	}
	for name, change := range map[string]func(six, four []byte){
		"version 0":                        func(six, four []byte) { six[14] &= 0x0f; four[14] &= 0x0f },
		"the other version":                func(six, four []byte) { six[14] ^= 0x20; four[14] ^= 0x20 },
		"longer than the frame":            func(six, four []byte) { six[14+5] += 200; four[14+3] += 200 },
		"on its last hop":                  func(six, four []byte) { six[14+7] = 1; four[14+8] = 1 },
		"of IPv4: shorter than its header": func(six, four []byte) { six[14] = 0; four[14+3] = 19 },
		"of IPv4: a header of 16 bytes":    func(six, four []byte) { six[14] = 0; four[14] = 0x44 },
	} {
		six, four := append([]byte{}, whole6...), append([]byte{}, whole4...)
		change(six, four)
		if isCopied(t, p, six) || isCopied(t, p, four) {
			t.Errorf("%s: is copied", name)
		}
	}
}
