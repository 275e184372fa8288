// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/netip"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/mobile"
)

// A gateway has a gNB (192.0.2.1) behind port 1 and the network behind port 2.
type gateway struct {
	ns, far, state string
	node           *Node
}

func gatewayPorts() map[contract.PortID]string { return map[contract.PortID]string{1: "p1", 2: "p2"} }

func newGateway(t testing.TB) *gateway {
	t.Helper()
	needFeature(t, mobile.FeatureName)
	g := &gateway{ns: newNamespace(t, "n"), far: newNamespace(t, "far"), state: stateDir(t)}
	wire(t, g.ns, "p1", g.far, "f1")
	wire(t, g.ns, "p2", g.far, "f2")
	g.node = openNode(t, g.ns, g.state, gatewayPorts())
	mustApply(t, g.node, insert(hop(g.ns, 1, 1), hop(g.ns, 2, 2), via("192.0.2.0/24", 1), via("2001:db8:b::/48", 1), via("fcbb:bbbb::/32", 2)))
	mustApply(t, g.node, modify(contract.EncapSource{Source: ad("fcff:1::1")}))
	return g
}

func mobileRows() []contract.Entry {
	all := func(text string) *contract.Ternary {
		return &contract.Ternary{Value: ad(text).As16(), Mask: contract.PrefixMask(128, 128)}
	}
	return []contract.Entry{
		list(1, "fcbb:bbbb:305::"), list(2, "fcbb:bbbb:300:f004::"),
		contract.GTPRule{
			Priority: 20, Dst: all("198.51.100.1"), Action: contract.GTPTranslate, SIDList: 1, AddressAt: 48, ArgsAt: 80, Source: ad("fcbb:bbbb:104::"), SourceAt: 48,
		},
		contract.GTPRule{Priority: 10, Dst: all("198.51.100.1"), Action: contract.GTPCarry, SIDList: 2},
		contract.GTPRule{
			Priority: 15, InnerSrc: &contract.Ternary{Value: ad("10.61.0.0").As16(), Mask: contract.PrefixMask(112, 128)}, InnerDst: all("198.18.0.7"),
			Action: contract.GTPCarry, SIDList: 2,
		},
		contract.GTPTunnel{Dst: ad("198.51.100.1"), TEID: 0x12345678, Class: 7},
		contract.UE{Dst: px("10.60.0.1/32"), SIDList: 2},
		contract.UE{Dst: px("2001:db8:60::/48"), Last: ad("fcbb:bbbb:300:f00d::")},
		local("fcbb:bbbb:104::/48", contract.Behavior{Action: contract.GTP4E, GTP: contract.GTPEncap{At: 48, SourceAt: 48, Container: 1, UDPSource: 2152}}),
		local("fcbb:bbbb:100:f610::/64", contract.Behavior{
			Action: contract.GTP6E, GTP: contract.GTPEncap{At: 64, Source: ad("fcbb:bbbb:100:f601::"), Container: 1, UDPSource: 2152},
		}),
		local("fcbb:bbbb:100:f601::/64", contract.Behavior{Action: contract.GTP6D}),
		local("fcbb:bbbb:100:f620::/64", contract.Behavior{Action: contract.Map, Mapped: ad("fcbb:bbbb:200:f610::")}),
	}
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// uplink is the golden packet of a gNB, with a TEID of its own.
func uplink(t testing.TB, teid uint32) []byte {
	t.Helper()
	p := unhex(t, "45b800500000400040114dafc0000201c6336401 08680868003c0000 34ff002c12345678 00000085 01100900"+
		"45000024000100004011aa720a3c0001c6120007 1234000700100000 73657874616e7421")
	binary.BigEndian.PutUint32(p[32:], teid)
	return p
}

func ipv4Frame(dst, src [6]byte, packet []byte) []byte {
	return slices.Concat(dst[:], src[:], []byte{8, 0}, packet)
}

func TestMobileRowsAreReadBackAndLeaveNothing(t *testing.T) {
	g := newGateway(t)
	before := stored(t, g.node, "")
	mustApply(t, g.node, insert(mobileRows()...))
	got := stored(t, g.node, "")
	for _, e := range mobileRows() {
		if !slices.Contains(got, e.Key().String()) {
			t.Errorf("%s is not read back", e.Key())
		}
		alone, err := g.node.Rows(context.Background(), []contract.Key{e.Key(), {Table: contract.TableSIDList, Match: "9"}})
		all, failed := g.node.Entries(context.Background(), e.Key().Table)
		at := slices.IndexFunc(all, func(r contract.Stored) bool { return r.Entry.Key() == e.Key() })
		if err != nil || failed != nil || !reflect.DeepEqual(alone, all[at:at+1]) {
			t.Errorf("%s read alone is %v and %v, of its table %v", e.Key(), alone, err, all[at])
		}
	}
	if programs := programsAt(t, g.ns, "p1"); !slices.Contains(programs, "sextant_mobile") {
		t.Errorf("p1 has the programs %v", programs)
	}
	rows := mobileRows()
	slices.Reverse(rows)
	mustApply(t, g.node, remove(rows...))
	if after := stored(t, g.node, ""); !slices.Equal(after, before) {
		t.Errorf("left are %v, want %v", after, before)
	}
	if links := in(t, g.ns, "ip -br link"); strings.Contains(links, "sextant4") || len(programsAt(t, g.ns, "p1")) > 0 {
		t.Errorf("devices or programs are left:\n%s", links)
	}
}

func TestRowsThatMobileCannotServe(t *testing.T) {
	g := newGateway(t)
	mustApply(t, g.node, insert(list(1, "fcbb:bbbb:305::"), contract.SIDList{ID: 3, Members: []contract.SIDListMember{member(1, "fcbb::1"), member(1, "fcbb::2")}}))
	carry := func(priority int32) contract.GTPRule {
		return contract.GTPRule{Priority: priority, Action: contract.GTPCarry, SIDList: 1}
	}
	odd, other, several, missing := carry(1), carry(1), carry(1), carry(1)
	odd.Action, odd.ArgsAt = contract.GTPTranslate, 44
	other.VRF, several.SIDList, missing.SIDList = 3, 3, 9
	for _, tc := range []struct {
		entry contract.Entry
		code  contract.Code
		part  string
	}{
		{odd, contract.Unimplemented, "args_at 44 is no multiple of 8"},
		{other, contract.Unimplemented, "only vrf 0"},
		{several, contract.Unimplemented, "sid_list 3 has 2 members"},
		{missing, contract.FailedPrecondition, "write sid_list 9 first"},
		{contract.UE{VRF: 3, Dst: px("10.60.0.1/32"), SIDList: 1}, contract.Unimplemented, "only vrf 0"},
		{contract.GTPTunnel{VRF: 3, Dst: ad("10.0.0.1"), TEID: 1}, contract.Unimplemented, "only vrf 0"},
		{local("fcbb:bbbb:104::/48", contract.Behavior{Action: contract.GTP4E, GTP: contract.GTPEncap{At: 52, SourceAt: 48}}), contract.Unimplemented, "at 52"},
	} {
		wantCode(t, g.node, insert(tc.entry)[0], tc.code, tc.part)
	}
	mustApply(t, g.node, insert(carry(1)))
	wantCode(t, g.node, modify(contract.SIDList{ID: 1, Members: []contract.SIDListMember{member(1, "fcbb::1"), member(1, "fcbb::2")}})[0],
		contract.Unimplemented, "sid_list 1 has 2 members")
	var rules []contract.Entry
	for i := range int32(128) {
		rule := carry(i + 2)
		rule.TEID = &contract.Ternary{Mask: contract.Number(uint32(1) + uint32(i)<<1)}
		rules = append(rules, rule)
	}
	mustApply(t, g.node, insert(rules[:127]...))
	wantCode(t, g.node, insert(rules[127])[0], contract.ResourceExhausted, "more than 128 different ways")
}

// Other programs delete the pair, and a port goes and comes back: sessions go on, with their counters.
func TestAGatewayComesBack(t *testing.T) {
	g := newGateway(t)
	mustApply(t, g.node, insert(mobileRows()...))
	tap := listen(t, g.far, "f2")
	passes := func(when string, teid uint32) {
		t.Helper()
		dst := fmt.Sprintf("fcbb:bbbb:305:c633:6401:2400:0:%x", teid<<8)
		frame := ipv4Frame(mac(g.ns, "p1"), [6]byte{2, 9}, uplink(t, teid))
		eventually(t, "a packet passes "+when, func() bool {
			sendFrame(t, g.far, "f1", frame)
			return len(tap.all(func(p packet) bool { return p.dst == ad(dst) })) > 0
		})
	}
	passes("at first", 1)
	in(t, g.ns, "ip link del sextant4")
	eventually(t, "the pair is back", func() bool {
		stored(t, g.node, contract.TableGTPRule)
		return strings.Contains(in(t, g.ns, "ip -o link"), "sextant5") && slices.Contains(programsAt(t, g.ns, "sextant5"), "sextant_mobile")
	})
	// Packets that their sender leaves unfinished need the pair.
	end := listen(t, g.far, "f1")
	payload := bytes.Repeat([]byte("sextant "), 20)
	outer := unhex(t, fmt.Sprintf("60000000%04x043f fcbbbbbb0305c6336401000000000000 fcbbbbbb0104c0000201240000 03ea00", 28+len(payload)))
	offloaded(t, g.far, "f2", frame(mac(g.ns, "p2"), [6]byte{2, 9}, append(outer, udp4(t, payload, false)...)), 14+40+20, 6, 0, 0, 0)
	whole := udp4(t, payload, true)
	end.first(t, "a packet through the new pair", func(p packet) bool { return bytes.HasSuffix(p.whole, whole) })
	in(t, g.ns, "ip link del p1")
	wire(t, g.ns, "p1", g.far, "f1")
	passes("at the new port", 2)
	entries, err := g.node.Entries(context.Background(), contract.TableGTPRule)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if rule := e.Entry.(contract.GTPRule); rule.Action == contract.GTPTranslate && e.Counters.Packets < 2 {
			t.Errorf("%s has forgotten what it counted: %+v", rule.Key(), e.Counters)
		}
	}
}

