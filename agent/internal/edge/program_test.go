// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"bytes"
	"encoding/binary"
	"maps"
	"net/netip"
	"testing"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/tcx/tcxtest"
)

// Return codes of sextant_edge.
const (
	passed  = 0xffffffff // TCX_NEXT
	dropped = 2          // TC_ACT_SHOT
)

const loopback = 1 // the device of packets that the kernel's test runs make

// A bench is a program that is attached nowhere, at a port of its own.
type bench struct{ programs }

func loaded(t testing.TB, entries ...contract.Entry) *bench {
	t.Helper()
	tcxtest.NeedRoot(t, "./internal/edge")
	tcxtest.Alone(t)
	var objects bpfObjects
	tcxtest.Loaded(t, loadBpfObjects(&objects, nil))
	t.Cleanup(func() { _ = objects.Close() })
	b := &bench{}
	b.objects = &objects
	rows := newWanted()
	for _, e := range entries {
		rows.add(e)
	}
	role := rows.roles[port]
	for _, err := range []error{
		b.learn(&rows), objects.EdgeRoles.Put(uint32(port), role), objects.EdgePorts.Put(uint32(loopback), uint32(port)),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return b
}

const port = 7

// reasons returns the port's drops since the program was loaded, by the reason numbers of bpf/edge.h.
func (b *bench) reasons(t testing.TB) map[int]uint64 {
	t.Helper()
	counted := map[int]uint64{}
	for reason := range 2 * reasonsOf {
		at := reason/reasonsOf*cellsOf + port*reasonsOf + reason%reasonsOf
		cells, err := b.cells(droppedArray, at, 1)
		if err != nil {
			t.Fatal(err)
		}
		if cells[0].Packets > 0 {
			counted[reason] = cells[0].Packets
		}
	}
	return counted
}

const bySID, bySRH, unreadable = 0, 1, 4

func (b *bench) judge(t testing.TB, packet []byte) uint32 {
	t.Helper()
	return b.judgeFrame(t, append([]byte{0x86, 0xdd}, packet...))
}

// judgeFrame has a frame judged from behind its addresses on.
func (b *bench) judgeFrame(t testing.TB, rest []byte) uint32 {
	t.Helper()
	frame := append([]byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2}, rest...)
	verdict, err := b.objects.SextantEdge.Run(&ebpf.RunOptions{Data: frame})
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}

// ipv6 is a packet of a foreign sender whose first header behind is of this kind.
func ipv6(kind byte, rest []byte) []byte {
	p := make([]byte, 40, 40+len(rest))
	p[0], p[6], p[7] = 0x60, kind, 64
	binary.BigEndian.PutUint16(p[4:], uint16(len(rest)))
	copy(p[8:], netip.MustParseAddr("2001:db8:1::1").AsSlice())
	copy(p[24:], netip.MustParseAddr("2001:db8:2::1").AsSlice())
	return append(p, rest...)
}

// hasSRH is the test of bpf/edge.c, written over a slice.
func hasSRH(p []byte) bool {
	end := min(len(p), 40+int(binary.BigEndian.Uint16(p[4:])))
	kind, at := p[6], 40
	for range 8 {
		switch kind {
		case 0, unix.IPPROTO_ROUTING, unix.IPPROTO_FRAGMENT, unix.IPPROTO_AH, unix.IPPROTO_DSTOPTS:
		default:
			return false
		}
		if at+8 > end {
			return true
		}
		head := p[at : at+8]
		switch {
		case kind == unix.IPPROTO_ROUTING && head[2] == 4:
			return true
		case kind == unix.IPPROTO_FRAGMENT && binary.BigEndian.Uint16(head[2:])>>3 != 0:
			return false
		case kind == unix.IPPROTO_FRAGMENT:
			at += 8
		case kind == unix.IPPROTO_AH:
			at += 4 * (int(head[1]) + 2)
		default:
			at += 8 * (int(head[1]) + 1)
		}
		if at > end {
			return true
		}
		kind = head[0]
	}
	switch kind {
	case 0, unix.IPPROTO_ROUTING, unix.IPPROTO_FRAGMENT, unix.IPPROTO_AH, unix.IPPROTO_DSTOPTS:
		return true
	}
	return false
}

