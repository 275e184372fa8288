// SPDX-License-Identifier: Apache-2.0

// Package sample has entries of every kind, for tests that must not forget one.
package sample

import (
	"net/netip"
	"time"

	"sextant/agent/internal/contract"
)

// Entries are valid, with every field set that their action has: at least one per kind, table and my_sid action.
// New ones go to the end: a stored journal holds the others in this order.
func Entries() []contract.Entry {
	known := written()
	return append(known, behaviors(known)...)
}

func written() []contract.Entry {
	p, a := netip.MustParsePrefix, netip.MustParseAddr
	sid := func(text string, b contract.Behavior) contract.Entry {
		return contract.MySID{SID: p(text), Behavior: b}
	}
	mapped := func(four string, bits int) *contract.Ternary {
		return &contract.Ternary{Value: a(four).As16(), Mask: contract.PrefixMask(96+bits, 128)}
	}
	six := func(text string, bits int) *contract.Ternary {
		return &contract.Ternary{Value: a(text).As16(), Mask: contract.PrefixMask(bits, 128)}
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
		sid("fcbb:bbbb:104::/48", contract.Behavior{Action: contract.GTP4E, GTP: contract.GTPEncap{At: 48, SourceAt: 48, PDUType: 1, Container: 2, UDPSource: 2152}}),
		sid("fcbb:bbbb:100:f610::/64", contract.Behavior{Action: contract.GTP6E, GTP: contract.GTPEncap{At: 64, Source: a("fcbb:bbbb:100:f601::"), Container: 1}}),
		sid("fcbb:bbbb:100:f620::/64", contract.Behavior{Action: contract.Map, Mapped: a("fcbb:bbbb:200:f610::")}),
		contract.GTPTunnel{Dst: a("198.51.100.1"), TEID: 0x12345678, Class: 7},
		contract.GTPTunnel{Dst: a("2001:db8:f::1"), TEID: 1, Class: 65535},
		contract.GTPRule{
			Priority: 20, Class: contract.Masked(7, 0xffff), Src: mapped("192.0.2.0", 24), Dst: mapped("198.51.100.1", 32), TEID: contract.Masked(0x1000, 0xfffff000),
			QFI: contract.Masked(9, 0x3f), DSCP: contract.Masked(0x2e, 0x3f), Action: contract.GTPTranslate, SIDList: 8, ArgsAt: 80, AddressAt: 48,
			Source: a("fcbb:bbbb:104::"), SourceAt: 48, DropSequence: true, InnerSrc: mapped("10.60.0.0", 16), InnerDst: mapped("198.18.0.7", 32),
			Way: contract.Masked(4, 0x16),
		},
		contract.GTPRule{
			Priority: 10, Dst: &contract.Ternary{Value: contract.AddressBits(a("2001:db8:f::1")), Mask: contract.PrefixMask(128, 128)},
			Action: contract.GTPTranslate, SIDList: 8, ArgsAt: 80, KeepDestination: true,
		},
		contract.GTPRule{Priority: 5, Dst: mapped("198.51.100.1", 32), Action: contract.GTPCarry, SIDList: 8},
		contract.GTPRule{Priority: 1, Action: contract.GTPDiscard},
		contract.UE{Dst: p("10.60.0.1/32"), SIDList: 8, Last: a("fcbb:bbbb:104:c000:201:2412:3456:7800"), Source: a("fcbb:bbbb:305:c633:6401::")},
		contract.UE{Dst: p("2001:db8:60::/64"), SIDList: 8, ArgsAt: 80, Args: 0x26000003ea, Last: a("2001:db8:b::1")},
		sid("fcbb:bbbb:100:f230::/60", contract.Behavior{Action: contract.Sera, BlockLength: 32, CSIDLength: 32, SERA: contract.SERA{
			Firewall: 0x03000001, Instance: 3, USIDLength: 16, ArgsLength: 4, LocalStart: 0xe000,
		}}),
		sid("fcbb:bbbb:100:f240::/60", contract.Behavior{Action: contract.SeraStateful, BlockLength: 32, CSIDLength: 32, SERA: contract.SERA{
			Firewall: 0x04000001, Instance: 4, USIDLength: 16, ArgsLength: 4, LocalStart: 0xe000, Flows: 1024,
		}}),
		contract.Firewall{
			Firewall: 0x03000001, Priority: 100000, IPVersion: contract.Masked(6, 0xf), Src: six("2001:db8:1::", 64), Dst: six("2001:db8:2::1", 128),
			IPProto: contract.Masked(6, 0xff), Has: contract.Masked(29, 31), SrcPort: &contract.Range{Low: 1024, High: 65535},
			DstPort: &contract.Range{Low: 80, High: 80}, TCPFlags: contract.Masked(2, 0x12), SRHNextHdr: contract.Masked(41, 0xff),
			SRHHdrLen: &contract.Range{Low: 2, High: 8}, SegmentsLeft: &contract.Range{Low: 1, High: 3}, LastEntry: &contract.Range{Low: 0, High: 2},
			SRHFlags: contract.Masked(0, 0xff), SRHTag: contract.Masked(3, 0xffff), PreviousSID: six("fcbb:bbbb:400::", 48),
			NextSID: six("fcbb:bbbb:600::", 48), LastSID: six("fcbb:bbbb:300::", 48), OuterSrc: six("fcbb:bbbb:100::", 48), Args: contract.Masked(1, 0xf),
			Established: contract.Masked(0, 1), Verdict: contract.FwSkipNext, Log: true,
		},
		contract.Firewall{
			Firewall: 0x03000001, Priority: 99999, IPVersion: contract.Masked(4, 0xf), Src: mapped("10.0.0.0", 8), IPProto: contract.Masked(1, 0xff),
			Has: contract.Masked(2, 2), ICMPType: contract.Masked(8, 0xff), ICMPCode: contract.Masked(0, 0xff), Verdict: contract.FwEvalArgs,
		},
		contract.Firewall{Firewall: 0x03000001, Priority: 99998, Args: contract.Masked(2, 0xf), Verdict: contract.FwGoLast},
		contract.Firewall{Firewall: 0x03000001, Priority: 2, Established: contract.Masked(1, 1), Verdict: contract.FwGoNext},
		contract.Firewall{Firewall: 0x03000001, Priority: 1, Verdict: contract.FwDrop},
		contract.EdgePort{Port: 7, External: true, DropSRH: true},
		contract.EdgePort{Port: 8, KnownSources: true},
		contract.EdgePort{Port: 9, External: true},
		contract.EdgeSID{Dst: p("fcbb:bbbb::/32")},
		contract.EdgeSID{Dst: p("fcbb:bbbb:100:f620::/64"), Open: true},
		contract.EdgeSource{Src: p("fcff:1::1/128")},
		contract.EdgePeer{Port: 7, Src: p("2001:db8:7::/48")},
		contract.Standby{VRF: 5, Dst: p("fcbb:bbbb:200::/48"), SIDList: 7},
		contract.Steering{VRF: 5, Dst: p("fd00:6::/64"), Drop: true},
		contract.SIDList{ID: 9, Members: []contract.SIDListMember{
			{Weight: 1, Segments: []netip.Addr{a("fcbb:bbbb:200:700:100:f0de::")}},
			{Weight: 1, Segments: []netip.Addr{a("fcbb:bbbb:300:100:f0de::")}},
		}},
		contract.SIDList{ID: 10, Members: []contract.SIDListMember{{Weight: 1, Segments: []netip.Addr{a("fcbb:bbbb:300:100:f0de::")}}}},
		contract.Liveness{SIDList: 7, Probe: 9, Interval: 10 * time.Millisecond, Multiplier: 3, HoldDown: 2 * time.Second, Backup: 8},
		contract.Liveness{SIDList: 8, Probe: 10, Interval: 1500 * time.Microsecond, Multiplier: 1},
		contract.Restoration{Port: 1, Wait: 10 * time.Second},
		contract.FlowSteering{
			Priority: 30000, VRF: 5, Src: p("fd00:1::/64"), Dst: p("fd00:3::/64"), IPProto: contract.Masked(17, 0xff), DSCP: contract.Masked(46, 0x3f),
			SrcPort: &contract.Range{Low: 5000, High: 5999}, DstPort: &contract.Range{Low: 443, High: 443}, SIDList: 7, Reduced: true,
		},
		contract.FlowSteering{Priority: 7, VRF: 5, Src: p("0.0.0.0/0"), Dst: p("10.3.0.0/24"), IPProto: contract.Masked(0, 0xff), SIDList: 7},
		contract.FlowSteering{Priority: 6, VRF: 5, Src: p("fd00:1::/64"), Dst: p("::/0"), Drop: true},
	}
}
