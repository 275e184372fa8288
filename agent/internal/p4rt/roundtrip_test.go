// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/testing/protocmp"

	"sextant/agent/internal/contract"
)

// exactly compares entries; netip values compare with ==.
var exactly = cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})

// The messages are written out by hand from pipeconfs/p4src/fixed/ids.p4 and the bytestring rules.
func TestEveryEntryAndItsMessageAreTheSameInBothDirections(t *testing.T) {
	for _, tc := range []struct {
		name    string
		entry   contract.Entry
		message string
	}{
		{
			name:    "uN of the paper's l1",
			entry:   un("fcbb:bbbb:100::/48"),
			message: `table_id: 0x02000002 match { field_id: 1 lpm { value: "\xfc\xbb\xbb\xbb\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" prefix_len: 48 } } action { action { action_id: 0x01000010 params { param_id: 1 value: "\x20" } params { param_id: 2 value: "\x10" } } }`,
		},
		{
			name:    "fused uN and uA",
			entry:   contract.MySID{SID: prefix("fcbb:bbbb:100:e002::/64"), Behavior: contract.Behavior{Action: contract.UA, BlockLength: 32, CSIDLength: 32, NextHop: 258}},
			message: `table_id: 0x02000002 match { field_id: 1 lpm { value: "\xfc\xbb\xbb\xbb\x01\x00\xe0\x02\x00\x00\x00\x00\x00\x00\x00\x00" prefix_len: 64 } } action { action { action_id: 0x01000011 params { param_id: 1 value: "\x20" } params { param_id: 2 value: "\x20" } params { param_id: 3 value: "\x01\x02" } } }`,
		},
		{
			name:    "End without parameters",
			entry:   contract.MySID{SID: prefix("2001:db8:1::1/128"), Behavior: contract.Behavior{Action: contract.End}},
			message: `table_id: 0x02000002 match { field_id: 1 lpm { value: "\x20\x01\x0d\xb8\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01" prefix_len: 128 } } action { action { action_id: 0x01000012 } }`,
		},
		{
			name:    "uDT6 of the main table: zero is one zero byte",
			entry:   contract.MySID{SID: prefix("fcbb:bbbb:100:f00d::/64"), Behavior: contract.Behavior{Action: contract.UDT6}},
			message: `table_id: 0x02000002 match { field_id: 1 lpm { value: "\xfc\xbb\xbb\xbb\x01\x00\xf0\x0d\x00\x00\x00\x00\x00\x00\x00\x00" prefix_len: 64 } } action { action { action_id: 0x01000014 params { param_id: 1 value: "\x00" } } }`,
		},
		{
			name:    "B6.Encaps.Red",
			entry:   contract.MySID{SID: prefix("fcbb:bbbb:100:b000::/64"), Behavior: contract.Behavior{Action: contract.B6EncapsRed, SIDList: 0x01000000}},
			message: `table_id: 0x02000002 match { field_id: 1 lpm { value: "\xfc\xbb\xbb\xbb\x01\x00\xb0\x00\x00\x00\x00\x00\x00\x00\x00\x00" prefix_len: 64 } } action { action { action_id: 0x01000019 params { param_id: 1 value: "\x01\x00\x00\x00" } } }`,
		},
		{
			name:    "IPv6 steering, reduced",
			entry:   contract.Steering{Dst: prefix("2001:db8:31::/64"), SIDList: 9, Reduced: true},
			message: `table_id: 0x02000003 match { field_id: 1 exact { value: "\x00" } } match { field_id: 2 lpm { value: "\x20\x01\x0d\xb8\x00\x31\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" prefix_len: 64 } } action { action { action_id: 0x01000030 params { param_id: 1 value: "\x09" } } }`,
		},
		{
			name:    "IPv4 steering of everything in a VRF: the prefix is left out",
			entry:   contract.Steering{VRF: 300, Dst: prefix("0.0.0.0/0"), SIDList: 9},
			message: `table_id: 0x02000004 match { field_id: 1 exact { value: "\x01\x2c" } } action { action { action_id: 0x01000031 params { param_id: 1 value: "\x09" } } }`,
		},
		{
			name: "two weighted segment lists of different length",
			entry: contract.SIDList{ID: 9, Members: []contract.SIDListMember{
				{Weight: 3, Segments: []netip.Addr{addr("fcbb:bbbb:200:700:600:500:400:0"), addr("fcbb:bbbb:300:f00d::")}},
				{Weight: 1, Segments: []netip.Addr{addr("fcbb:bbbb:300:f00d::")}},
			}},
			message: `table_id: 0x02000005 match { field_id: 1 exact { value: "\x09" } } action { action_profile_action_set {
				action_profile_actions { weight: 3 action { action_id: 0x01000042
					params { param_id: 1 value: "\xfc\xbb\xbb\xbb\x02\x00\x07\x00\x06\x00\x05\x00\x04\x00\x00\x00" }
					params { param_id: 2 value: "\xfc\xbb\xbb\xbb\x03\x00\xf0\x0d\x00\x00\x00\x00\x00\x00\x00\x00" } } }
				action_profile_actions { weight: 1 action { action_id: 0x01000041
					params { param_id: 1 value: "\xfc\xbb\xbb\xbb\x03\x00\xf0\x0d\x00\x00\x00\x00\x00\x00\x00\x00" } } } } }`,
		},
		{
			name:    "dedup",
			entry:   contract.MySID{SID: prefix("fcbb:bbbb:100:f102::/64"), Behavior: contract.Behavior{Action: contract.Dedup, Path: 2}},
			message: `table_id: 0x02000002 match { field_id: 1 lpm { value: "\xfc\xbb\xbb\xbb\x01\x00\xf1\x02\x00\x00\x00\x00\x00\x00\x00\x00" prefix_len: 64 } } action { action { action_id: 0x0100001b params { param_id: 1 value: "\x00" } params { param_id: 2 value: "\x02" } } }`,
		},
		{
			name: "a Live-Live flow by prefixes, protocol and a range of ports",
			entry: contract.Flow{
				Priority: 9, Src: prefix("::/0"), Dst: prefix("fd00:31::/64"), IPProto: contract.Masked(6, 0xff),
				DstPort: contract.Masked(0x1400, 0xff00), FlowID: 0xc0000001, Group: 7, Copies: 6,
			},
			message: `table_id: 0x0200000a priority: 9 match { field_id: 1 exact { value: "\x00" } }
				match { field_id: 3 ternary { value: "\xfd\x00\x00\x31\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" mask: "\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00" } }
				match { field_id: 4 ternary { value: "\x06" mask: "\xff" } } match { field_id: 6 ternary { value: "\x14\x00" mask: "\xff\x00" } }
				action { action { action_id: 0x01000032 params { param_id: 1 value: "\xc0\x00\x00\x01" } params { param_id: 2 value: "\x07" } params { param_id: 3 value: "\x06" } } }`,
		},
		{
			name: "a Live-Live flow of IPv4",
			entry: contract.Flow{
				Priority: 1, Src: prefix("10.0.11.0/24"), Dst: prefix("10.0.31.2/32"), SrcPort: contract.Masked(5, 0xffff), FlowID: 1, Group: 1, Copies: 15,
			},
			message: `table_id: 0x0200000b priority: 1 match { field_id: 1 exact { value: "\x00" } }
				match { field_id: 2 ternary { value: "\x0a\x00\x0b\x00" mask: "\xff\xff\xff\x00" } } match { field_id: 3 ternary { value: "\x0a\x00\x1f\x02" mask: "\xff\xff\xff\xff" } }
				match { field_id: 5 ternary { value: "\x05" mask: "\xff\xff" } }
				action { action { action_id: 0x01000032 params { param_id: 1 value: "\x01" } params { param_id: 2 value: "\x01" } params { param_id: 3 value: "\x0f" } } }`,
		},
		{
			name:    "a path of a group",
			entry:   contract.Copy{Group: 258, Path: 15, SIDList: 9},
			message: `table_id: 0x0200000c match { field_id: 1 exact { value: "\x01\x02" } } match { field_id: 2 exact { value: "\x0f" } } action { action { action_id: 0x01000063 params { param_id: 1 value: "\x09" } } }`,
		},
		{
			name:    "the end of a Live-Live flow",
			entry:   contract.DedupFlow{FlowID: 0xc0000001, Window: 63},
			message: `table_id: 0x0200000d match { field_id: 1 exact { value: "\xc0\x00\x00\x01" } } action { action { action_id: 0x01000064 params { param_id: 1 value: "\x3f" } } }`,
		},
		{
			name:    "the encapsulation source is a default entry",
			entry:   contract.EncapSource{Source: addr("fcbb:bbbb:100::1")},
			message: `table_id: 0x02000006 is_default_action: true action { action { action_id: 0x01000060 params { param_id: 1 value: "\xfc\xbb\xbb\xbb\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01" } } }`,
		},
		{
			name:  "IPv6 route over two next hops",
			entry: contract.Route{Dst: prefix("fcbb:bbbb:200::/48"), Members: []contract.RouteMember{{Weight: 1, NextHop: 1}, {Weight: 2, NextHop: 2}}},
			message: `table_id: 0x02000007 match { field_id: 1 exact { value: "\x00" } } match { field_id: 2 lpm { value: "\xfc\xbb\xbb\xbb\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" prefix_len: 48 } }
				action { action_profile_action_set {
				action_profile_actions { weight: 1 action { action_id: 0x01000061 params { param_id: 1 value: "\x01" } } }
				action_profile_actions { weight: 2 action { action_id: 0x01000061 params { param_id: 1 value: "\x02" } } } } }`,
		},
		{
			name:  "IPv4 route to a low network: leading zeros go",
			entry: contract.Route{Dst: prefix("0.10.0.0/16"), Members: []contract.RouteMember{{Weight: 1, NextHop: 1024}}},
			message: `table_id: 0x02000008 match { field_id: 1 exact { value: "\x00" } } match { field_id: 2 lpm { value: "\x0a\x00\x00" prefix_len: 16 } }
				action { action_profile_action_set { action_profile_actions { weight: 1 action { action_id: 0x01000061 params { param_id: 1 value: "\x04\x00" } } } } }`,
		},
		{
			name:  "next hop",
			entry: contract.NextHop{ID: 2, Port: 510, SrcMAC: [6]byte{0x02, 0, 0, 0, 1, 2}, DstMAC: [6]byte{0, 0, 0, 0, 2, 1}},
			message: `table_id: 0x02000009 match { field_id: 1 exact { value: "\x02" } } action { action { action_id: 0x01000062
				params { param_id: 1 value: "\x01\xfe" } params { param_id: 2 value: "\x02\x00\x00\x00\x01\x02" } params { param_id: 3 value: "\x02\x01" } } }`,
		},
		{
			name:    "punt of LLDP",
			entry:   contract.Punt{Priority: 10, EtherType: contract.Masked(0x88cc, 0xffff)},
			message: `table_id: 0x02000001 priority: 10 match { field_id: 2 ternary { value: "\x88\xcc" mask: "\xff\xff" } } action { action { action_id: 0x01000001 } }`,
		},
		{
			name: "punt on every field, in the order of P4Info",
			entry: contract.Punt{
				Priority: 1, InPort: contract.Masked(1, 0x1ff), EtherType: contract.Masked(0x86dd, 0xffff),
				IPProto: contract.Masked(58, 0xff), ICMPv6: contract.Masked(0x84, 0xfc),
			},
			message: `table_id: 0x02000001 priority: 1 match { field_id: 1 ternary { value: "\x01" mask: "\x01\xff" } } match { field_id: 2 ternary { value: "\x86\xdd" mask: "\xff\xff" } }
				match { field_id: 3 ternary { value: ":" mask: "\xff" } } match { field_id: 4 ternary { value: "\x84" mask: "\xfc" } } action { action { action_id: 0x01000001 } }`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			message := new(p4.TableEntry)
			if err := prototext.Unmarshal([]byte(tc.message), message); err != nil {
				t.Fatal(err)
			}
			s := schema(t)
			encoded, err := s.Encode(tc.entry)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(message, encoded, protocmp.Transform()); diff != "" {
				t.Errorf("encoded (-want +got):\n%s", diff)
			}
			typ := p4.Update_INSERT
			if message.GetIsDefaultAction() {
				typ = p4.Update_MODIFY
			}
			u, err := s.Update(update(typ, message))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.entry, u.Entry, exactly); diff != "" {
				t.Errorf("decoded (-want +got):\n%s", diff)
			}
		})
	}
}

