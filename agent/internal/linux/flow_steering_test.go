// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
)

// Where test flows lead: the policy that they are steered into, the one that their destination is steered into, and the
// underlay.
const (
	byFlow   = "fcbb:bbbb:200:f00d::"
	byPrefix = "fcbb:bbbb:300:f00d::"
)

// a sent packet, and where it comes out.
type sentFlow struct {
	src, dst string
	tcp      bool
	sport    uint16
	dport    uint16
	dscp     byte
}

func (f sentFlow) bytes() []byte {
	six := ad(f.dst).Is6()
	var p []byte
	if six {
		p = probe6(f.src, f.dst)
	} else {
		p = probe4(f.src, f.dst)
	}
	proto := byte(unix.IPPROTO_UDP)
	if f.tcp {
		proto = unix.IPPROTO_TCP
	}
	if six {
		p[6] = proto
		p[0], p[1] = 0x60|f.dscp>>2, p[1]&0xf|f.dscp<<6
	} else {
		p[9], p[1] = proto, f.dscp<<2
		p[10], p[11] = 0, 0
		binary.BigEndian.PutUint16(p[10:], checksum(p[:20]))
	}
	head := 20
	if six {
		head = 40
	}
	binary.BigEndian.PutUint16(p[head:], f.sport)
	binary.BigEndian.PutUint16(p[head+2:], f.dport)
	if f.tcp { // a header of 20 bytes, so that the kernel finds its ports
		p = append(p, make([]byte, 20)...)
		p[head+12] = 5 << 4
		if six {
			binary.BigEndian.PutUint16(p[4:], uint16(len(p)-40))
		} else {
			binary.BigEndian.PutUint16(p[2:], uint16(len(p)))
			p[10], p[11] = 0, 0
			binary.BigEndian.PutUint16(p[10:], checksum(p[:20]))
		}
	}
	return p
}

func checksum(b []byte) uint16 {
	sum := uint32(0)
	for i := 0; i < len(b); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(b[i:]))
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}

// takes says where one packet of a flow comes out: the destination that it has then, or "nothing" where a later packet
// comes out first.
func (b *bench) takes(t *testing.T, f sentFlow) string {
	t.Helper()
	before := len(b.out.all(func(packet) bool { return true }))
	sendFrame(t, b.far, "f1", frame(mac(b.ns, "p1"), mac(b.far, "f1"), f.bytes()))
	probed++
	marker := fmt.Sprintf("fd00:ffff::%x", probed)
	sendFrame(t, b.far, "f1", frame(mac(b.ns, "p1"), mac(b.far, "f1"), probe6("fd00:1::2", marker)))
	var got []string
	eventually(t, "the marker comes out", func() bool {
		got = nil
		for _, p := range b.out.all(func(packet) bool { return true })[before:] {
			dst := p.dst
			if !dst.Is6() {
				dst = p.inner4Dst
			}
			if dst == ad(marker) {
				return true
			}
			if dst.IsValid() && !dst.IsMulticast() {
				got = append(got, dst.String())
			}
		}
		return false
	})
	if len(got) == 0 {
		return "nothing"
	}
	return strings.Join(got, ", ")
}

func newFlowBench(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	mustApply(t, b.n, insert(via("fcbb:bbbb::/32", 2), via("fd00:3::/48", 2), via("fd00:ffff::/64", 2), via("10.3.0.0/16", 2),
		list(7, byFlow), list(8, byPrefix)))
	return b
}

func TestFlowsOnTheWire(t *testing.T) {
	video := sentFlow{src: "fd00:1::2", dst: "fd00:3::2", sport: 5004, dport: 443, dscp: 46}
	video4 := video
	video4.src, video4.dst = "10.1.0.2", "10.3.0.2"
	flow := contract.FlowSteering{
		Priority: 300, Src: px("fd00:1::/64"), Dst: px("fd00:3::/48"), IPProto: contract.Masked(17, 0xff),
		SrcPort: &contract.Range{Low: 5000, High: 5999}, DstPort: &contract.Range{Low: 443, High: 443}, DSCP: contract.Masked(46, 0x3f),
		SIDList: 7, Reduced: true,
	}
	flow4 := flow
	flow4.Src, flow4.Dst = px("10.1.0.0/24"), px("10.3.0.0/16")
	b := newFlowBench(t)
	mustApply(t, b.n, insert(flow, flow4))
	for _, tt := range []struct {
		name   string
		change func(*sentFlow)
		taken  bool
	}{
		{"the flow", func(*sentFlow) {}, true},
		{"the lowest port", func(f *sentFlow) { f.sport = 5000 }, true},
		{"the highest port", func(f *sentFlow) { f.sport = 5999 }, true},
		{"a port below", func(f *sentFlow) { f.sport = 4999 }, false},
		{"a port above", func(f *sentFlow) { f.sport = 6000 }, false},
		{"another destination port", func(f *sentFlow) { f.dport = 80 }, false},
		{"another DSCP", func(f *sentFlow) { f.dscp = 44 }, false},
		{"no DSCP", func(f *sentFlow) { f.dscp = 0 }, false},
		{"another protocol", func(f *sentFlow) { f.tcp = true }, false},
		{"another source", func(f *sentFlow) {
			f.src = strings.NewReplacer("fd00:1::2", "fd00:2::2", "10.1.0.2", "10.2.0.2").Replace(f.src)
		}, false},
	} {
		for _, sent := range []sentFlow{video, video4} {
			t.Run(tt.name+" to "+sent.dst, func(t *testing.T) {
				tt.change(&sent)
				want := sent.dst
				if tt.taken {
					want = byFlow
				}
				if got := b.takes(t, sent); got != want {
					t.Errorf("%+v comes out to %s, want %s\n%s", sent, got, want, in(t, b.ns, "ip -6 rule; ip -4 rule"))
				}
			})
		}
	}
}