// Whatever stands behind an IPv6 header is read as far as it goes, and no further.
func FuzzHeaders(f *testing.F) {
	option := []byte{60, 0, 1, 4, 0, 0, 0, 0}
	f.Add(byte(17), []byte("sextant!"), uint16(8))
	f.Add(byte(43), append([]byte{17, 2, 4, 1, 0, 0, 0, 0}, make([]byte, 24)...), uint16(32))
	f.Add(byte(43), append([]byte{17, 2, 3, 0, 0, 0, 0, 0}, make([]byte, 24)...), uint16(32))
	f.Add(byte(44), []byte{43, 0, 0, 1, 0, 0, 0, 7, 17, 0, 4, 0, 0, 0, 0, 0}, uint16(16))
	f.Add(byte(44), []byte{43, 0, 0, 8, 0, 0, 0, 7, 17, 0, 4, 0, 0, 0, 0, 0}, uint16(16))
	f.Add(byte(51), append([]byte{43, 4, 0, 0}, append(make([]byte, 20), 17, 0, 4, 0, 0, 0, 0, 0)...), uint16(32))
	f.Add(byte(60), []byte{60, 255}, uint16(2))
	f.Add(byte(60), append([]byte{43, 0, 1, 4, 0, 0, 0, 0}, 17, 0, 4, 0, 0, 0, 0, 0), uint16(8))
	for _, count := range []int{7, 8, 9} {
		var many []byte
		for range count - 1 {
			many = append(many, option...)
		}
		f.Add(byte(60), append(many, 17, 0, 1, 4, 0, 0, 0, 0), uint16(8*count))
	}
	b := loaded(f, contract.EdgePort{Port: port, External: true, DropSRH: true})
	f.Fuzz(func(t *testing.T, kind byte, rest []byte, length uint16) {
		if len(rest) > 1200 {
			t.Skip("longer than a packet of the kernel's test runs")
		}
		p := ipv6(kind, rest)
		binary.BigEndian.PutUint16(p[4:], length)
		want := uint32(passed)
		if hasSRH(p) {
			want = dropped
		}
		if got := b.judge(t, p); got != want {
			t.Errorf("%x: %x, want %x", p, got, want)
		}
	})
}

// RFC 4302, 2.2: the length of an authentication header is in words of four bytes, less two; all other headers' in words of eight.
func TestAuthenticationHeadersAreSteppedOver(t *testing.T) {
	udp := []byte{17, 0, 1, 4, 0, 0, 0, 0}
	srh := append([]byte{17, 2, 4, 1, 0, 0, 0, 0}, make([]byte, 16)...)
	for words := byte(1); words < 12; words++ {
		b := loaded(t, contract.EdgePort{Port: port, External: true, DropSRH: true})
		// A parser that assumes a wrong length finds, at any offset in it, a header that leads to an SRH.
		header := func(next byte) []byte {
			return append([]byte{next, words, 0, 0}, bytes.Repeat([]byte{43, 0, 4, 1}, int(words)+1)...)
		}
		if got := b.judge(t, ipv6(unix.IPPROTO_AH, append(header(unix.IPPROTO_DSTOPTS), udp...))); got != passed {
			t.Errorf("%d words and options behind: %x, counted %v", words, got, b.reasons(t))
		}
		if got := b.judge(t, ipv6(unix.IPPROTO_AH, append(header(unix.IPPROTO_ROUTING), srh...))); got != dropped {
			t.Errorf("%d words and an SRH behind: %x", words, got)
		}
		if got := b.reasons(t); !maps.Equal(got, map[int]uint64{bySRH: 1}) {
			t.Errorf("%d words: counted %v", words, got)
		}
	}
}

// A kernel takes off any number of tags; here one is read where the kernel has taken it off, and two in the frame.
func TestWhatIsBehindTagsIsReadOrDropped(t *testing.T) {
	toSID := ipv6(unix.IPPROTO_NONE, nil)
	copy(toSID[24:], netip.MustParseAddr("fcbb:bbbb:100:f00d::").AsSlice())
	for tags, reason := range map[int]int{0: bySID, 1: bySID, 2: bySID, 3: unreadable, 4: unreadable, 40: unreadable} {
		for _, tag := range [][]byte{{0x81, 0, 0, 0}, {0x88, 0xa8, 0xe0, 1}} {
			for _, role := range []contract.EdgePort{{Port: port, External: true}, {Port: port, KnownSources: true}} {
				b := loaded(t, role, contract.EdgeSID{Dst: netip.MustParsePrefix("fcbb:bbbb::/32")})
				want := map[int]uint64{reason: 1}
				if reason == bySID && !role.External {
					want = map[int]uint64{3: 1}
				}
				frame := append(append(bytes.Repeat(tag, tags), 0x86, 0xdd), toSID...)
				if got := b.judgeFrame(t, frame); got != dropped || !maps.Equal(b.reasons(t), want) {
					t.Errorf("%d tags %x, %+v: %x, counted %v, want %v", tags, tag, role, got, b.reasons(t), want)
				}
			}
		}
	}
}

