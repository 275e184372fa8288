// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/cilium/ebpf"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
	"sextant/agent/internal/rows"
	"sextant/agent/internal/tcx/tcxtest"
)

// Return codes of sextant_mobile.
const (
	passed  = 0xffffffff // TCX_NEXT
	dropped = 2          // TC_ACT_SHOT
	sent    = 7          // TC_ACT_REDIRECT
)

// rowSet is rows without a node.
type rowSet struct{ *rows.Set[struct{}] }

func rowsOf(t testing.TB, entries ...contract.Entry) rows.Reader {
	t.Helper()
	set := rows.New[struct{}](nothing{}, rows.Options{StateDir: t.TempDir(), Where: "the test", Log: t.Logf})
	if _, err := set.Open("test"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = set.Close() })
	var batch []contract.Update
	for _, e := range entries {
		batch = append(batch, contract.Update{Op: contract.Insert, Entry: e})
	}
	if err := errors.Join(set.Apply(t.Context(), batch)...); err != nil {
		t.Fatal(err)
	}
	return rowSet{set}
}

// nothing is a data plane that holds nothing.
type nothing struct{}

func (nothing) Begin([]contract.Update) (map[contract.Key]bool, error) { return nil, nil }
func (nothing) Translate(contract.Entry) (struct{}, error)             { return struct{}{}, nil }
func (nothing) Shows(contract.Entry) bool                              { return false }
func (nothing) ShownIn(contract.Key) []contract.Key                    { return nil }
func (nothing) Put([]rows.Change[struct{}]) error                      { return nil }
func (nothing) Settle([]rows.Outcome)                                  {}

const loopback = 1 // the device of packets that the kernel's test runs make

// loaded is a program that is attached nowhere. The device of its packets is the far end: there all are whole.
func loaded(t testing.TB, entries ...contract.Entry) *programs {
	t.Helper()
	tcxtest.NeedRoot(t, "./internal/mobile")
	tcxtest.Alone(t)
	var objects bpfObjects
	tcxtest.Loaded(t, loadBpfObjects(&objects, nil))
	t.Cleanup(func() { _ = objects.Close() })
	p := &programs{objects: &objects, pair: pair.Pair{FarIndex: loopback, NearIndex: 77}}
	var err error
	if p.cpus, err = ebpf.PossibleCPU(); err != nil {
		t.Fatal(err)
	}
	p.now(t, entries...)
	return p
}

// now makes the maps match the rows.
func (p *programs) now(t testing.TB, entries ...contract.Entry) {
	t.Helper()
	held := newCensus()
	for _, e := range entries {
		if err := held.exchange(nil, e); err != nil {
			t.Fatal(err)
		}
	}
	around := pair.Around{Source: a("fcff:1::1"), StackIndex: 78}
	if err := errors.Join(p.compare(rowsOf(t, entries...)), p.setSettings(around, held)); err != nil {
		t.Fatal(err)
	}
}

func a(text string) netip.Addr   { return netip.MustParseAddr(text) }
func p(text string) netip.Prefix { return netip.MustParsePrefix(text) }