// A session's prefix, however wide, takes nothing that is for the node itself.
func TestWhatIsForTheNodeItselfIsNoSessions(t *testing.T) {
	needTool(t, "ping", "iputils-ping")
	g := newGateway(t)
	mustApply(t, g.node, insert(list(2, "fcbb:bbbb:300:f004::"), contract.UE{Dst: px("10.0.0.0/8"), SIDList: 2}, contract.UE{Dst: px("fd00::/8"), SIDList: 2}))
	in(t, g.ns, "ip addr add 10.60.0.254/16 dev p2; ip addr add fd60::254/64 dev p2 nodad")
	in(t, g.far, "ip addr add 10.60.0.1/16 dev f2; ip addr add fd60::1/64 dev f2 nodad")
	stored(t, g.node, "") // the agent has seen the addresses
	ping(t, g.far, "10.60.0.254")
	ping(t, g.far, "fd60::254")
}

// A packet that enters a slice is no Live-Live flow, whichever rows came first.
func TestAPortLooksForSessionsBeforeItLooksForFlows(t *testing.T) {
	flow := []contract.Entry{
		list(9, "fcbb:bbbb:300:f101::"),
		contract.Copy{Group: 1, Path: 1, SIDList: 9},
		contract.Flow{Priority: 1, Src: px("0.0.0.0/0"), Dst: px("198.51.100.0/24"), FlowID: 1, Group: 1, Copies: 1},
	}
	for name, order := range map[string][2][]contract.Entry{"flows first": {flow, mobileRows()}, "sessions first": {mobileRows(), flow}} {
		t.Run(name, func(t *testing.T) {
			g := newGateway(t)
			mustApply(t, g.node, insert(order[0]...))
			mustApply(t, g.node, insert(order[1]...))
			if got, want := programsAt(t, g.ns, "p1"), []string{"sextant_mobile", "sextant_port"}; !slices.Equal(got, want) {
				t.Errorf("p1 runs %v, want %v", got, want)
			}
			tap := listen(t, g.far, "f2")
			sendFrame(t, g.far, "f1", ipv4Frame(mac(g.ns, "p1"), [6]byte{2, 9}, uplink(t, 1)))
			tap.first(t, "GTP in its slice", func(p packet) bool { return p.dst == ad("fcbb:bbbb:305:c633:6401:2400:0:100") })
		})
	}
}