// A packet with more headers than are read is dropped even without DropSRH.
func TestMoreHeadersThanAreReadAreDropped(t *testing.T) {
	b := loaded(t, contract.EdgePort{Port: port, External: true})
	option := []byte{60, 0, 1, 4, 0, 0, 0, 0}
	for count, want := range map[int]uint32{7: passed, 8: passed, 9: dropped, 100: dropped} {
		headers := append(bytes.Repeat(option, count-1), 17, 0, 1, 4, 0, 0, 0, 0)
		if got := b.judge(t, ipv6(60, headers)); got != want {
			t.Errorf("%d headers: %x, want %x", count, got, want)
		}
	}
	if got := b.reasons(t); !maps.Equal(got, map[int]uint64{unreadable: 2}) {
		t.Errorf("counted %v", got)
	}
}

// GTP-U to be decapsulated is found by the shortest prefix that covers all destinations of a rule.
func TestGatewaysAreWhatRulesTake(t *testing.T) {
	mapped := func(addr string, bits int) *contract.Ternary {
		return &contract.Ternary{Value: netip.MustParseAddr(addr).As16(), Mask: contract.PrefixMask(96+bits, 128)}
	}
	holes := &contract.Ternary{Value: netip.MustParseAddr("198.51.0.1").As16(), Mask: contract.PrefixMask(96+16, 128)}
	holes.Mask[15] = 0xff
	rows := newWanted()
	rows.translate([]contract.GTPRule{
		{Action: contract.GTPTranslate, Dst: mapped("198.51.100.1", 32)},
		{Action: contract.GTPTranslate, Dst: mapped("192.0.2.0", 24)},
		{Action: contract.GTPTranslate, Dst: holes},
		{Action: contract.GTPCarry, Dst: mapped("203.0.113.1", 32)},
	})
	want := map[bpfPrefix]uint32{}
	for _, one := range []string{"::ffff:198.51.100.1/128", "::ffff:192.0.2.0/120", "::ffff:198.51.0.0/112"} {
		want[prefixOf(netip.MustParsePrefix(one))] = 0
	}
	if !maps.Equal(rows.gateways, want) {
		t.Errorf("gateways %v, want %v", rows.gateways, want)
	}
	if rows.translate([]contract.GTPRule{{Action: contract.GTPTranslate}}); !maps.Equal(rows.gateways, map[bpfPrefix]uint32{{}: 0}) {
		t.Errorf("a rule for all: %v", rows.gateways)
	}
}

// The maps have room for the sizes of P4Info, and twice that while rows are exchanged.
func TestTheMapsHoldWhatTheRowsSay(t *testing.T) {
	spec, err := loadBpf()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]uint32{
		"edge_ports": maxPorts, "edge_roles": maxPorts, "edge_dropped": maxPorts * reasonsOf,
		"edge_drops_more": maxPorts * reasonsOf, "edge_gateways": 2 * maxGateways,
		"edge_sids": 2 * maxSIDs, "edge_sources": 2 * maxSources, "edge_peers": 2 * maxPeers,
	} {
		if got := spec.Maps[name].MaxEntries; got != want {
			t.Errorf("%s has %d entries, want %d", name, got, want)
		}
	}
	if contract.MaxPort >= maxPorts {
		t.Errorf("port %d has no role", contract.MaxPort)
	}
}

// A peer that is deleted and inserted in one batch is another row, which has counted nothing.
func TestAPeerThatIsThereAgainCountsAnew(t *testing.T) {
	peer := contract.EdgePeer{Port: port, Src: netip.MustParsePrefix("2001:db8:1::/48")}
	b := loaded(t, contract.EdgePort{Port: port, External: true, DropSRH: true}, peer)
	if got := b.judge(t, ipv6(43, nil)); got != passed {
		t.Errorf("a peer's packet: %x", got)
	}
	counted := func(want uint64) {
		t.Helper()
		if c, err := b.counter(peer); err != nil || c.Packets != want {
			t.Errorf("counted are %+v, %v, want %d", c, err, want)
		}
	}
	counted(1)
	rows := newWanted()
	rows.add(peer)
	rows.settled()
	if err := b.learn(&rows); err != nil {
		t.Fatal(err)
	}
	counted(1)
	rows.exchange(peer, nil)
	rows.exchange(nil, peer)
	for _, step := range []func(*wanted) error{b.learn, b.forget} {
		if err := step(&rows); err != nil {
			t.Fatal(err)
		}
	}
	counted(0)
}
