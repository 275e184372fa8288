// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
)

// probe is a UDP packet to an address, which a test sends through a behavior.
func probe6(src, dst string) []byte {
	udp := []byte{0x12, 0x34, 0x12, 0x35, 0, 12, 0, 0, 'p', 'r', 'o', 'b'}
	ip := make([]byte, 40)
	ip[0], ip[6], ip[7] = 0x60, unix.IPPROTO_UDP, 64
	binary.BigEndian.PutUint16(ip[4:], uint16(len(udp)))
	s, d := ad(src).As16(), ad(dst).As16()
	copy(ip[8:], s[:])
	copy(ip[24:], d[:])
	return append(ip, udp...)
}

func probe4(src, dst string) []byte {
	ip := make([]byte, 20)
	ip[0], ip[8], ip[9] = 0x45, 64, unix.IPPROTO_UDP
	binary.BigEndian.PutUint16(ip[2:], 32)
	s, d := ad(src).As4(), ad(dst).As4()
	copy(ip[12:], s[:])
	copy(ip[16:], d[:])
	var sum uint32
	for i := 0; i < 20; i += 2 {
		sum += uint32(binary.BigEndian.Uint16(ip[i:]))
	}
	binary.BigEndian.PutUint16(ip[10:], ^uint16(sum+sum>>16))
	return append(ip, 0x12, 0x34, 0x12, 0x35, 0, 12, 0, 0, 'p', 'r', 'o', 'b')
}

// encapsulated puts a packet behind an outer header and, if there are segments, an SRH. Segments are
// in travel order; left says which of them the destination is (RFC 8754, 2).
func encapsulated(dst string, left int, segments []string, proto byte, inner []byte) []byte {
	payload, next := inner, proto
	if len(segments) > 0 {
		srh := []byte{proto, byte(2 * len(segments)), 4, byte(left), byte(len(segments) - 1), 0, 0, 0}
		for i := len(segments) - 1; i >= 0; i-- {
			a := ad(segments[i]).As16()
			srh = append(srh, a[:]...)
		}
		payload, next = append(srh, inner...), unix.IPPROTO_ROUTING
	}
	ip := make([]byte, 40)
	ip[0], ip[6], ip[7] = 0x60, next, 64
	binary.BigEndian.PutUint16(ip[4:], uint16(len(payload)))
	s, d := ad("fcff:99::1").As16(), ad(dst).As16()
	copy(ip[8:], s[:])
	copy(ip[24:], d[:])
	return append(ip, payload...)
}

func frame(dst, src [6]byte, packet []byte) []byte {
	ethertype := uint16(unix.ETH_P_IPV6)
	if packet[0]>>4 == 4 {
		ethertype = unix.ETH_P_IP
	}
	f := append(append([]byte{}, dst[:]...), src[:]...)
	return append(binary.BigEndian.AppendUint16(f, ethertype), packet...)
}

// bench is one node with a sender before port 1 and a listener behind port 2.
type bench struct {
	n       *Node
	ns, far string
	out     *tap
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{ns: newNamespace(t, "n"), far: newNamespace(t, "far")}
	wire(t, b.ns, "p1", b.far, "f1")
	wire(t, b.ns, "p2", b.far, "f2")
	b.n = openNode(t, b.ns, t.TempDir(), map[contract.PortID]string{1: "p1", 2: "p2"})
	mustApply(t, b.n, insert(
		contract.NextHop{ID: 1, Port: 1, SrcMAC: mac(b.ns, "p1"), DstMAC: mac(b.far, "f1")},
		contract.NextHop{ID: 2, Port: 2, SrcMAC: mac(b.ns, "p2"), DstMAC: mac(b.far, "f2")}))
	mustApply(t, b.n, modify(contract.EncapSource{Source: ad("fcff:1::1")}))
	b.out = listen(t, b.far, "f2")
	return b
}

// through sends a packet to the node and returns the packet that comes out behind port 2.
func (b *bench) through(t testing.TB, what string, packetIn []byte, want func(packet) bool) packet {
	t.Helper()
	sendFrame(t, b.far, "f1", frame(mac(b.ns, "p1"), mac(b.far, "f1"), packetIn))
	return b.out.first(t, what, want)
}