// Packets go on while an agent is killed and another one takes over its state; counters go on, too.
func TestAGatewayFeelsNoKilledAgent(t *testing.T) {
	g := newGateway(t)
	mustApply(t, g.node, insert(mobileRows()...))
	tap := listen(t, g.far, "f2")
	frame := ipv4Frame(mac(g.ns, "p1"), [6]byte{2, 9}, uplink(t, 1))
	node, sent := throughARestart(t, g.node, g.ns, g.state, func() { sendFrame(t, g.far, "f1", frame) })
	eventually(t, fmt.Sprintf("all %d packets come out", sent), func() bool {
		return len(tap.all(func(p packet) bool { return p.innerProto == unix.IPPROTO_IPIP })) == sent
	})
	entries, err := node.Entries(context.Background(), contract.TableGTPRule)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if rule := e.Entry.(contract.GTPRule); rule.Action == contract.GTPTranslate && (e.Counters == nil || e.Counters.Packets != uint64(sent)) {
			t.Errorf("%s counts %+v, want %d packets", rule.Key(), e.Counters, sent)
		}
	}
}

// --- checksums and segmentation left to a device

// offloaded sends a frame whose checksum at an offset is left to do, and which is to be cut if it has a segment size.
func offloaded(t testing.TB, ns, name string, frame []byte, start, offset, headers, segment int, kind byte) {
	t.Helper()
	inside(t, ns, func() error {
		fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		const packetVNetHeader = 15 // linux/if_packet.h
		if err := unix.SetsockoptInt(fd, unix.SOL_PACKET, packetVNetHeader, 1); err != nil {
			return err
		}
		index, err := indexOf(ns, name)
		if err != nil {
			return err
		}
		const needsChecksum = 1 // linux/virtio_net.h
		header := []byte{needsChecksum, kind}
		for _, v := range []int{headers, segment, start, offset} {
			header = binary.NativeEndian.AppendUint16(header, uint16(v))
		}
		return unix.Sendto(fd, append(header, frame...), 0, &unix.SockaddrLinklayer{Ifindex: index, Protocol: binary.NativeEndian.Uint16(frame[12:14])})
	})
}