func TestADeleteNeedsNothingButTheKey(t *testing.T) {
	s := schema(t)
	for _, e := range []contract.Entry{
		un("fcbb:bbbb:100::/48"),
		contract.Steering{VRF: 1, Dst: prefix("10.0.0.0/8"), SIDList: 1},
		contract.SIDList{ID: 4, Members: []contract.SIDListMember{{Weight: 1, Segments: []netip.Addr{addr("fcbb:bbbb:300:f00d::")}}}},
		contract.Route{Dst: prefix("::/0"), Members: []contract.RouteMember{{Weight: 1, NextHop: 1}}},
		contract.NextHop{ID: 2, Port: 1, SrcMAC: [6]byte{2, 1}, DstMAC: [6]byte{2, 2}},
		contract.Punt{Priority: 3, EtherType: contract.Masked(0x88cc, 0xffff)},
	} {
		t.Run(e.Key().String(), func(t *testing.T) {
			te := encode(t, e)
			te.Action = &p4.TableAction{Type: &p4.TableAction_Action{Action: &p4.Action{ActionId: 99}}}
			te.IsConst = true
			u, err := s.Update(update(p4.Update_DELETE, te))
			if err != nil {
				t.Fatal(err)
			}
			if u.Op != contract.Delete || u.Entry.Key() != e.Key() {
				t.Errorf("got %v of %v, want a deletion of %v", u.Op, u.Entry.Key(), e.Key())
			}
		})
	}
}