func packet(t testing.TB, parts ...string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(strings.ReplaceAll(strings.Join(parts, ""), " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// run gives the program's answer and the packet as it leaves it, without its link header.
func run(t testing.TB, p *programs, ip []byte) (uint32, []byte) {
	t.Helper()
	return tcxtest.Run(t, p.objects.SextantMobile, ip)
}

// drops returns the drops, by reason.
func (p *programs) drops(t testing.TB) map[string]uint64 {
	t.Helper()
	list, err := dropReasons().In(p.objects.Drops)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]uint64{}
	for _, d := range list {
		if d.Packets > 0 {
			out[d.Reason] = d.Packets
		}
	}
	return out
}

func mapped(four string, bits int) *contract.Ternary {
	return &contract.Ternary{Value: a(four).As16(), Mask: contract.PrefixMask(96+bits, 128)}
}

func exactly(six string) *contract.Ternary {
	return &contract.Ternary{Value: contract.AddressBits(a(six)), Mask: contract.PrefixMask(128, 128)}
}

func list(id contract.SIDListID, segments ...string) contract.SIDList {
	member := contract.SIDListMember{Weight: 1}
	for _, s := range segments {
		member.Segments = append(member.Segments, a(s))
	}
	return contract.SIDList{ID: id, Members: []contract.SIDListMember{member}}
}

func gtp4E(sid string, pduType, container uint8) contract.MySID {
	return contract.MySID{SID: p(sid), Behavior: contract.Behavior{Action: contract.GTP4E, GTP: contract.GTPEncap{
		At: 48, SourceAt: 48, PDUType: pduType, Container: container, UDPSource: 2152,
	}}}
}

// The golden bytes: F3216, block fcbb:bbbb::/32; gNB 192.0.2.1 and UPF 198.51.100.1, or 2001:db8:b::1; TEID 0x12345678, QFI 9.
const (
	tPDU      = "45000024000100004011aa720a3c0001c6120007 1234000700100000 73657874616e7421"
	gtpUplink = "34ff002c12345678 00000085 01100900"
	in4       = "45b800500000400040114dafc0000201c6336401 08680868003c0000" + gtpUplink + tPDU
	srv6From4 = "6b800000002404 40 fcbbbbbb0104c0000201000000000000 fcbbbbbb0305c6336401241234567800" + tPDU
)

// unlabelled has no flow label, which is a hash.
func unlabelled(ip []byte) []byte {
	out := bytes.Clone(ip)
	if out[0]>>4 == 6 {
		out[1], out[2], out[3] = out[1]&0xf0, 0, 0
	}
	return out
}

func wantPacket(t testing.TB, p *programs, answer uint32, got, want []byte) {
	t.Helper()
	if answer != sent || !bytes.Equal(unlabelled(got), want) {
		t.Errorf("answer %#x, packet\n%x, want\n%x, dropped %v", answer, unlabelled(got), want, p.drops(t))
	}
}

func fromGNB(action contract.GTPRule) contract.GTPRule {
	action.Priority, action.Action = 10, contract.GTPTranslate
	return action
}

// RFC 9433, 6.7 and 6.6: the output of the second is the input of the first. The hop limit is the kernel's to lower
// here.
func TestGTPOverIPv4ThereAndBack(t *testing.T) {
	uplink := fromGNB(contract.GTPRule{Dst: mapped("198.51.100.1", 32), SIDList: 1, AddressAt: 48, ArgsAt: 80, Source: a("fcbb:bbbb:104::"), SourceAt: 48})
	g := loaded(t, list(1, "fcbb:bbbb:305::"), uplink)
	answer, out := run(t, g, packet(t, in4))
	wantPacket(t, g, answer, out, packet(t, srv6From4))
	if label := binary.BigEndian.Uint32(out) & 0xfffff; label == 0 {
		t.Error("the flow label is 0")
	}
	e := loaded(t, gtp4E("fcbb:bbbb:305::/48", 1, 1))
	answer, out = run(t, e, packet(t, srv6From4))
	wantPacket(t, e, answer, out, packet(t, in4))
}

// RFC 9433, 6.3, into one container that ends in Args.Mob.Session.
func TestGTPOverIPv6EndsInAContainer(t *testing.T) {
	rule := fromGNB(contract.GTPRule{Dst: exactly("fcbb:bbbb:100:f601::"), SIDList: 1, ArgsAt: 80})
	g := loaded(t, list(1, "fcbb:bbbb:200:300:f004::"), rule, contract.MySID{SID: p("fcbb:bbbb:100:f601::/64"), Behavior: contract.Behavior{Action: contract.GTP6D}})
	in := packet(t, "60000000003c1140 20010db8000b00000000000000000001 fcbbbbbb0100f6010000000000000000 08680868003c9546", gtpUplink, tPDU)
	answer, out := run(t, g, in)
	wantPacket(t, g, answer, out, packet(t, "6000000000240440 fcff0001000000000000000000000001 fcbbbbbb02000300f004241234567800", tPDU))
}

// RFC 9433, 6.5: the endpoint behind, the checksum over all of it.
func TestAnEndOverIPv6(t *testing.T) {
	e := loaded(t, contract.MySID{SID: p("fcbb:bbbb:100:f610::/64"), Behavior: contract.Behavior{
		Action: contract.GTP6E, GTP: contract.GTPEncap{At: 64, Source: a("fcbb:bbbb:100:f601::"), Container: 1, UDPSource: 2152},
	}})
	in := packet(t, "60000000003c2b40 fcff0003000000000000000000000001 fcbbbbbb0100f610260000 03ea000000 0402040100000000 20010db8000b00000000000000000001", tPDU)
	answer, out := run(t, e, in)
	wantPacket(t, e, answer, out, packet(t, "60000000003c1140 fcbbbbbb0100f6010000000000000000 20010db8000b00000000000000000001 08680868003cba18 34ff002c000003ea 00000085 01004900", tPDU))
}

// RFC 8200, 8.1: a checksum that comes to 0 is sent as 0xffff, as 0 is none.
func TestAChecksumOfZeroIsTheOtherZero(t *testing.T) {
	e := loaded(t, contract.MySID{SID: p("fcbb:bbbb:100:f610::/64"), Behavior: contract.Behavior{
		Action: contract.GTP6E, GTP: contract.GTPEncap{At: 64, Source: a("fcbb:bbbb:100:f601::"), Container: 1, UDPSource: 2152},
	}})
	const checksumAt, ipv6Bytes = 6, 40
	sum := func(lastWord []byte) uint16 {
		in := packet(t, "60000000003c2b40 fcff0003000000000000000000000001 fcbbbbbb0100f610260000 03ea000000 0402040100000000 20010db8000b00000000000000000001", tPDU)
		copy(in[len(in)-2:], lastWord)
		answer, out := run(t, e, in)
		if answer != sent {
			t.Fatalf("answer %#x, dropped %v", answer, e.drops(t))
		}
		return binary.BigEndian.Uint16(out[ipv6Bytes+checksumAt:])
	}
	missing := binary.BigEndian.AppendUint16(nil, sum([]byte{0, 0}))
	if got := sum(missing); got != 0xffff {
		t.Errorf("the checksum is %#04x, want 0xffff", got)
	}
}

// A session's packet, into the container that ends in its arguments, with the endpoint behind.
func TestASessionIsSentToItsEndpoint(t *testing.T) {
	ue := contract.UE{Dst: p("198.18.0.7/32"), SIDList: 1, ArgsAt: 80, Args: 0x26000003ea, Last: a("2001:db8:b::1")}
	g := loaded(t, list(1, "fcbb:bbbb:200:100:f610::"), ue)
	lower := strings.Replace(tPDU, "4011aa72", "3f11ab72", 1)
	answer, out := run(t, g, packet(t, tPDU))
	wantPacket(t, g, answer, out, packet(t, "60000000003c2b40 fcff0001000000000000000000000001 fcbbbbbb02000100f610260000 03ea00 0402040100000000 20010db8000b00000000000000000001", lower))
}

// RFC 9433, 6.4: the gNB sends to the UPF's own address.
func TestADropInKeepsTheDestination(t *testing.T) {
	rule := fromGNB(contract.GTPRule{Dst: exactly("2001:db8:f::1"), SIDList: 1, ArgsAt: 80, KeepDestination: true})
	g := loaded(t, list(1, "fcbb:bbbb:200:300:f611::"), rule, contract.MySID{SID: p("2001:db8:f::1/128"), Behavior: contract.Behavior{Action: contract.GTP6D}})
	in := packet(t, "60000000003c1140 20010db8000b00000000000000000001 20010db8000f00000000000000000001 08680868003c0000", gtpUplink, tPDU)
	answer, out := run(t, g, in)
	wantPacket(t, g, answer, out, packet(t, "60000000003c2b40 fcff0001000000000000000000000001 fcbbbbbb02000300f611241234567800 0402040100000000 20010db8000f00000000000000000001", tPDU))
}

// The f00d corner: a list of two, of which the second is a SID of GTP4.E alone.
func TestAListOfTwoHasTheSessionInItsLastSID(t *testing.T) {
	rule := fromGNB(contract.GTPRule{SIDList: 1, AddressAt: 48, ArgsAt: 80, Source: a("fcbb:bbbb:104::"), SourceAt: 48})
	g := loaded(t, list(1, "fcbb:bbbb:200:700:600:500:400:0", "fcbb:bbbb:305::"), rule)
	answer, out := run(t, g, packet(t, in4))
	wantPacket(t, g, answer, out, packet(t, "6b800000003c2b40 fcbbbbbb0104c0000201000000000000 fcbbbbbb020007000600050004000000 0402040100000000 fcbbbbbb0305c6336401241234567800", tPDU))
}

// The inner packet decides which list a tunnel's packets travel; untranslatable packets have no inner one.
func TestARuleLooksInside(t *testing.T) {
	inner6 := "6000000000083b09 20010db8006000000000000000000001 20010db8000200000000000000000009 73657874616e7421"
	six := "45b800500000400040114dafc0000201c6336401 08680868003c0000 34ff003c12345678 00000085 01100900" + inner6
	v4 := contract.Ternary{Value: a("0.0.0.0").As16(), Mask: contract.PrefixMask(96, 128)}
	to := func(priority int32, list contract.SIDListID, src, dst *contract.Ternary) contract.GTPRule {
		return contract.GTPRule{Priority: priority, Action: contract.GTPTranslate, SIDList: list, ArgsAt: 80, InnerSrc: src, InnerDst: dst}
	}
	g := loaded(t, list(1, "fcbb:bbbb:301::"), list(2, "fcbb:bbbb:302::"), list(3, "fcbb:bbbb:303::"), list(4, "fcbb:bbbb:304::"),
		to(1, 1, nil, nil), to(2, 2, &v4, nil), to(3, 3, nil, exactly("2001:db8:2::9")),
		contract.GTPRule{Priority: 4, Action: contract.GTPCarry, SIDList: 4, InnerSrc: mapped("10.60.0.0", 16), InnerDst: mapped("198.18.0.8", 32)},
	)
	ipOf := func(text string) []byte {
		ip := packet(t, text)
		binary.BigEndian.PutUint16(ip[2:], uint16(len(ip)))
		binary.BigEndian.PutUint16(ip[24:], uint16(len(ip)-20))
		binary.BigEndian.PutUint16(ip[30:], uint16(len(ip)-36))
		return ip
	}
	other := ipOf(in4)
	other[44+19] = 8 // the destination inside, whose header checksum is not checked
	broken := ipOf(in4)
	broken[44] = 0x55
	for _, tc := range []struct {
		name string
		ip   []byte
		list byte
	}{{"IPv6 inside", ipOf(six), 3}, {"IPv4 inside", ipOf(in4), 2}, {"a prefix", other, 4}} {
		if answer, out := run(t, g, tc.ip); answer != sent || out[24+5] != tc.list {
			t.Errorf("%s: answer %#x, to %x, want list %d; dropped %v", tc.name, answer, out[24:40], tc.list, g.drops(t))
		}
	}
	if answer, out := run(t, g, broken); answer == dropped || !bytes.Equal(out[:len(broken)], broken) {
		t.Errorf("what is broken inside: answer %#x, %x", answer, out)
	}
}
