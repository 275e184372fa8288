// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/sample"
	"sextant/agent/internal/edge"
	"sextant/agent/internal/linux/rtnl"
	"sextant/agent/internal/livelive"
	"sextant/agent/internal/mobile"
	"sextant/agent/internal/pair"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/sera"
	"sextant/agent/internal/synthetic"
)

// paper is a node without a kernel: ports 1 (up), 2 (up), 3 (down) and 4 (gone), next hops 1 to 4 on
// them, and three segment lists.
func paper() view {
	port := func(p contract.PortID) [6]byte { return [6]byte{2, 0, 0, 0, 1, byte(p)} }
	lists := map[contract.SIDListID]contract.SIDList{
		7: {ID: 7, Members: []contract.SIDListMember{member(30, "fcbb::1", "fcbb::2"), member(10, "fcbb::3")}},
		8: list(8, "fcbb::4"),
		9: {ID: 9, Members: []contract.SIDListMember{member(1, "fcbb::5"), member(2, "fcbb::5")}},
	}
	return view{
		sidDev: 100, steeringDev: 101,
		port: func(id contract.PortID) (portState, bool) {
			p, ok := map[contract.PortID]portState{
				1: {Index: 11, Up: true, MAC: port(1)}, 2: {Index: 12, Up: true, MAC: port(2)}, 3: {Index: 13, MAC: port(3)}, 4: {},
			}[id]
			return p, ok
		},
		nextHop: func(id contract.NextHopID) (contract.NextHop, bool) {
			return contract.NextHop{ID: id, Port: contract.PortID(id), SrcMAC: port(contract.PortID(id)), DstMAC: [6]byte{2, 0, 0, 0, 2, byte(id)}}, id <= 4
		},
		inUse:        func(id contract.SIDListID) contract.SIDListID { return id },
		elsewhere:    func(e contract.Entry) bool { return (&Node{planes: planesOfAll()}).servedBy(e) != nil },
		sidList:      func(id contract.SIDListID) (contract.SIDList, bool) { l, ok := lists[id]; return l, ok },
		privateTable: func(netip.Prefix) uint32 { return privateTableBase + 1 },
		flowTable:    func(rtnl.Rule) uint32 { return flowTableBase + 1 },
		vrfDevice:    func(vrf contract.VRF) (bool, error) { return vrf == 7, nil },

		firewallDevice: func() (int, error) { return 102, nil },
	}
}

