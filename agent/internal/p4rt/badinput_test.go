// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"strings"
	"testing"

	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/prototext"
)

// message parses a table entry written as text.
func message(t *testing.T, text string) *p4.TableEntry {
	t.Helper()
	te := new(p4.TableEntry)
	if err := prototext.Unmarshal([]byte(text), te); err != nil {
		t.Fatal(err)
	}
	return te
}

const (
	sidMatch    = `match { field_id: 1 lpm { value: "\xfc\xbb\xbb\xbb\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" prefix_len: 48 } } `
	endAction   = `action { action { action_id: 0x01000012 } }`
	unAction    = `action { action { action_id: 0x01000010 params { param_id: 1 value: "\x20" } params { param_id: 2 value: "\x10" } } }`
	mySID       = `table_id: 0x02000002 `
	nextHop     = `table_id: 0x02000009 `
	hopAction   = `action { action { action_id: 0x01000062 params { param_id: 1 value: "\x01" } params { param_id: 2 value: "\x02\x00\x00\x00\x00\x01" } params { param_id: 3 value: "\x02\x00\x00\x00\x00\x02" } } }`
	sidList     = `table_id: 0x02000005 match { field_id: 1 exact { value: "\x09" } } `
	segment     = `action { action_id: 0x01000041 params { param_id: 1 value: "\xfc\xbb\xbb\xbb\x03\x00\xf0\x0d\x00\x00\x00\x00\x00\x00\x00\x00" } }`
	gtpDiscard  = `table_id: 0x02000010 priority: 1 match { field_id: 1 exact { value: "\x00" } } action { action { action_id: 0x01000035 } } `
	firewallRow = `table_id: 33554451 match { field_id: 1 exact { value: "\x07" } } priority: 1 `
	encapSrc    = `table_id: 0x02000006 `
)