func TestEveryBehaviorOnTheWire(t *testing.T) {
	const inner6, inner4 = "fd00:3::2", "10.3.0.2"
	routes := []contract.Entry{via("fd00:3::/64", 2), via("10.3.0.0/24", 2), via("fcbb:bbbb:300::/48", 2), via("fcf0:3::/64", 2)}
	p6, p4 := probe6("fd00:1::2", inner6), probe4("10.1.0.2", inner4)
	for _, tt := range []struct {
		name     string
		rows     []contract.Entry
		in       []byte
		dst      string // the result: the outer destination, or the inner one after decapsulation
		left     int
		hopLimit byte
		srh      bool
	}{
		{
			"un shifts",
			[]contract.Entry{un("fcbb:bbbb:100::/48")},
			encapsulated("fcbb:bbbb:100:300:f00d::", 0, nil, unix.IPPROTO_IPV6, p6), "fcbb:bbbb:300:f00d::", -1, 63, false,
		},
		{
			"un with an empty argument advances the SRH",
			[]contract.Entry{un("fcbb:bbbb:100::/48")},
			encapsulated("fcbb:bbbb:100::", 1, []string{"fcbb:bbbb:100::", "fcbb:bbbb:300:f00d::"}, unix.IPPROTO_IPV6, p6), "fcbb:bbbb:300:f00d::", 0, 63, true,
		},
		{
			"ua shifts by 32 and leaves by its next hop",
			[]contract.Entry{local("fcbb:bbbb:100:e002::/64", contract.Behavior{Action: contract.UA, BlockLength: 32, CSIDLength: 32, NextHop: 2})},
			encapsulated("fcbb:bbbb:100:e002:700:f00d::", 0, nil, unix.IPPROTO_IPV6, p6), "fcbb:bbbb:700:f00d::", -1, 63, false,
		},
		{
			"end advances",
			[]contract.Entry{local("fcf0:1::1/128", contract.Behavior{Action: contract.End})},
			encapsulated("fcf0:1::1", 1, []string{"fcf0:1::1", "fcf0:3::1"}, unix.IPPROTO_IPV6, p6), "fcf0:3::1", 0, 63, true,
		},
		{
			"end_psp advances and takes the SRH away",
			[]contract.Entry{local("fcf0:1::2/128", contract.Behavior{Action: contract.EndPSP})},
			encapsulated("fcf0:1::2", 1, []string{"fcf0:1::2", "fcf0:3::1"}, unix.IPPROTO_IPV6, p6), "fcf0:3::1", -1, 63, false,
		},
		{
			"end_x leaves by its next hop",
			[]contract.Entry{local("fcf0:1::3/128", contract.Behavior{Action: contract.EndX, NextHop: 2})},
			encapsulated("fcf0:1::3", 1, []string{"fcf0:1::3", "fcf0:99::1"}, unix.IPPROTO_IPV6, p6), "fcf0:99::1", 0, 63, true,
		},
		{
			"udt6 looks the inner destination up",
			[]contract.Entry{local("fcbb:bbbb:100:f00d::/64", contract.Behavior{Action: contract.UDT6})},
			encapsulated("fcbb:bbbb:100:f00d::", 0, nil, unix.IPPROTO_IPV6, p6), inner6, -1, 63, false,
		},
		{
			"udt6 behind an SRH with no segments left",
			[]contract.Entry{local("fcbb:bbbb:100:f00d::/64", contract.Behavior{Action: contract.UDT6})},
			encapsulated("fcbb:bbbb:100:f00d::", 0, []string{"fcbb:bbbb:100:f00d::"}, unix.IPPROTO_IPV6, p6), inner6, -1, 63, false,
		},
		{
			"udt6 in a VRF",
			[]contract.Entry{
				local("fcbb:bbbb:100:fe0e::/64", contract.Behavior{Action: contract.UDT6, VRF: 7}),
				contract.Route{VRF: 7, Dst: px("fd00:77::/64"), Members: []contract.RouteMember{{Weight: 1, NextHop: 2}}},
			},
			encapsulated("fcbb:bbbb:100:fe0e::", 0, nil, unix.IPPROTO_IPV6, probe6("fd00:1::2", "fd00:77::1")), "fd00:77::1", -1, 63, false,
		},
		{
			"udx6 leaves by its next hop",
			[]contract.Entry{local("fcf0:1::4/128", contract.Behavior{Action: contract.UDX6, NextHop: 2})},
			encapsulated("fcf0:1::4", 0, nil, unix.IPPROTO_IPV6, probe6("fd00:1::2", "fd00:88::1")), "fd00:88::1", -1, 63, false,
		},
		{
			"b6_encaps_red pushes a reduced policy on the packet",
			[]contract.Entry{
				list(7, "fcbb:bbbb:300::", "fcbb:bbbb:400:f00d::"),
				local("fcf0:1::6/128", contract.Behavior{Action: contract.B6EncapsRed, SIDList: 7}),
			},
			encapsulated("fcf0:1::6", 1, []string{"fcf0:1::6", "fcf0:3::1"}, unix.IPPROTO_IPV6, p6), "fcbb:bbbb:300::", 1, 63, true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			mustApply(t, b.n, insert(append(routes, tt.rows...)...))
			p := b.through(t, tt.name, tt.in, func(p packet) bool { return p.dst == ad(tt.dst) })
			if p.segmentsLeft != tt.left || (p.srh != nil) != tt.srh || p.hopLimit != tt.hopLimit {
				t.Errorf("got %s hop limit %d, want SL=%d, SRH %t, hop limit %d", p, p.hopLimit, tt.left, tt.srh, tt.hopLimit)
			}
			rows, err := b.n.Entries(context.Background(), contract.TableMySID)
			if err != nil || len(rows) != 1 || rows[0].Counters == nil || rows[0].Counters.Packets != 1 || rows[0].Counters.Bytes == 0 {
				t.Errorf("my_sid is read with %+v, %v; want one packet counted", rows, err)
			}
		})
	}
	for name, row := range map[string]contract.MySID{
		"udt4 looks the inner destination up": local("fcbb:bbbb:100:f004::/64", contract.Behavior{Action: contract.UDT4}),
		"udx4 leaves by its next hop":         local("fcbb:bbbb:100:f004::/64", contract.Behavior{Action: contract.UDX4, NextHop: 2}),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			mustApply(t, b.n, insert(append(routes, row)...))
			p := b.through(t, name, encapsulated("fcbb:bbbb:100:f004::", 0, nil, unix.IPPROTO_IPIP, p4), func(p packet) bool { return p.inner4Dst == ad(inner4) })
			if p.hopLimit != 63 {
				t.Errorf("TTL %d, want 63", p.hopLimit)
			}
		})
	}
}