// The kernel objects of each entry. Device 100 is the SIDs', 101 steering's, 11 and 12 are ports 1 and 2;
// seg6 mode 1 is encap, 3 encap.red; seg6local actions as in linux/seg6_local.h; flavor 2 is PSP,
// 0x10 NEXT-C-SID.
func TestWhatEachEntryBecomes(t *testing.T) {
	v := paper()
	sid := func(action contract.Action, b contract.Behavior) contract.MySID {
		b.Action = action
		return local("fcbb:bbbb:100::/48", b)
	}
	seg6local := func(rest string) []string {
		return []string{"fcbb:bbbb:100::/48 table 254 metric 1 proto 200 scope 0 type 1 [seg6local " + rest + " counted dev 100 weight 1]"}
	}
	hop1, _ := v.nextHop(1)
	hop3, _ := v.nextHop(3)
	hop4, _ := v.nextHop(4)
	for _, tt := range []struct {
		name  string
		entry contract.Entry
		want  []string
	}{
		{"un", un("fcbb:bbbb:100::/48"), seg6local("action 1 flavors 0x10 block 32 function 16")},
		{"ua", sid(contract.UA, contract.Behavior{BlockLength: 32, CSIDLength: 16, NextHop: 1}), seg6local("action 2 via fd5e:7e00::1 flavors 0x10 block 32 function 16")},
		{"end", sid(contract.End, contract.Behavior{}), seg6local("action 1")},
		{"end_psp", sid(contract.EndPSP, contract.Behavior{}), seg6local("action 1 flavors 0x2 block 0 function 0")},
		{"end_x", sid(contract.EndX, contract.Behavior{NextHop: 2}), seg6local("action 2 via fd5e:7e00::2")},
		{"sera", firewallSID(7), []string{"fcbb:bbbb:200:f230::/60 table 254 metric 1 proto 200 scope 0 type 1 [via fe80::1 dev 102 weight 1]"}},
		{"a SID does not wait for its port", sid(contract.EndX, contract.Behavior{NextHop: 3}), seg6local("action 2 via fd5e:7e00::3")},
		{"udt6", sid(contract.UDT6, contract.Behavior{}), seg6local("action 7 table 254")},
		{"udt6 in a VRF", sid(contract.UDT6, contract.Behavior{VRF: 9}), seg6local("action 7 table 9")},
		{"udt4", sid(contract.UDT4, contract.Behavior{}), seg6local("action 6 via 0.0.0.0")},
		{"udt4 in a VRF with a device", sid(contract.UDT4, contract.Behavior{VRF: 7}), seg6local("action 8 vrftable 7")},
		{"udx6", sid(contract.UDX6, contract.Behavior{NextHop: 1}), seg6local("action 5 via fd5e:7e00::1")},
		{"udx4", sid(contract.UDX4, contract.Behavior{NextHop: 1}), seg6local("action 6 via 169.254.0.1")},
		{"b6_encaps_red", sid(contract.B6EncapsRed, contract.Behavior{SIDList: 8}), append([]string{
			"::/0 table 1585315841 metric 2 proto 200 scope 0 type 1 [seg6 mode 3 segs fcbb::4 via fe80::1 dev 101 weight 1]",
		},
			seg6local("action 3 table 1585315841")...)},
		{
			"steering",
			contract.Steering{Dst: px("fd00::/64"), SIDList: 8, Reduced: true},
			[]string{"fd00::/64 table 254 metric 2 proto 200 scope 0 type 1 [seg6 mode 3 segs fcbb::4 via fe80::1 dev 101 weight 1]"},
		},
		{
			"steering by H.Encaps, weighted",
			contract.Steering{VRF: 9, Dst: px("10.0.0.0/8"), SIDList: 7},
			[]string{"10.0.0.0/8 table 9 metric 2 proto 200 scope 0 type 1 [seg6 mode 1 segs fcbb::1,fcbb::2 dev 101 weight 3; seg6 mode 1 segs fcbb::3 dev 101 weight 1]"},
		},
		{
			"equal members are one",
			contract.Steering{Dst: px("fd00::/64"), SIDList: 9, Reduced: true},
			[]string{"fd00::/64 table 254 metric 2 proto 200 scope 0 type 1 [seg6 mode 3 segs fcbb::5 via fe80::1 dev 101 weight 1]"},
		},
		{"route", via("fd00::/64", 1), []string{"fd00::/64 table 254 metric 3 proto 200 scope 0 type 1 [via fd5e:7e00::1 dev 11 onlink weight 1]"}},
		{"ECMP", via("10.0.0.0/8", 1, 2), []string{"10.0.0.0/8 table 254 metric 3 proto 200 scope 0 type 1 [via 169.254.0.1 dev 11 onlink weight 1; via 169.254.0.2 dev 12 onlink weight 1]"}},
		{"ECMP leaves out ports that are down or gone", via("fd00::/64", 3, 1, 4), []string{"fd00::/64 table 254 metric 3 proto 200 scope 0 type 1 [via fd5e:7e00::1 dev 11 onlink weight 1]"}},
		{"a route waits for its port", via("fd00::/64", 3), nil},
		{"next hop", hop1, []string{
			"{Dev:11 Addr:fd5e:7e00::1 MAC:[2 0 0 0 2 1] Protocol:200 Permanent:true}", "{Dev:11 Addr:169.254.0.1 MAC:[2 0 0 0 2 1] Protocol:200 Permanent:true}",
			"fd5e:7e00::1/128 table 254 metric 1 proto 200 scope 0 type 1 [dev 11 weight 1]",
			"169.254.0.1/32 table 254 metric 1 proto 200 scope 0 type 1 [via 169.254.0.1 dev 11 onlink weight 1]",
		}},
		{"a next hop waits for its port", hop3, nil},
		{"a next hop waits for its interface", hop4, nil},
		{"a list is nothing by itself", list(7, "fcbb::1"), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := v.translate(tt.entry)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.lines()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestSyntheticAddressesAreDistinctAndEndInTheID(t *testing.T) {
	seen := map[string]contract.NextHopID{}
	for id := contract.NextHopID(1); id <= contract.MaxNextHop; id++ {
		for _, a := range []string{synthetic.V6(id).String(), synthetic.V4(id).String()} {
			if other, twice := seen[a]; twice {
				t.Fatalf("next hops %d and %d share %s", other, id, a)
			}
			seen[a] = id
		}
	}
	if a := synthetic.V4(65279); a != ad("169.254.254.255") {
		t.Errorf("next hop 65279 is %s", a)
	}
}

func TestTheKernelsDropsBecomeAnErrorOfTheRow(t *testing.T) {
	n, _ := oneNode(t)
	// PSP beside NEXT-C-SID is taken and ignored by 6.18; no entry asks for it, so the object is made up.
	key := un("fcbb:bbbb:100::/48").Key()
	wanted, err := n.view().translate(un("fcbb:bbbb:100::/48"))
	if err != nil {
		t.Fatal(err)
	}
	wanted.Routes[0].Scope = 253 // an IPv6 route has no scope; the kernel keeps none
	changes := changeSet{conn: n.conn}
	err = changes.undo(changes.put(key, objects{}, wanted))
	if err == nil || !strings.Contains(err.Error(), "holds another (scope: want 253, kernel has 0)") {
		t.Errorf("put = %v, want it to name the attribute", err)
	}
	held, err := n.dump()
	if err != nil || len(held.routes) != 0 {
		t.Errorf("the half-written object stays: %v, %v", held.routes, err)
	}
}

// lines is one line per object.
func (o objects) lines() []string {
	var out []string
	for _, n := range o.Neighbors {
		out = append(out, fmt.Sprintf("%+v", n))
	}
	for _, r := range o.Routes {
		out = append(out, r.String())
	}
	return out
}

// planesOfAll serve nothing yet, but report the entries that they would serve.
func planesOfAll() []plane.Plane {
	return []plane.Plane{edge.New(edge.Options{}), &sourcePlane{}, &steeringCounters{}, &unfinished{}, &puntPlane{}, livelive.New(pair.Options{}), mobile.New(pair.Options{}), sera.New(pair.Options{}), &watching{}, &restoring{}}
}

// A kind of entry is served by a plane, becomes routes, or is refused by name: none is forgotten.
func TestEveryKindIsServedOrRefused(t *testing.T) {
	for _, e := range sample.Entries() {
		if _, err := paper().translate(e); err != nil && strings.Contains(err.Error(), "is no entry") {
			t.Errorf("%s: %v", e.Key(), err)
		}
	}
}
