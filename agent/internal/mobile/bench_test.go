// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"encoding/binary"
	"os/exec"
	"slices"
	"testing"

	"sextant/agent/internal/contract"
)

// routed gives the test's namespace routes and neighbors for the packets that the program sends.
func routed(b *testing.B) {
	b.Helper()
	line := `sysctl -qw net.ipv6.conf.all.forwarding=1 net.ipv4.ip_forward=1
		ip link add out type veth peer name peer; ip link set peer up; ip link set out up; ip link set lo up
		ip addr add 203.0.113.1/24 dev out; ip addr add 2001:db8:ff::1/64 dev out nodad
		ip neigh add 203.0.113.2 lladdr 02:00:00:00:00:09 dev out; ip neigh add 2001:db8:ff::2 lladdr 02:00:00:00:00:09 dev out
		ip route add default via 203.0.113.2; ip -6 route add default via 2001:db8:ff::2`
	if out, err := exec.Command("sh", "-c", line).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
}

// padded is a packet of GTP over IPv4 or IPv6 whose T-PDU has so many bytes.
func padded(b *testing.B, outer string, inner int) []byte {
	b.Helper()
	p := append(packet(b, outer, gtpUplink, tPDU), make([]byte, inner-36)...)
	at := len(p) - inner
	put := func(offset, value int) { binary.BigEndian.PutUint16(p[offset:], uint16(value)) }
	put(at+2, inner)
	put(at-14, inner+8)
	put(at-20, inner+24)
	if p[0]>>4 == 4 {
		put(2, len(p))
		p[8] = 255
	} else {
		put(4, len(p)-40)
		p[7] = 255
	}
	return p
}

// BenchmarkThereAndBack has one packet translated to SRv6, back, and so on: ns/op is one direction. The route is the
// kernel's, the neighbor known; sending is not in it.
func BenchmarkThereAndBack(b *testing.B) {
	exact4 := mapped("198.51.100.1", 32)
	four := []contract.Entry{
		list(1, "fcbb:bbbb:305::"), gtp4E("fcbb:bbbb:305::/48", 1, 1),
		contract.GTPRule{Priority: 1, Action: contract.GTPTranslate, Dst: exact4, SIDList: 1, AddressAt: 48, ArgsAt: 80, Source: a("fcbb:bbbb:104::"), SourceAt: 48},
	}
	six := []contract.Entry{
		list(1, "fcbb:bbbb:100:f611::"),
		contract.MySID{SID: p("2001:db8:f::1/128"), Behavior: contract.Behavior{Action: contract.GTP6D}},
		contract.GTPRule{Priority: 1, Action: contract.GTPTranslate, Dst: exactly("2001:db8:f::1"), SIDList: 1, ArgsAt: 64, KeepDestination: true},
		contract.MySID{SID: p("fcbb:bbbb:100:f611::/64"), Behavior: contract.Behavior{Action: contract.GTP6E, GTP: contract.GTPEncap{
			At: 64, Source: a("2001:db8:b::1"), PDUType: 1, Container: 1, UDPSource: 2152,
		}}},
	}
	over4 := "45b800500000400040110000c0000201c6336401 08680868003c0000"
	over6 := "60000000003c1140 20010db8000b00000000000000000001 20010db8000f00000000000000000001 08680868003c0000"
	for _, tc := range []struct {
		name  string
		rows  []contract.Entry
		outer string
		inner int
	}{
		{"over IPv4, 64 bytes inside", four, over4, 64},
		{"over IPv4, 1400 bytes inside", four, over4, 1400},
		{"over IPv6, 64 bytes inside", six, over6, 64},
		{"over IPv6, 1400 bytes inside", six, over6, 1400},
	} {
		b.Run(tc.name, func(b *testing.B) {
			g := loaded(b, tc.rows...)
			routed(b)
			frame := slices.Concat(make([]byte, 12), []byte{0x86, 0xdd}, padded(b, tc.outer, tc.inner))
			if tc.outer == over4 {
				copy(frame[12:], []byte{8, 0})
			}
			const hops = 200 // each costs one
			total, runs := int64(0), 0
			for b.Loop() {
				answer, each, err := g.objects.SextantMobile.Benchmark(frame, hops, nil)
				if err != nil || answer != sent {
					b.Fatalf("answer %#x, %v, dropped %v", answer, err, g.drops(b))
				}
				total += each.Nanoseconds()
				runs++
			}
			counts, err := g.counters(tc.rows)
			if err != nil {
				b.Fatal(err)
			}
			rule := slices.IndexFunc(tc.rows, func(e contract.Entry) bool { return e.Key().Table == contract.TableGTPRule })
			if half := uint64(runs * hops / 2); counts[tc.rows[rule].Key()].Packets < half || len(g.drops(b)) > 0 {
				b.Errorf("the rule took %+v of %d packets, dropped %v", counts[tc.rows[rule].Key()], 2*half, g.drops(b))
			}
			b.ReportMetric(float64(total)/float64(runs), "ns/direction")
		})
	}
}
