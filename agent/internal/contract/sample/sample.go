// SPDX-License-Identifier: Apache-2.0

// Package sample has entries of every kind, for tests that must not forget one.
package sample

import (
	"net/netip"

	"sextant/agent/internal/contract"
)

// Entries are valid, with every field set that their action has: at least one per kind, table and my_sid action.
// New ones go to the end: a stored journal holds the others in this order.
func Entries() []contract.Entry {
	p, a := netip.MustParsePrefix, netip.MustParseAddr
	sid := func(text string, b contract.Behavior) contract.Entry {
		return contract.MySID{SID: p(text), Behavior: b}
	}
	return []contract.Entry{
		contract.NextHop{ID: 3, Port: 2, SrcMAC: [6]byte{2, 0, 0, 0, 1, 2}, DstMAC: [6]byte{2, 0, 0, 0, 2, 1}},
		contract.SIDList{ID: 7, Members: []contract.SIDListMember{
			{Weight: 3, Segments: []netip.Addr{a("fcbb:bbbb:200:700::"), a("fcbb:bbbb:300:f00d::")}},
			{Weight: 1, Segments: []netip.Addr{a("fcbb:bbbb:300:f00d::")}},
		}},
		contract.SIDList{ID: 8, Members: []contract.SIDListMember{{Weight: 1, Segments: []netip.Addr{a("fcbb:bbbb:300:f101::")}}}},
		contract.EncapSource{Source: a("fcff::1")},
		contract.Route{VRF: 5, Dst: p("fcbb:bbbb:200::/48"), Members: []contract.RouteMember{{Weight: 1, NextHop: 3}}},
		contract.Route{VRF: 5, Dst: p("10.3.0.0/24"), Members: []contract.RouteMember{{Weight: 1, NextHop: 3}}},
		contract.Steering{VRF: 5, Dst: p("fd00:3::/64"), SIDList: 7, Reduced: true},
		contract.Steering{VRF: 5, Dst: p("10.4.0.0/24"), SIDList: 7},
		sid("fcbb:bbbb:100::/48", contract.Behavior{Action: contract.UN, BlockLength: 32, CSIDLength: 16}),
		sid("fcbb:bbbb:100:e001::/64", contract.Behavior{Action: contract.UA, BlockLength: 32, CSIDLength: 32, NextHop: 3}),
		sid("fcbb:1::1/128", contract.Behavior{Action: contract.End}),
		sid("fcbb:1::2/128", contract.Behavior{Action: contract.EndPSP}),
		sid("fcbb:1::3/128", contract.Behavior{Action: contract.EndX, NextHop: 3}),
		sid("fcbb:1::4/128", contract.Behavior{Action: contract.UDT6, VRF: 5}),
		sid("fcbb:1::5/128", contract.Behavior{Action: contract.UDT4, VRF: 5}),
		sid("fcbb:1::6/128", contract.Behavior{Action: contract.UDT46, VRF: 5}),
		sid("fcbb:1::7/128", contract.Behavior{Action: contract.UDX6, NextHop: 3}),
		sid("fcbb:1::8/128", contract.Behavior{Action: contract.UDX4, NextHop: 3}),
		sid("fcbb:1::9/128", contract.Behavior{Action: contract.B6EncapsRed, SIDList: 7}),
		sid("fcbb:1::a/128", contract.Behavior{Action: contract.Dedup, VRF: 5, Path: 15}),
		contract.Punt{
			Priority: 10, InPort: contract.Masked(2, 0x1ff), EtherType: contract.Masked(0x88cc, 0xffff),
			IPProto: contract.Masked(58, 0xff), ICMPv6: contract.Masked(0x84, 0xfc),
		},
		contract.Flow{
			Priority: 9, VRF: 5, Src: p("fd00:1::/64"), Dst: p("fd00:3::/64"), IPProto: contract.Masked(17, 0xff),
			SrcPort: contract.Masked(5000, 0xffff), DstPort: contract.Masked(0x1400, 0xff00), FlowID: 0xc0000001, Group: 258, Copies: 6,
		},
		contract.Flow{
			Priority: 9, VRF: 5, Src: p("10.1.0.0/24"), Dst: p("10.3.0.2/32"), IPProto: contract.Masked(17, 0xff),
			SrcPort: contract.Masked(5000, 0xffff), DstPort: contract.Masked(0x1400, 0xff00), FlowID: 1, Group: 1, Copies: 15,
		},
		contract.Copy{Group: 258, Path: 15, SIDList: 8},
		contract.DedupFlow{FlowID: 0xc0000001, Window: 63},
	}
}
