// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"github.com/cilium/ebpf"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/stamp"
)

// probeTo is the frame of a probe of a watched list on its way, as internal/stamp writes it.
func probeTo(segments ...string) []byte {
	p := stamp.Path{
		Source: netip.MustParseAddr("fcff:1::1"), Sender: netip.MustParseAddr("fd5e:7e00::2:0:7"), Session: 9, FlowLabel: 3,
	}
	for _, s := range segments {
		p.Segments = append(p.Segments, netip.MustParseAddr(s))
	}
	return stamp.New(p).Bytes(5, time.Unix(1_700_000_000, 0))
}

// around puts another IPv6 header in front of a frame's packet, as a repair does.
func around(frame []byte, dst string) []byte {
	outer := ipv6(41, frame[14:])
	copy(outer[8:], netip.MustParseAddr("fcff:1::1").AsSlice())
	copy(outer[24:], netip.MustParseAddr(dst).AsSlice())
	return append(append([]byte{}, frame[:14]...), outer...)
}

// linkTest is the frame of a test packet of a link, of its sender or its reflector.
func linkTest(src, dst string, hops byte, from, to uint16) []byte {
	p := ipv6(17, make([]byte, 8+stamp.TestBytes))
	p[7] = hops
	copy(p[8:], netip.MustParseAddr(src).AsSlice())
	copy(p[24:], netip.MustParseAddr(dst).AsSlice())
	binary.BigEndian.PutUint16(p[40:], from)
	binary.BigEndian.PutUint16(p[42:], to)
	return append([]byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x86, 0xdd}, p...)
}

func edited(frame []byte, edit func(f []byte)) []byte {
	f := append([]byte{}, frame...)
	edit(f)
	return f
}

// inProbe is the innermost packet of a probe's frame.
func inProbe(f []byte) []byte { return f[len(f)-112:] }

func watchedPort(t testing.TB, role contract.EdgePort) *bench {
	t.Helper()
	role.Port = port
	b := loaded(t, role, contract.EdgeSID{Dst: netip.MustParsePrefix("fcbb:bbbb::/32")},
		contract.EdgeSource{Src: netip.MustParsePrefix("fcff::/16")}, contract.EdgeSource{Src: netip.MustParsePrefix("fcbb:bbbb::/32")})
	b.probes = &probeCounters{}
	if err := b.probes.follow(b.objects.EdgeProbes); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.probes.follow(nil) })
	b.probes.assign(map[contract.PortID]uint32{port: roleOf(role)})
	return b
}

// passes has a frame come in and go out by the port; it returns the probes counted so far.
func (b *bench) passes(t testing.TB, frame []byte) *contract.ProbeCounters {
	t.Helper()
	for _, program := range []*ebpf.Program{b.objects.SextantEdge, b.objects.SextantProbes} {
		if _, err := program.Run(&ebpf.RunOptions{Data: frame}); err != nil {
			t.Fatal(err)
		}
	}
	counted, err := b.probes.of(port)
	if err != nil {
		t.Fatal(err)
	}
	return counted
}

func TestProbesAreCountedAtInternalPorts(t *testing.T) {
	long := make([]string, 16)
	for i := range long {
		long[i] = "fcbb:bbbb:200::"
	}
	one := probeTo("fcbb:bbbb:200:100:fe0f::")
	for name, frame := range map[string][]byte{
		"one container":            one,
		"three":                    probeTo("fcbb:bbbb:200::", "fcbb:bbbb:300::", "fcbb:bbbb:100:fe0f::"),
		"sixteen":                  probeTo(long...),
		"in a repair":              around(one, "fcbb:bbbb:df00:300::"),
		"in a repair, by a policy": around(around(probeTo("fcbb:bbbb:200::", "fcbb:bbbb:100::"), "fcbb:bbbb:500::"), "fcbb:bbbb:df00:300::"),
		"a link's test":            linkTest("fe80::1", "ff02::1", 255, 40000, 862),
		"a link's answer":          linkTest("fe80::2", "fe80::1", 255, 862, 40000),
	} {
		b := watchedPort(t, contract.EdgePort{KnownSources: true})
		want := contract.Counters{Packets: 1, Bytes: uint64(len(frame))}
		if got := b.passes(t, frame); got == nil || got.In != want || got.Out != want {
			t.Errorf("%s: counted %+v, want %+v each way", name, got, want)
		}
	}
}

// Packets of a user that look like probes are counted as traffic all the same.
func TestTrafficIsNoProbe(t *testing.T) {
	one := probeTo("fcbb:bbbb:200:100:fe0f::")
	for name, frame := range map[string][]byte{
		"a packet":                         linkTest("2001:db8::1", "2001:db8::2", 255, 862, 862),
		"a packet to a SID":                around(linkTest("2001:db8::1", "2001:db8::2", 255, 862, 862), "fcbb:bbbb:200::"),
		"in a tunnel of others":            around(one, "2001:db8::7"),
		"a tunnel of others to itself":     edited(one, func(f []byte) { copy(f[14+24:], netip.MustParseAddr("2001:db8::7").AsSlice()) }),
		"in a tunnel of others in SRv6":    around(around(one, "2001:db8::7"), "fcbb:bbbb:200::"),
		"to a next hop":                    edited(one, func(f []byte) { copy(inProbe(f)[24:], netip.MustParseAddr("fd5e:7e00::7").AsSlice()) }),
		"to another port":                  edited(one, func(f []byte) { inProbe(f)[43]++ }),
		"TCP":                              edited(one, func(f []byte) { inProbe(f)[6] = 6 }),
		"another hop limit":                edited(one, func(f []byte) { inProbe(f)[7] = 64 }),
		"longer":                           append(append([]byte{}, one...), make([]byte, 8)...),
		"the end of another packet's data": edited(one, func(f []byte) { f[14+6] = 17 }),
		"data behind UDP in SRv6":          around(append(linkTest("2001:db8::1", "2001:db8::2", 64, 1, 2), inProbe(one)...), "fcbb:bbbb:200::"),
		"a link's test that was routed":    linkTest("fe80::1", "ff02::1", 254, 40000, 862),
		"another UDP packet of a link":     linkTest("fe80::1", "ff02::1", 255, 40000, 863),
	} {
		b := watchedPort(t, contract.EdgePort{})
		if got := b.passes(t, frame); got == nil || *got != (contract.ProbeCounters{}) {
			t.Errorf("%s: counted %+v", name, got)
		}
	}
}

func TestAnExternalPortHasNoProbes(t *testing.T) {
	b := watchedPort(t, contract.EdgePort{External: true})
	if got := b.passes(t, linkTest("fe80::1", "ff02::1", 255, 40000, 862)); got != nil {
		t.Errorf("counted %+v", got)
	}
	var perCPU []bpfProbes
	if err := b.objects.EdgeProbes.Lookup(uint32(port), &perCPU); err != nil {
		t.Fatal(err)
	}
	for _, one := range perCPU {
		if one != (bpfProbes{}) {
			t.Errorf("the program counted %+v", one)
		}
	}
}
