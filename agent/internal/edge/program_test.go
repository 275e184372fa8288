// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/tcx/tcxtest"
)

// What sextant_edge answers.
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

func (b *bench) judge(t testing.TB, packet []byte) uint32 {
	t.Helper()
	frame := append([]byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x86, 0xdd}, packet...)
	verdict, err := b.objects.SextantEdge.Run(&ebpf.RunOptions{Data: frame})
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}

// ipv6 is a packet of strangers whose first header behind is of this kind.
func ipv6(kind byte, rest []byte) []byte {
	p := make([]byte, 40, 40+len(rest))
	p[0], p[6], p[7] = 0x60, kind, 64
	binary.BigEndian.PutUint16(p[4:], uint16(len(rest)))
	copy(p[8:], netip.MustParseAddr("2001:db8:1::1").AsSlice())
	copy(p[24:], netip.MustParseAddr("2001:db8:2::1").AsSlice())
	return append(p, rest...)
}

// hasSRH is what bpf/edge.c says, written over a slice.
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

// What is told apart is what P4Info has room for, and twice that while rows are exchanged.
func TestTheMapsHoldWhatTheRowsSay(t *testing.T) {
	spec, err := loadBpf()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]uint32{
		"edge_ports": maxPorts, "edge_roles": maxPorts, "edge_dropped": maxPorts * reasonsOf,
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