func indexOf(ns, name string) (int, error) {
	handle, err := netns.GetFromName(ns)
	if err != nil {
		return 0, err
	}
	defer handle.Close()
	out, err := exec.Command("ip", "-n", ns, "-o", "link", "show", name).Output()
	if err != nil {
		return 0, err
	}
	var index int
	_, err = fmt.Sscanf(string(out), "%d:", &index)
	return index, err
}

// udp4 is a packet from the network to a UE, with its checksum, or with the partial one that a sender leaves for a
// device.
func udp4(t testing.TB, payload []byte, done bool) []byte {
	t.Helper()
	length := 28 + len(payload)
	p := unhex(t, "4500 0000 0001 0000 4011 0000 c6120007 0a3c0001 0007 1234 0000 0000")
	binary.BigEndian.PutUint16(p[2:], uint16(length))
	binary.BigEndian.PutUint16(p[10:], internetChecksum(p[:20]))
	binary.BigEndian.PutUint16(p[24:], uint16(length-20))
	p = append(p, payload...)
	pseudo := append(slices.Clone(p[12:20]), 0, 17, p[24], p[25])
	if !done {
		binary.BigEndian.PutUint16(p[26:], ^internetChecksum(pseudo))
		return p
	}
	binary.BigEndian.PutUint16(p[26:], internetChecksum(append(pseudo, p[20:]...)))
	return p
}

