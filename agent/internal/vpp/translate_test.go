// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"errors"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"go.fd.io/govpp/binapi/sr_types"

	"sextant/agent/internal/contract"
	p4info "sextant/agent/internal/contract/p4info/vpp"
	"sextant/agent/internal/contract/sample"
)

var fakeMAC = [6]byte{2, 0, 0, 0, 1, 1}

var peerMAC = [6]byte{2, 0, 0, 0, 2, 1}

func testView() view {
	nextHops := map[contract.NextHopID]contract.NextHop{
		1: {ID: 1, Port: 1, SrcMAC: fakeMAC, DstMAC: peerMAC}, 2: {ID: 2, Port: 2, SrcMAC: fakeMAC, DstMAC: peerMAC},
		3: {ID: 3, Port: 3, SrcMAC: fakeMAC, DstMAC: peerMAC},
	}
	return view{
		port: func(id contract.PortID) (portState, bool) {
			return portState{present: id < 3, swIfIndex: 10 + uint32(id), mac: fakeMAC}, id <= 3
		},
		nextHop: func(id contract.NextHopID) (contract.NextHop, bool) { n, ok := nextHops[id]; return n, ok },
		sidList: func(id contract.SIDListID) (contract.SIDList, bool) {
			return contract.SIDList{ID: id}, id == 7
		},
		source: netip.MustParseAddr("fcff:4::1"), acls: true,
	}
}

func TestTranslate(t *testing.T) {
	p, a := netip.MustParsePrefix, netip.MustParseAddr
	un := contract.Behavior{Action: contract.UN, BlockLength: 32, CSIDLength: 16}
	ua := contract.Behavior{Action: contract.UA, BlockLength: 32, CSIDLength: 32, NextHop: 1}
	for _, tt := range []struct {
		name  string
		entry contract.Entry
		want  []object
	}{
		{"un and the empty container", contract.MySID{SID: p("fcbb:bbbb:100::/48"), Behavior: un}, []object{
			localSID{prefix: p("fcbb:bbbb:100::/48"), behavior: sr_types.SR_BEHAVIOR_API_END_UN_PERF, blockBits: 32, usidBits: 16},
			localSID{prefix: p("fcbb:bbbb:100::/128"), behavior: sr_types.SR_BEHAVIOR_API_END},
		}},
		{"ua fused", contract.MySID{SID: p("fcbb:bbbb:100:e001::/64"), Behavior: ua}, []object{
			localSID{prefix: p("fcbb:bbbb:100:e001::/64"), behavior: sr_types.SR_BEHAVIOR_API_UA, blockBits: 32, usidBits: 32, argument: 11, nextHop: a("fd5e:7e00::1")},
			localSID{prefix: p("fcbb:bbbb:100:e001::/128"), behavior: sr_types.SR_BEHAVIOR_API_X, argument: 11, nextHop: a("fd5e:7e00::1")},
		}},
		{"end_psp", contract.MySID{SID: p("fc00::1/128"), Behavior: contract.Behavior{Action: contract.EndPSP}}, []object{
			localSID{prefix: p("fc00::1/128"), behavior: sr_types.SR_BEHAVIOR_API_END, psp: true},
		}},
		{"udt6 into a VRF brings the table", contract.MySID{SID: p("fc00:1::/64"), Behavior: contract.Behavior{Action: contract.UDT6, VRF: 9}}, []object{
			table{9, true}, localSID{prefix: p("fc00:1::/64"), behavior: sr_types.SR_BEHAVIOR_API_DT6, argument: 9},
		}},
		{"udt4 into VRF 0", contract.MySID{SID: p("fc00:1::/64"), Behavior: contract.Behavior{Action: contract.UDT4}}, []object{
			localSID{prefix: p("fc00:1::/64"), behavior: sr_types.SR_BEHAVIOR_API_DT4},
		}},
		{"udx4 leads to the IPv4 address", contract.MySID{SID: p("fc00:1::/64"), Behavior: contract.Behavior{Action: contract.UDX4, NextHop: 2}}, []object{
			localSID{prefix: p("fc00:1::/64"), behavior: sr_types.SR_BEHAVIOR_API_DX4, argument: 12, nextHop: a("169.254.0.2")},
		}},
		{"a SID over a port VPP does not have waits", contract.MySID{SID: p("fc00:1::/64"), Behavior: contract.Behavior{Action: contract.EndX, NextHop: 3}}, nil},
		{"next hop", contract.NextHop{ID: 258, Port: 1, SrcMAC: fakeMAC, DstMAC: peerMAC}, []object{
			neighbor{11, a("fd5e:7e00::102"), peerMAC}, neighbor{11, a("169.254.1.2"), peerMAC},
		}},
		{"steering", contract.Steering{VRF: 9, Dst: p("10.3.0.0/16"), SIDList: 7}, []object{
			table{9, false}, steer{9, p("10.3.0.0/16"), a("fd5e:7e01::7")},
		}},
		{"list: twins are one, the order does not count", contract.SIDList{ID: 7, Members: []contract.SIDListMember{
			{Weight: 3, Segments: []netip.Addr{a("fc00::2"), a("fc00::3")}},
			{Weight: 1, Segments: []netip.Addr{a("fc00::1")}},
			{Weight: 1, Segments: []netip.Addr{a("fc00::1")}},
		}}, []object{policy{a("fd5e:7e01::7"), a("fcff:4::1"), []segmentList{
			{2, []netip.Addr{a("fc00::1")}}, {3, []netip.Addr{a("fc00::2"), a("fc00::3")}},
		}}}},
		{"route: shares are reduced, ports that are away left out", contract.Route{Dst: p("fd00::/8"), Members: []contract.RouteMember{
			{Weight: 600, NextHop: 2}, {Weight: 200, NextHop: 1}, {Weight: 200, NextHop: 3},
		}}, []object{route{0, p("fd00::/8"), []path{{11, a("fd5e:7e00::1"), 1}, {12, a("fd5e:7e00::2"), 3}}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := testView().translate(tt.entry)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Fatalf("translate(%+v)\n got %+v\nwant %+v", tt.entry, got, tt.want)
			}
		})
	}
}

