// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sextant/agent/internal/contract"
)

// everyRow is one row of every kind, in an order that has no dangling reference.
func everyRow(ns string) []contract.Entry {
	return []contract.Entry{
		hop(ns, 1, 1), hop(ns, 2, 2), hop(ns, 65279, 2),
		contract.SIDList{ID: 7, Members: []contract.SIDListMember{member(3, "fcbb:bbbb:200::", "fcbb:bbbb:300:f00d::"), member(1, "fcbb:bbbb:400::")}},
		list(8, "fcbb:bbbb:200::"),
		un("fcbb:bbbb:100::/48"),
		local("fcbb:bbbb:100:e001::/64", contract.Behavior{Action: contract.UA, BlockLength: 32, CSIDLength: 32, NextHop: 1}),
		local("fcbb:bbbb:100:f00d::/64", contract.Behavior{Action: contract.UDT6}),
		local("fcbb:bbbb:100:f004::/64", contract.Behavior{Action: contract.UDT4}),
		local("fcbb:bbbb:100:fe0e::/64", contract.Behavior{Action: contract.UDT6, VRF: 7}),
		local("fcf0:1::1/128", contract.Behavior{Action: contract.End}),
		local("fcf0:1::2/128", contract.Behavior{Action: contract.EndPSP}),
		local("fcf0:1::3/128", contract.Behavior{Action: contract.EndX, NextHop: 1}),
		local("fcf0:1::4/128", contract.Behavior{Action: contract.UDX6, NextHop: 2}),
		local("fcf0:1::5/128", contract.Behavior{Action: contract.UDX4, NextHop: 65279}),
		local("fcf0:1::6/128", contract.Behavior{Action: contract.B6EncapsRed, SIDList: 7}),
		contract.Steering{Dst: px("fd00:3::/64"), SIDList: 7, Reduced: true},
		contract.Steering{Dst: px("fd00:3::/64"), SIDList: 8, Reduced: true, VRF: 7},
		contract.Steering{Dst: px("10.3.0.0/24"), SIDList: 7},
		contract.Steering{Dst: px("0.0.0.0/0"), SIDList: 8, Reduced: true},
		via("fcbb:bbbb:200::/44", 1), via("fcbb:bbbb:300::/44", 1, 2), via("10.4.0.0/16", 1, 65279), via("::/0", 2),
		contract.Route{VRF: 7, Dst: px("fd00:9::/64"), Members: []contract.RouteMember{{Weight: 300, NextHop: 1}, {Weight: 100, NextHop: 2}}},
		via("fd00:3::/64", 1),
		contract.Standby{Dst: px("fcbb:bbbb:200::/44"), SIDList: 8},
		contract.Standby{VRF: 7, Dst: px("fd00:9::/64"), SIDList: 7},
		contract.FlowSteering{
			Priority: 30000, Src: px("fd00:1::/64"), Dst: px("fd00:3::/48"), IPProto: contract.Masked(17, 0xff),
			SrcPort: &contract.Range{Low: 5000, High: 5999}, DstPort: &contract.Range{Low: 443, High: 443}, DSCP: contract.Masked(46, 0x3f), SIDList: 7, Reduced: true,
		},
		contract.FlowSteering{Priority: 7, Src: px("10.1.0.0/24"), Dst: px("0.0.0.0/0"), SIDList: 8},
		contract.FlowSteering{Priority: 6, Src: px("::/0"), Dst: px("fd00:3::/48"), DSCP: contract.Masked(0, 0x3f), Drop: true},
		contract.Punt{Priority: 10, EtherType: contract.Masked(0x88cc, 0xffff)},
		list(9, "fcbb:bbbb:200:100:f00d::"),
		contract.Liveness{SIDList: 8, Probe: 9, Interval: 10 * time.Millisecond, Multiplier: 3, HoldDown: time.Second},
	}
}

func TestEveryRowIsWrittenReadBackAndDeletedAgain(t *testing.T) {
	n, ns := oneNode(t)
	rows := everyRow(ns)
	mustApply(t, n, insert(rows...))
	mustApply(t, n, modify(contract.EncapSource{Source: ad("fcff:1::1")}))

	want := append(rows, contract.EncapSource{Source: ad("fcff:1::1")})
	got, err := n.Entries(context.Background(), "")
	if err != nil {
		t.Fatalf("Entries: %v", err)
	}
	byKey := map[contract.Key]contract.Entry{}
	for _, s := range got {
		byKey[s.Entry.Key()] = s.Entry
	}
	for _, e := range want {
		if diff := cmp.Diff(e, byKey[e.Key()], cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})); diff != "" {
			t.Errorf("%s is read back as something else (-want +got):\n%s\nroutes:\n%s", e.Key(), diff, in(t, ns, "ip -6 route show table all proto 200"))
		}
	}
	if len(got) != len(want) {
		t.Errorf("Entries gives %d rows, want %d", len(got), len(want))
	}

	for i := len(rows) - 1; i >= 0; i-- {
		mustApply(t, n, remove(rows[i]))
	}
	if left := in(t, ns, "ip -6 route show table all proto 200; ip route show table all proto 200; ip -6 rule show | grep 200; ip rule show | grep 200; ip neigh show nud permanent | grep -v ^ff || true"); left != "" {
		t.Errorf("after deleting every row the kernel still has:\n%s", left)
	}
}