// Each update is refused over a real connection, alone, and leaves no entry behind.
func TestABadUpdateIsRefusedWithItsCodeAndASentence(t *testing.T) {
	n := startNode(t, "")
	primary := n.primary()
	for _, tc := range []struct {
		name   string
		typ    p4.Update_Type
		entry  string
		code   codes.Code
		saying string
	}{
		{"unknown table", p4.Update_INSERT, `table_id: 0x0200ffff`, codes.InvalidArgument, "table 0x0200ffff is not in the P4Info; it has punt, "},
		{"no table", p4.Update_INSERT, endAction, codes.InvalidArgument, "table 0x00000000 is not in the P4Info"},
		{"unknown match field", p4.Update_INSERT, mySID + `match { field_id: 9 exact { value: "\x01" } } ` + endAction, codes.InvalidArgument, "table my_sid has no match field 9; it has sid"},
		{"match field twice", p4.Update_INSERT, mySID + sidMatch + sidMatch + endAction, codes.InvalidArgument, "match field sid is given twice"},
		{"exact field missing", p4.Update_INSERT, nextHop + hopAction, codes.InvalidArgument, "match field id is missing"},
		{"wrong kind of match", p4.Update_INSERT, mySID + `match { field_id: 1 exact { value: "\x01" } } ` + endAction, codes.InvalidArgument, "match field sid: it must be given as lpm"},
		{"match without a kind", p4.Update_INSERT, mySID + `match { field_id: 1 } ` + endAction, codes.InvalidArgument, "match field sid: it must be given as lpm"},
		{"empty value", p4.Update_INSERT, nextHop + `match { field_id: 1 exact { } } ` + hopAction, codes.InvalidArgument, "match field id: the value is empty"},
		{"too wide by a bit", p4.Update_INSERT, nextHop + `match { field_id: 1 exact { value: "\x02" } } action { action { action_id: 0x01000062 params { param_id: 1 value: "\x02\x00" } params { param_id: 2 value: "\x02\x00\x00\x00\x00\x01" } params { param_id: 3 value: "\x02\x00\x00\x00\x00\x02" } } }`, codes.InvalidArgument, "action forward: parameter port: value 0x0200 does not fit into 9 bits"},
		{"too wide by bytes", p4.Update_INSERT, nextHop + `match { field_id: 1 exact { value: "\x01\x00\x02" } } ` + hopAction, codes.InvalidArgument, "does not fit into 16 bits"},
		{"bits behind the prefix", p4.Update_INSERT, mySID + `match { field_id: 1 lpm { value: "\xfc\xbb\xbb\xbb\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01" prefix_len: 48 } } ` + unAction, codes.InvalidArgument, "has bits set behind its prefix_len 48"},
		{"prefix of length 0 spelled out", p4.Update_INSERT, mySID + `match { field_id: 1 lpm { value: "\x00" prefix_len: 0 } } ` + endAction, codes.InvalidArgument, "prefix_len is 0; to match anything, leave the field out"},
		{"prefix longer than the field", p4.Update_INSERT, mySID + `match { field_id: 1 lpm { value: "\x01" prefix_len: 129 } } ` + endAction, codes.InvalidArgument, "prefix_len is 129, the field has 128 bits"},
		{"negative prefix length", p4.Update_INSERT, mySID + `match { field_id: 1 lpm { value: "\x01" prefix_len: -1 } } ` + endAction, codes.InvalidArgument, "prefix_len is -1"},
		{"priority without ternary fields", p4.Update_INSERT, mySID + sidMatch + `priority: 1 ` + unAction, codes.InvalidArgument, "priority is 1, a table without ternary and range fields takes none"},
		{"no priority with ternary fields", p4.Update_INSERT, `table_id: 0x02000001 action { action { action_id: 0x01000001 } }`, codes.InvalidArgument, "priority is 0, a table with ternary or range fields needs one greater than 0"},
		{"ternary mask 0 spelled out", p4.Update_INSERT, `table_id: 0x02000001 priority: 1 match { field_id: 2 ternary { value: "\x00" mask: "\x00" } } action { action { action_id: 0x01000001 } }`, codes.InvalidArgument, "match field ether_type: the mask is 0"},
		{"ternary value outside of its mask", p4.Update_INSERT, `table_id: 0x02000001 priority: 1 match { field_id: 2 ternary { value: "\x88\xcc" mask: "\xff\x00" } } action { action { action_id: 0x01000001 } }`, codes.InvalidArgument, "has bits set outside of its mask 0xff00"},
		{"insert without action", p4.Update_INSERT, mySID + sidMatch, codes.InvalidArgument, "an INSERT needs an action"},
		{"empty action", p4.Update_INSERT, mySID + sidMatch + `action { }`, codes.InvalidArgument, "table my_sid: the action is empty"},
		{"unknown action", p4.Update_INSERT, mySID + sidMatch + `action { action { action_id: 0x0100ffff } }`, codes.InvalidArgument, "table my_sid: action 0x0100ffff is not in the P4Info"},
		{"action of another table", p4.Update_INSERT, mySID + sidMatch + hopAction, codes.InvalidArgument, "action forward is not one of table my_sid; it has un, ua"},
		{"action that Linux lacks", p4.Update_INSERT, mySID + sidMatch + `action { action { action_id: 0x01000016 params { param_id: 1 value: "\x00" } } }`, codes.InvalidArgument, "action 0x01000016 is not in the P4Info"},
		{"action for default entries only", p4.Update_INSERT, mySID + sidMatch + `action { action { action_id: 21257015 } }`, codes.PermissionDenied, "action NoAction is default_only"},
		{"parameter missing", p4.Update_INSERT, mySID + sidMatch + `action { action { action_id: 0x01000010 params { param_id: 1 value: "\x20" } } }`, codes.InvalidArgument, "action un: parameter csid_length is missing"},
		{"parameter twice", p4.Update_INSERT, mySID + sidMatch + `action { action { action_id: 0x01000010 params { param_id: 1 value: "\x20" } params { param_id: 1 value: "\x20" } } }`, codes.InvalidArgument, "parameter block_length is given twice"},
		{"unknown parameter", p4.Update_INSERT, mySID + sidMatch + `action { action { action_id: 0x01000012 params { param_id: 7 value: "\x20" } } }`, codes.InvalidArgument, "action end: there is no parameter 7"},
		{"action set for a direct table", p4.Update_INSERT, mySID + sidMatch + `action { action_profile_action_set { action_profile_actions { weight: 1 action { action_id: 0x01000012 } } } }`, codes.InvalidArgument, "takes a single action here"},
		{"single action for a selector", p4.Update_INSERT, sidList + `action { ` + segment + ` }`, codes.InvalidArgument, "table sid_list takes a one-shot action set"},
		{"member of a selector", p4.Update_INSERT, sidList + `action { action_profile_member_id: 1 }`, codes.Unimplemented, "write a one-shot action set"},
		{"group of a selector", p4.Update_INSERT, sidList + `action { action_profile_group_id: 1 }`, codes.Unimplemented, "write a one-shot action set"},
		{"empty action set", p4.Update_INSERT, sidList + `action { action_profile_action_set { } }`, codes.InvalidArgument, "the action set has no members"},
		{"weight 0", p4.Update_INSERT, sidList + `action { action_profile_action_set { action_profile_actions { ` + segment + ` } } }`, codes.InvalidArgument, "member 1 has weight 0"},
		{"weights beyond the group", p4.Update_INSERT, sidList + `action { action_profile_action_set { action_profile_actions { weight: 16380 ` + segment + ` } action_profile_actions { weight: 5 ` + segment + ` } } }`, codes.InvalidArgument, "the weights add up to 16385, at most 16384 fit"},
		{"watch port", p4.Update_INSERT, sidList + `action { action_profile_action_set { action_profile_actions { weight: 1 watch_port: "\x01" ` + segment + ` } } }`, codes.Unimplemented, "watch_port is not served"},
		{"const entry", p4.Update_INSERT, mySID + sidMatch + `is_const: true ` + unAction, codes.InvalidArgument, "is_const must be false"},
		{"idle timeout of a table that knows when it was hit", p4.Update_INSERT, firewallRow + `idle_timeout_ns: 5`, codes.Unimplemented, "no entry expires here"},
		{"time since the last hit in a write", p4.Update_INSERT, firewallRow + `time_since_last_hit { elapsed_ns: 5 }`, codes.InvalidArgument, "time_since_last_hit is for reading"},
		{"idle timeout", p4.Update_INSERT, mySID + sidMatch + `idle_timeout_ns: 5 ` + unAction, codes.InvalidArgument, "table my_sid has no idle timeout"},
		{"meter", p4.Update_INSERT, mySID + sidMatch + `meter_config { cir: 1 } ` + unAction, codes.InvalidArgument, "table my_sid has no meter"},
		{"counter of a table without one", p4.Update_INSERT, nextHop + `match { field_id: 1 exact { value: "\x02" } } counter_data { } ` + hopAction, codes.InvalidArgument, "table next_hop has no direct counter"},
		{"counter that starts above 0", p4.Update_INSERT, mySID + sidMatch + `counter_data { packet_count: 1 } ` + unAction, codes.Unimplemented, "counters start at 0"},
		{"update without a type", p4.Update_UNSPECIFIED, mySID + sidMatch + unAction, codes.InvalidArgument, "use INSERT, MODIFY or DELETE"},
		{"insert of a default entry", p4.Update_INSERT, encapSrc + `is_default_action: true`, codes.InvalidArgument, "only MODIFY changes it"},
		{"entry of a table without key", p4.Update_INSERT, encapSrc + `action { action { action_id: 0x01000060 params { param_id: 1 value: "\x01" } } }`, codes.InvalidArgument, "table encap_source has no key"},
		{"default entry with a match", p4.Update_MODIFY, mySID + sidMatch + `is_default_action: true`, codes.InvalidArgument, "has neither match fields nor a priority"},
		{"constant default entry", p4.Update_MODIFY, mySID + `is_default_action: true`, codes.PermissionDenied, "the default entry is constant"},
		{"missing entry modified", p4.Update_MODIFY, mySID + sidMatch + unAction, codes.NotFound, "my_sid fcbb:bbbb:100::/48 is not there"},
		{"missing entry modified without an action", p4.Update_MODIFY, mySID + sidMatch, codes.NotFound, "my_sid fcbb:bbbb:100::/48 is not there"},
		{"missing entry deleted", p4.Update_DELETE, mySID + sidMatch, codes.NotFound, "my_sid fcbb:bbbb:100::/48 is not there"},
		{"way of six bits", p4.Update_INSERT, gtpDiscard + `match { field_id: 10 ternary { value: "\x00" mask: "\x20" } }`, codes.InvalidArgument, "does not fit into 5 bits"},
		{"PDU type of an action that has none", p4.Update_INSERT, gtpDiscard + `match { field_id: 10 ternary { value: "\x10" mask: "\x10" } }`, codes.InvalidArgument, "way 0x10/0x10 is not that of its action"},
		{"value the contract forbids", p4.Update_INSERT, mySID + sidMatch + `action { action { action_id: 0x01000010 params { param_id: 1 value: "\x00" } params { param_id: 2 value: "\x10" } } }`, codes.InvalidArgument, "block_length and csid_length must be greater than 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := primary.write(update(tc.typ, message(t, tc.entry)))
			mustRefuse(t, err, tc.code, tc.saying)
			if left, err := n.read(entity(&p4.TableEntry{})); err != nil || len(left) != 0 {
				t.Errorf("after the refusal the node holds %v, %v; want nothing", left, err)
			}
		})
	}
}