func TestTranslateRefuses(t *testing.T) {
	p, a := netip.MustParsePrefix, netip.MustParseAddr
	sid := p("fcbb:bbbb:100::/48")
	long := contract.SIDListMember{Weight: 1}
	for range 17 {
		long.Segments = append(long.Segments, a("fc00::1"))
	}
	for _, tt := range []struct {
		name  string
		entry contract.Entry
		code  contract.Code
		want  string
	}{
		{"udt46", contract.MySID{SID: sid, Behavior: contract.Behavior{Action: contract.UDT46}}, contract.Unimplemented, "one SID with udt6"},
		{"reduced lists", contract.Steering{Dst: sid, SIDList: 7, Reduced: true}, contract.Unimplemented, "use h_encaps"},
		{"24-bit CSIDs", contract.MySID{SID: p("fcbb:bbbb:100::/56"), Behavior: contract.Behavior{Action: contract.UN, BlockLength: 32, CSIDLength: 24}}, contract.Unimplemented, "16 or 32 bits"},
		{"ua with 32-bit uSIDs", contract.MySID{SID: p("fcbb:bbbb:1:0:2:e000:1:0/112"), Behavior: contract.Behavior{Action: contract.UA, BlockLength: 48, CSIDLength: 64, NextHop: 1}}, contract.Unimplemented, "choose a SID format of 16-bit uSIDs"},
		{"a prefix longer than the CSID", contract.MySID{SID: p("fcbb:bbbb:100::/64"), Behavior: contract.Behavior{Action: contract.UN, BlockLength: 32, CSIDLength: 16}}, contract.Unimplemented, "both lengths together"},
		{"a list that is not there", contract.Steering{Dst: sid, SIDList: 8}, contract.FailedPrecondition, "sid_list 8"},
		{"a next hop that is not there", contract.MySID{SID: sid, Behavior: contract.Behavior{Action: contract.EndX, NextHop: 9}}, contract.FailedPrecondition, "next_hop 9"},
		{"17 segments", contract.SIDList{ID: 1, Members: []contract.SIDListMember{long}}, contract.Unimplemented, "takes 16"},
		{"weight 0", contract.SIDList{ID: 1, Members: []contract.SIDListMember{{Segments: []netip.Addr{a("fc00::1")}}}}, contract.InvalidArgument, "weight 0"},
		{"a role of an unknown port", contract.EdgePort{Port: 4, External: true}, contract.InvalidArgument, "port 4 is not a port"},
		{"a peer at an unknown port", contract.EdgePeer{Port: 4, Src: netip.MustParsePrefix("2001:db8::/32")}, contract.InvalidArgument, "port 4 is not a port"},
		{"an unknown port", contract.NextHop{ID: 4, Port: 4, SrcMAC: fakeMAC, DstMAC: peerMAC}, contract.InvalidArgument, "port 4"},
		{"another source MAC", contract.NextHop{ID: 4, Port: 1, SrcMAC: peerMAC, DstMAC: peerMAC}, contract.InvalidArgument, "VPP sends with no other"},
		{"a share of 256", contract.Route{Dst: sid, Members: []contract.RouteMember{{Weight: 1, NextHop: 1}, {Weight: 256, NextHop: 2}}}, contract.Unimplemented, "1 to 255"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := testView().translate(tt.entry)
			var e *contract.Error
			if !errors.As(err, &e) || e.Code != tt.code || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("translate(%+v) = %v, want code %d with %q", tt.entry, err, tt.code, tt.want)
			}
		})
	}
}

// The P4Info of VPP is served or refused by name, and nothing else is.
func TestEveryKindOfTheP4InfoIsServedOrRefused(t *testing.T) {
	info, err := p4info.Message()
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]bool{}
	for _, one := range info.GetTables() {
		tables[one.GetPreamble().GetAlias()] = true
	}
	for _, e := range sample.Entries() {
		_, err := testView().translate(e)
		unknown := err != nil && strings.Contains(err.Error(), "is no entry")
		if unknown == tables[e.Key().Table] {
			t.Errorf("%s: in the P4Info is %v, and translated it is %v", e.Key(), tables[e.Key().Table], err)
		}
	}
}