// The same bytes come out, whether a sender computes checksums and cuts packets itself or leaves that to a device.
func TestOffloadsMakeNoDifference(t *testing.T) {
	g := newGateway(t)
	mustApply(t, g.node, insert(mobileRows()...))
	four := func(inner []byte) []byte {
		return append(unhex(t, fmt.Sprintf("60000000%04x043f fcbbbbbb0305c6336401000000000000 fcbbbbbb0104c00002012400000 3ea00", len(inner))), inner...)
	}
	six := func(inner []byte) []byte {
		return append(unhex(t, fmt.Sprintf("60000000%04x2b3f fcff0003000000000000000000000001 fcbbbbbb0100f610240000 03ea000000 0402040100000000 20010db8000b00000000000000000001", len(inner)+24)), inner...)
	}
	payload := bytes.Repeat([]byte("sextant "), 20)
	for _, tc := range []struct {
		name  string
		wrap  func([]byte) []byte
		outer int
	}{{"End.M.GTP4.E", four, 40}, {"End.M.GTP6.E", six, 64}} {
		t.Run(tc.name, func(t *testing.T) {
			tap := listen(t, g.far, "f1")
			mine := func(p packet) bool { return bytes.Contains(p.whole, []byte("sextant ")) }
			done := frame(mac(g.ns, "p2"), [6]byte{2, 9}, tc.wrap(udp4(t, payload, true)))
			left := frame(mac(g.ns, "p2"), [6]byte{2, 9}, tc.wrap(udp4(t, payload, false)))
			sendFrame(t, g.far, "f2", done)
			want := tap.first(t, "a whole packet", mine)
			offloaded(t, g.far, "f2", left, 14+tc.outer+20, 6, 0, 0, 0)
			eventually(t, "the other packet", func() bool { return len(tap.all(mine)) == 2 })
			if got := tap.all(mine)[1]; !bytes.Equal(got.whole, want.whole) {
				t.Errorf("with offload\n%x, without\n%x", got.whole, want.whole)
			}
			if inner := udp4(t, payload, true); !bytes.HasSuffix(want.whole, inner) {
				t.Errorf("inside is %x, want %x", want.whole, inner)
			}
		})
	}
}

// VIRTIO_NET_HDR_GSO_UDP_L4 of linux/virtio_net.h.
const cutUDP = 5