func TestFlowsGoBeforePrefixesAndByPriority(t *testing.T) {
	b := newFlowBench(t)
	tcp := sentFlow{src: "fd00:1::2", dst: "fd00:3::2", tcp: true, sport: 5004, dport: 443}
	steps := []struct {
		name    string
		updates []contract.Update
		want    string
	}{
		{"the underlay", nil, tcp.dst},
		{"steering by the destination", insert(contract.Steering{Dst: px("fd00:3::/64"), SIDList: 8, Reduced: true}), byPrefix},
		{"a flow", insert(contract.FlowSteering{Priority: 5, Src: px("::/0"), Dst: px("fd00:3::/32"), IPProto: contract.Masked(6, 0xff), SIDList: 7, Reduced: true}), byFlow},
		{"a flow of higher priority that drops", insert(contract.FlowSteering{Priority: 6, Src: px("::/0"), Dst: px("fd00:3::/32"), Drop: true}), "nothing"},
		{"the same into a policy", modify(contract.FlowSteering{Priority: 6, Src: px("::/0"), Dst: px("fd00:3::/32"), SIDList: 8, Reduced: true}), byPrefix},
		{"it is gone", remove(contract.FlowSteering{Priority: 6, Src: px("::/0"), Dst: px("fd00:3::/32")}), byFlow},
		{"both are gone", remove(contract.FlowSteering{Priority: 5, Src: px("::/0"), Dst: px("fd00:3::/32"), IPProto: contract.Masked(6, 0xff)}), byPrefix},
	}
	for _, step := range steps {
		mustApply(t, b.n, step.updates)
		if got := b.takes(t, tcp); got != step.want {
			t.Fatalf("%s: comes out to %s, want %s", step.name, got, step.want)
		}
	}
	if left := in(t, b.ns, "ip -6 rule | grep -v 'lookup local\\|lookup main' || true; ip -6 route show table all proto 200 | grep 'table 15' || true"); left != "" {
		t.Errorf("left behind:\n%s", left)
	}
}

// SIDs of this node and of others go before flows: no flow holds them, whatever else it asks.
func TestPacketsInAPolicyAreNoFlow(t *testing.T) {
	b := newFlowBench(t)
	mustApply(t, b.n, insert(un("fcbb:bbbb:100::/48"),
		contract.FlowSteering{Priority: 1, Src: px("::/0"), Dst: px("fd00::/16"), SIDList: 7, Reduced: true}))
	inner := sentFlow{src: "fd00:1::2", dst: "fd00:3::2", sport: 1, dport: 2}.bytes()
	outer := encapsulated("fcbb:bbbb:100:300:f00d::", 0, nil, unix.IPPROTO_IPV6, inner)
	got := b.through(t, "the packet in the policy", outer, func(p packet) bool { return p.dst == ad(byPrefix) })
	if !strings.HasSuffix(string(got.whole), string(inner)) {
		t.Error("it was encapsulated once more")
	}
}