// mustRefuse expects a batch of one update, refused.
func mustRefuse(t *testing.T, err error, code codes.Code, saying string) {
	t.Helper()
	if status.Code(err) != codes.Unknown {
		t.Fatalf("got %v, want the batch's status UNKNOWN", err)
	}
	d := details(err)
	if len(d) != 1 {
		t.Fatalf("got %d details, want one per update, 1", len(d))
	}
	if got := codes.Code(d[0].GetCanonicalCode()); got != code {
		t.Errorf("code %v, want %v (%s)", got, code, d[0].GetMessage())
	}
	if !strings.Contains(d[0].GetMessage(), saying) {
		t.Errorf("message %q does not say %q", d[0].GetMessage(), saying)
	}
}

func TestEntitiesThatThePipelineLacksAreRefused(t *testing.T) {
	n := startNode(t, "")
	primary := n.primary()
	for _, tc := range []struct {
		name   string
		typ    p4.Update_Type
		entity *p4.Entity
		code   codes.Code
		saying string
	}{
		{"none", p4.Update_INSERT, nil, codes.InvalidArgument, "the update has no entity"},
		{"member", p4.Update_INSERT, &p4.Entity{Entity: &p4.Entity_ActionProfileMember{}}, codes.Unimplemented, "one-shot action set"},
		{"group", p4.Update_INSERT, &p4.Entity{Entity: &p4.Entity_ActionProfileGroup{}}, codes.Unimplemented, "one-shot action set"},
		{"meter", p4.Update_MODIFY, &p4.Entity{Entity: &p4.Entity_MeterEntry{}}, codes.Unimplemented, "the P4Info has no meter_entry"},
		{"register", p4.Update_MODIFY, &p4.Entity{Entity: &p4.Entity_RegisterEntry{}}, codes.Unimplemented, "the P4Info has no register_entry"},
		{"multicast group", p4.Update_INSERT, &p4.Entity{Entity: &p4.Entity_PacketReplicationEngineEntry{}}, codes.Unimplemented, "the P4Info has no packet_replication_engine_entry"},
		{"direct counter inserted", p4.Update_INSERT, &p4.Entity{Entity: &p4.Entity_DirectCounterEntry{}}, codes.InvalidArgument, "neither be inserted nor deleted"},
		{"direct counter set", p4.Update_MODIFY, &p4.Entity{Entity: &p4.Entity_DirectCounterEntry{}}, codes.Unimplemented, "cannot be set"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			mustRefuse(t, primary.write(&p4.Update{Type: tc.typ, Entity: tc.entity}), tc.code, tc.saying)
		})
	}
}

func TestADuplicateEntryIsRefusedAndTheFirstStays(t *testing.T) {
	n := startNode(t, "")
	primary := n.primary()
	primary.mustWrite(insert(encode(t, un("fcbb:bbbb:100::/48"))))
	second := message(t, mySID+sidMatch+endAction)
	mustRefuse(t, primary.write(insert(second)), codes.AlreadyExists, "my_sid fcbb:bbbb:100::/48 is already there")
	wantEntries(t, n, encode(t, un("fcbb:bbbb:100::/48")))
}