// A super-packet of a sender on the way to a UE, and one of GTP itself, are cut before they are anything else.
func TestSuperPacketsAreCutBeforeTheyAreTranslated(t *testing.T) {
	g := newGateway(t)
	mustApply(t, g.node, insert(mobileRows()...))
	const each, count = 1000, 3
	tap := listen(t, g.far, "f2")
	payload := bytes.Repeat([]byte("0123456789"), each*count/10)
	offloaded(t, g.far, "f2", ipv4Frame(mac(g.ns, "p2"), [6]byte{2, 9}, udp4(t, payload, false)), 34, 6, 42, each, cutUDP)
	inside := func(p packet) bool { return p.innerProto == unix.IPPROTO_IPIP && len(p.inner) > 1000 }
	eventually(t, "three packets to the UE", func() bool { return len(tap.all(inside)) == count })
	for i, p := range tap.all(inside) {
		want := udp4(t, payload[i*each:(i+1)*each], true)
		if p.size != 40+28+each || !bytes.Equal(p.inner[20:], want[20:]) {
			t.Errorf("packet %d has %d bytes, inside %x…, want %x…", i, p.size, p.inner[:40], want[:40])
		}
	}
	// GTP whose T-PDUs all have one length, as a gNB with UDP_SEGMENT sends it.
	one := uplink(t, 7)[28:]
	super := slices.Concat(uplink(t, 7)[:28], one, one, one)
	binary.BigEndian.PutUint16(super[2:], uint16(len(super)))
	binary.BigEndian.PutUint16(super[10:], 0)
	binary.BigEndian.PutUint16(super[10:], internetChecksum(super[:20]))
	binary.BigEndian.PutUint16(super[24:], uint16(len(super)-20))
	offloaded(t, g.far, "f1", ipv4Frame(mac(g.ns, "p1"), [6]byte{2, 9}, super), 34, 6, 42, len(one), cutUDP)
	session := func(p packet) bool { return p.dst == ad("fcbb:bbbb:305:c633:6401:2400:0:700") }
	eventually(t, "three packets of GTP", func() bool { return len(tap.all(session)) == count })
	for _, p := range tap.all(session) {
		if !bytes.Equal(p.inner, uplink(t, 7)[44:]) {
			t.Errorf("inside is %x", p.inner)
		}
	}
}

// A super-packet that another node has encapsulated is cut before it becomes GTP, whose Length is its own.
func TestEncapsulatedSuperPacketsAreCut(t *testing.T) {
	g := newGateway(t)
	mustApply(t, g.node, insert(mobileRows()...))
	before, state := newNamespace(t, "b"), stateDir(t)
	host := newNamespace(t, "h")
	wire(t, before, "p1", g.ns, "p3")
	wire(t, host, "eth0", before, "p2")
	if err := g.node.Close(); err != nil {
		t.Fatal(err)
	}
	g.node = openNode(t, g.ns, g.state, map[contract.PortID]string{1: "p1", 2: "p2", 3: "p3"})
	in(t, host, "ip addr add 198.18.0.7/24 dev eth0; ip neigh add 198.18.0.1 lladdr "+macText(before, "p2")+" dev eth0; ip route add default via 198.18.0.1")
	n := openNode(t, before, state, gatewayPorts())
	mustApply(t, n, insert(
		contract.NextHop{ID: 1, Port: 1, SrcMAC: mac(before, "p1"), DstMAC: mac(g.ns, "p3")}, via("fcbb:bbbb:104::/48", 1),
		list(1, "fcbb:bbbb:104:c000:201:2400:3:ea00"), contract.Steering{Dst: px("10.60.0.0/16"), SIDList: 1, Reduced: true}))
	mustApply(t, n, modify(contract.EncapSource{Source: ad("fcbb:bbbb:305:c633:6401::")}))
	tap := listen(t, g.far, "f1")
	const each, count = 1000, 5
	payload := bytes.Repeat([]byte("0123456789"), each*count/10)
	inside(t, host, func() error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		if err := unix.SetsockoptInt(fd, unix.IPPROTO_UDP, unix.UDP_SEGMENT, each); err != nil {
			return err
		}
		return unix.Sendto(fd, payload, 0, &unix.SockaddrInet4{Port: 5000, Addr: netip.MustParseAddr("10.60.0.1").As4()})
	})
	gtp := func(p packet) bool { return p.inner4Dst == ad("192.0.2.1") }
	eventually(t, "five packets of GTP", func() bool { return len(tap.all(gtp)) == count })
	for i, p := range tap.all(gtp) {
		length := binary.BigEndian.Uint16(p.whole[30:])
		if len(p.whole) != 44+28+each || int(length) != len(p.whole)-36 {
			t.Errorf("packet %d has %d bytes, GTP's length is %d", i, len(p.whole), length)
		}
		inner := p.whole[44:]
		pseudo := append(slices.Clone(inner[12:20]), 0, 17, inner[24], inner[25])
		if internetChecksum(append(pseudo, inner[20:]...)) != 0 {
			t.Errorf("packet %d: the checksum inside is wrong: %x", i, inner[:40])
		}
	}
}

