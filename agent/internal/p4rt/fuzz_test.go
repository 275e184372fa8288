// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"sextant/agent/internal/contract"
)

// FuzzUpdate: for any bytes of a client, the decoder neither panics nor accepts an entry that it could not give back.
// An accepted entry is valid, and its message is the one that was sent, byte for byte but for the order of fields,
// which P4Runtime leaves open.
func FuzzUpdate(f *testing.F) {
	for _, text := range []string{
		mySID + sidMatch + unAction,
		mySID + sidMatch + endAction,
		nextHop + `match { field_id: 1 exact { value: "\x02" } } ` + hopAction,
		sidList + `action { action_profile_action_set { action_profile_actions { weight: 3 ` + segment + ` } } }`,
		`table_id: 0x02000001 priority: 1 match { field_id: 2 ternary { value: "\x88\xcc" mask: "\xff\xff" } } action { action { action_id: 0x01000001 } }`,
		`table_id: 0x02000004 match { field_id: 1 exact { value: "\x00" } } match { field_id: 2 lpm { value: "\x0a\x00\x00\x00" prefix_len: 8 } } action { action { action_id: 0x01000030 params { param_id: 1 value: "\x09" } } }`,
		encapSrc + `is_default_action: true action { action { action_id: 0x01000060 params { param_id: 1 value: "\xfc\xbb\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01" } } }`,
	} {
		te := new(p4.TableEntry)
		if err := prototext.Unmarshal([]byte(text), te); err != nil {
			f.Fatal(err)
		}
		for _, typ := range []p4.Update_Type{p4.Update_INSERT, p4.Update_MODIFY, p4.Update_DELETE} {
			raw, err := proto.Marshal(update(typ, te))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(raw)
		}
	}
	s := schema(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		message := new(p4.Update)
		if proto.Unmarshal(raw, message) != nil {
			return
		}
		u, err := s.Update(message)
		if err != nil {
			var e *contract.Error
			if !errors.As(err, &e) || e.Code == 0 {
				t.Fatalf("the error %v has no code", err)
			}
			return
		}
		if u.Op == contract.Delete || u.Touch {
			return
		}
		if err := contract.Validate(u.Entry); err != nil {
			t.Fatalf("accepted what the contract forbids: %v", err)
		}
		back, err := s.Encode(u.Entry)
		if err != nil {
			t.Fatalf("accepted what cannot be encoded: %v", err)
		}
		u.cookie.attach(back)
		wantSame(t, message.GetEntity().GetTableEntry(), back)
	})
}

func wantSame(t *testing.T, sent, back *p4.TableEntry) {
	t.Helper()
	if diff := cmp.Diff(sent, back, protocmp.Transform(), protocmp.IgnoreUnknown(),
		protocmp.IgnoreFields(&p4.TableEntry{}, "counter_data", "time_since_last_hit"),
		protocmp.SortRepeated(func(a, b *p4.FieldMatch) bool { return a.GetFieldId() < b.GetFieldId() }),
		protocmp.SortRepeated(func(a, b *p4.Action_Param) bool { return a.GetParamId() < b.GetParamId() }),
	); diff != "" {
		t.Fatalf("read back differs (-sent +read):\n%s", diff)
	}
}

// FuzzRead: a read request selects or is refused, it never panics.
func FuzzRead(f *testing.F) {
	for _, text := range []string{mySID, mySID + sidMatch, nextHop + `priority: 1`, mySID + endAction, ``} {
		te := new(p4.TableEntry)
		if err := prototext.Unmarshal([]byte(text), te); err != nil {
			f.Fatal(err)
		}
		raw, err := proto.Marshal(te)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	s := schema(f)
	stored, err := s.Encode(un("fcbb:bbbb:100::/48"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		want := new(p4.TableEntry)
		if proto.Unmarshal(raw, want) != nil {
			return
		}
		selected, err := s.filter(want)
		if err == nil && selected.passes(stored) && want.GetTableId() != 0 && want.GetTableId() != stored.GetTableId() {
			t.Fatal("an entry of another table was selected")
		}
	})
}

// FuzzPacketOut: a packet-out leaves by a port of 9 bits or is refused.
func FuzzPacketOut(f *testing.F) {
	seed, err := proto.Marshal(&p4.PacketOut{Payload: []byte("x"), Metadata: []*p4.PacketMetadata{{MetadataId: 1, Value: []byte{1}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	s := schema(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := new(p4.PacketOut)
		if proto.Unmarshal(raw, m) != nil {
			return
		}
		if port, err := s.egressPort(m); err == nil && port > 511 {
			t.Fatalf("port %d", port)
		}
	})
}