func TestFlowsAreKeptAndAdopted(t *testing.T) {
	ns, dir := twoPorts(t), t.TempDir()
	ports := map[contract.PortID]string{1: "p1", 2: "p2"}
	n := openNode(t, ns, dir, ports)
	flows := []contract.Entry{
		contract.FlowSteering{Priority: 30300, Src: px("::/0"), Dst: px("fd00:3::/64"), DSCP: contract.Masked(0, 0x3f), SIDList: 7, Reduced: true},
		contract.FlowSteering{Priority: 1, Src: px("10.0.0.0/8"), Dst: px("0.0.0.0/0"), Drop: true},
	}
	mustApply(t, n, insert(list(7, byFlow)))
	mustApply(t, n, insert(flows...))
	state := func() string {
		return in(t, ns, "ip -6 rule; ip -4 rule; ip -6 route show table 1585381377 || true; ip -4 route show table 1585381378 || true")
	}
	before := state()
	if strings.Count(before, "\ndefault ")+strings.Count(before, "\nblackhole default ") != 2 {
		t.Fatalf("state: %s", before)
	}
	in(t, ns, "ip -6 rule del pref 1700; ip -4 rule del pref 31999; ip -6 route flush table 1585381377")
	eventually(t, "rules and route are back", func() bool { return state() == before })
	want := stored(t, n, "")
	if len(want) != 3 {
		t.Errorf("rows: %v", want)
	}
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	in(t, ns, "ip -6 rule add pref 5000 from fd00:9::/64 lookup 1585381999 proto 200") // a leftover
	again := openNode(t, ns, dir, ports)
	if got := stored(t, again, ""); !slices.Equal(got, want) {
		t.Errorf("rows after a restart: %v, want %v", got, want)
	}
	if after := state(); after != before {
		t.Errorf("the restart changed rules:\n%s\n%s", before, after)
	}
	if err := again.Uninstall(context.Background()); err != nil {
		t.Fatal(err)
	}
	if left := in(t, ns, "ip -6 rule; ip -4 rule"); strings.Contains(left, "proto 200") || strings.Contains(left, "1585381") {
		t.Errorf("left behind:\n%s", left)
	}
}

func TestAGoneRuleIsNoRow(t *testing.T) {
	n, ns := unattended(t)
	flow := contract.FlowSteering{Priority: 9, Src: px("::/0"), Dst: px("fd00:3::/64"), Drop: true}
	mustApply(t, n, insert(flow))
	in(t, ns, "ip -6 rule del pref 31991")
	if got := stored(t, n, ""); len(got) != 0 {
		t.Errorf("rows: %v, want none", got)
	}
	mustApply(t, n, insert(flow)) // once more repairs it
	if got := stored(t, n, ""); len(got) != 1 {
		t.Errorf("rows: %v, want one", got)
	}
}

func TestFlowsThatRulesCannotSay(t *testing.T) {
	n, _ := oneNode(t)
	mustApply(t, n, insert(list(7, byFlow)))
	flow := func(change func(*contract.FlowSteering)) contract.FlowSteering {
		e := contract.FlowSteering{Priority: 1, Src: px("::/0"), Dst: px("fd00:3::/64"), SIDList: 7, Reduced: true}
		change(&e)
		return e
	}
	for _, tt := range []struct {
		change func(*contract.FlowSteering)
		code   contract.Code
		want   string
	}{
		{func(e *contract.FlowSteering) { e.VRF = 7 }, contract.Unimplemented, "VRF"},
		{func(e *contract.FlowSteering) { e.Priority = 30301 }, contract.InvalidArgument, "priority is 1 to 30300"},
		{func(e *contract.FlowSteering) { e.IPProto = contract.Masked(16, 0xf0) }, contract.Unimplemented, "mask"},
		{func(e *contract.FlowSteering) { e.DSCP = contract.Masked(8, 0x38) }, contract.Unimplemented, "mask"},
		{func(e *contract.FlowSteering) {
			e.IPProto, e.DstPort = contract.Masked(6, 0xff), &contract.Range{Low: 1024, High: 65535}
		}, contract.Unimplemented, "65535"},
		{func(e *contract.FlowSteering) { e.SIDList = 99 }, contract.FailedPrecondition, "sid_list"},
	} {
		wantCode(t, n, insert(flow(tt.change))[0], tt.code, tt.want)
	}
	if got := stored(t, n, contract.TableFlowSteeringV6); len(got) != 0 {
		t.Errorf("rows: %v, want none", got)
	}
}

func TestANodeHasRoomForSoManyFlows(t *testing.T) {
	n, ns := unattended(t)
	var flows []contract.Entry
	for i := range 256 {
		flows = append(flows, contract.FlowSteering{Priority: int32(i + 1), Src: px("::/0"), Dst: px("fd00:3::/64"), Drop: true})
	}
	mustApply(t, n, insert(flows...))
	wantCode(t, n, insert(contract.FlowSteering{Priority: 257, Src: px("::/0"), Dst: px("fd00:3::/64"), Drop: true})[0], contract.ResourceExhausted, "256 steered flows")
	mustApply(t, n, insert(contract.FlowSteering{Priority: 257, Src: px("0.0.0.0/0"), Dst: px("10.3.0.0/24"), Drop: true}))
	mustApply(t, n, remove(flows[0]))
	mustApply(t, n, insert(contract.FlowSteering{Priority: 257, Src: px("::/0"), Dst: px("fd00:3::/64"), Drop: true}))
	if got := strings.Count(in(t, ns, "ip -6 rule"), "proto 200"); got != 256 {
		t.Errorf("%d rules, want 256", got)
	}
}