// --- many sessions

func sessions(from, count int) []contract.Entry {
	rows := make([]contract.Entry, 0, 2*count)
	for k := from; k < from+count; k++ {
		rows = append(rows,
			contract.GTPTunnel{Dst: ad("198.51.100.1"), TEID: uint32(k + 1), Class: 7},
			contract.UE{
				Dst: netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(64 + k>>16), byte(k >> 8), byte(k)}), 32), SIDList: 1,
				Last: ad("fcbb:bbbb:104:c000:201:2412:3456:7800"), Source: ad("fcbb:bbbb:305:c633:6401::"),
			})
	}
	return rows
}

// 100,000 sessions, up and down, in batches of 1,000; another path for all of them is one row.
func TestManySessions(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: writes a row for each of many sessions, twice")
	}
	g := newGateway(t)
	mustApply(t, g.node, insert(mobileRows()...))
	const count, batch, last = manySessions, 1000, manySessions - 1
	start := time.Now()
	for k := 0; k < count; k += batch {
		mustApply(t, g.node, insert(sessions(k, batch)...))
	}
	t.Logf("%.0f sessions/s", count/time.Since(start).Seconds())
	// More than once: the journal is written anew now and then.
	var times []time.Duration
	for _, path := range []string{"701:305::", "702:305::", "703:305::", "704:305::", "700:305::"} {
		start = time.Now()
		mustApply(t, g.node, modify(list(1, "fcbb:bbbb:"+path)))
		times = append(times, time.Since(start))
	}
	t.Logf("another path in %v", times)
	tap := listen(t, g.far, "f2")
	sendFrame(t, g.far, "f1", ipv4Frame(mac(g.ns, "p1"), [6]byte{2, 9}, udp4To(t, [4]byte{10, 64 + last>>16, last >> 8 & 0xff, last & 0xff})))
	tap.first(t, "a packet of the last session on the new path", func(p packet) bool {
		return p.dst == ad("fcbb:bbbb:700:305::") && len(p.srh) == 1
	})
	start = time.Now()
	rows, err := g.node.Entries(context.Background(), contract.TableUEv4)
	if err != nil || len(rows) != count+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	t.Logf("read in %v", time.Since(start))
	sent := slices.IndexFunc(rows, func(r contract.Stored) bool { return r.Counters.Packets > 0 })
	start = time.Now()
	alone, err := g.node.Rows(context.Background(), []contract.Key{rows[sent].Entry.Key()})
	t.Logf("one of them read in %v", time.Since(start))
	if err != nil || !reflect.DeepEqual(alone, rows[sent:sent+1]) {
		t.Errorf("a session read alone is %v and %v, of all %v", alone, err, rows[sent])
	}
	counted := uint64(0)
	for _, r := range rows {
		counted += r.Counters.Packets
	}
	if counted != 1 {
		t.Errorf("the sessions count %d packets, want 1", counted)
	}
	start = time.Now()
	if err := g.node.Close(); err != nil {
		t.Fatal(err)
	}
	g.node = openNode(t, g.ns, g.state, gatewayPorts())
	t.Logf("adopted in %v", time.Since(start))
	start = time.Now()
	for k := 0; k < count; k += batch {
		mustApply(t, g.node, remove(sessions(k, batch)...))
	}
	t.Logf("removed in %v", time.Since(start))
}

func udp4To(t testing.TB, dst [4]byte) []byte {
	t.Helper()
	p := udp4(t, []byte("sextant!"), true)
	copy(p[16:], dst[:])
	p[10], p[11] = 0, 0
	binary.BigEndian.PutUint16(p[10:], internetChecksum(p[:20]))
	return p
}