// RFC 8986, 4.14: the inner packet has moved on by one segment before the policy is pushed, and the
// pushed SRH lacks the first segment.
func TestBindingSIDKeepsTheInnerPacketWhole(t *testing.T) {
	b := newBench(t)
	mustApply(t, b.n, insert(via("fcbb:bbbb:300::/48", 2), list(7, "fcbb:bbbb:300::", "fcbb:bbbb:400::", "fcbb:bbbb:500:f00d::"),
		local("fcf0:1::6/128", contract.Behavior{Action: contract.B6EncapsRed, SIDList: 7})))
	in := encapsulated("fcf0:1::6", 1, []string{"fcf0:1::6", "fcf0:3::1"}, unix.IPPROTO_IPV6, probe6("fd00:1::2", "fd00:3::2"))
	p := b.through(t, "the pushed policy", in, func(p packet) bool { return p.dst == ad("fcbb:bbbb:300::") })
	if got, want := fmt.Sprint(p.srh), "[fcbb:bbbb:500:f00d:: fcbb:bbbb:400::]"; got != want || p.segmentsLeft != 2 {
		t.Errorf("SRH %s SL=%d, want %s SL=2", got, p.segmentsLeft, want)
	}
	if p.src != ad("fcff:1::1") || p.innerProto != unix.IPPROTO_IPV6 {
		t.Errorf("source %s next header %d, want fcff:1::1 and 41", p.src, p.innerProto)
	}
	inner, ok := parsePacket(frame([6]byte{}, [6]byte{}, p.inner))
	if !ok || inner.dst != ad("fcf0:3::1") || inner.segmentsLeft != 0 || inner.innerV6Dst() != ad("fd00:3::2") {
		t.Errorf("inner packet %s, want dst=fcf0:3::1 SL=0 with the customer's packet", inner)
	}
}

func TestABindingSIDDropsWhatHasNoNextSegment(t *testing.T) {
	b := newBench(t)
	mustApply(t, b.n, insert(via("fcbb:bbbb:300::/48", 2), list(7, "fcbb:bbbb:300:f00d::"), un("fcbb:bbbb:100::/48"),
		local("fcf0:1::6/128", contract.Behavior{Action: contract.B6EncapsRed, SIDList: 7})))
	in := encapsulated("fcf0:1::6", 0, []string{"fcf0:1::6"}, unix.IPPROTO_IPV6, probe6("fd00:1::2", "fd00:3::2"))
	sendFrame(t, b.far, "f1", frame(mac(b.ns, "p1"), mac(b.far, "f1"), in))
	// The packet behind it arrives, so the first one is not late but dropped.
	b.through(t, "the packet after it", encapsulated("fcbb:bbbb:100:300:f00d::", 0, nil, unix.IPPROTO_IPV6, probe6("fd00:1::2", "fd00:3::9")),
		func(p packet) bool { return p.innerV6Dst() == ad("fd00:3::9") })
	if leaked := b.out.all(func(p packet) bool {
		return p.innerV6Dst() == ad("fd00:3::2") || p.innerProto == unix.IPPROTO_IPV6 && p.innerV6Dst() == ad("fcf0:1::6")
	}); len(leaked) > 0 {
		t.Errorf("a packet with no segments left went on: %v", leaked)
	}
}
