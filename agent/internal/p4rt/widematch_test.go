// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/testing/protocmp"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/sample"
)

// filterSchema has fields that no table of the contract has yet: a wide ternary field, and ranges.
func filterSchema(t *testing.T) *Schema {
	t.Helper()
	info := new(p4config.P4Info)
	if err := prototext.Unmarshal([]byte(`
		tables { preamble { id: 0x02000077 alias: "filter" }
			match_fields { id: 1 name: "src" bitwidth: 128 match_type: TERNARY }
			match_fields { id: 2 name: "teid" bitwidth: 32 match_type: RANGE }
			match_fields { id: 3 name: "port" bitwidth: 16 match_type: RANGE }
			action_refs { id: 0x01000077 } }
		tables { preamble { id: 0x02000078 alias: "ranges_only" }
			match_fields { id: 1 name: "port" bitwidth: 16 match_type: RANGE } action_refs { id: 0x01000077 } }
		actions { preamble { id: 0x01000077 alias: "drop" } }`), info); err != nil {
		t.Fatal(err)
	}
	s, err := NewSchema(info)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func tableEntryFrom(t *testing.T, text string) *p4.TableEntry {
	t.Helper()
	te := new(p4.TableEntry)
	if err := prototext.Unmarshal([]byte(text), te); err != nil {
		t.Fatal(err)
	}
	return te
}

const wideRow = `table_id: 0x02000077 priority: 7
	match { field_id: 1 ternary { value: "\xfd\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x09" mask: "\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff" } }
	match { field_id: 2 range { low: "\x01\x00\x00\x00" high: "\xff\xff\xff\xfe" } }
	match { field_id: 3 range { low: "\x00" high: "\x04\x00" } }
	action { action { action_id: 0x01000077 } }`

func TestWideTernaryMatchesRangesAndPrioritiesComeBackAsTheyWere(t *testing.T) {
	s, want := filterSchema(t), tableEntryFrom(t, wideRow)
	r, err := s.entry(want)
	if err != nil {
		t.Fatal(err)
	}
	value, _ := contract.ParseBits([]byte("\xfd\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x09"), 128)
	mask, _ := contract.ParseBits([]byte("\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff"), 128)
	wantRow := contract.Row{
		Table: "filter", Priority: 7, Actions: []contract.Call{{Action: "drop", Args: map[string]contract.Bits{}}},
		Match: map[string]contract.Match{
			"src":  {Value: value, Mask: mask},
			"teid": {Value: contract.Number(uint32(1 << 24)), High: contract.Number(uint32(0xfffffffe))},
			"port": {High: contract.Number(uint16(1024))},
		},
	}
	if diff := cmp.Diff(wantRow, r.Row); diff != "" {
		t.Errorf("decoded (-want +got):\n%s", diff)
	}
	back, err := r.message()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, back, protocmp.Transform()); diff != "" {
		t.Errorf("encoded (-want +got):\n%s", diff)
	}
}

func TestABadRangeIsRefusedWithASentence(t *testing.T) {
	for _, tc := range []struct{ name, entry, saying string }{
		{"low above high", `table_id: 0x02000077 priority: 1 match { field_id: 3 range { low: "\x05" high: "\x04" } }`, "low 0x5 is above high 0x4"},
		{"all values", `table_id: 0x02000077 priority: 1 match { field_id: 3 range { low: "\x00" high: "\xff\xff" } }`, "leave the field out"},
		{"high too wide", `table_id: 0x02000077 priority: 1 match { field_id: 3 range { low: "\x00" high: "\x01\x00\x00" } }`, "does not fit into 16 bits"},
		{"no low", `table_id: 0x02000077 priority: 1 match { field_id: 3 range { high: "\x01" } }`, "low: the value is empty"},
		{"given as ternary", `table_id: 0x02000077 priority: 1 match { field_id: 3 ternary { value: "\x01" mask: "\x01" } }`, "must be given as range"},
		{"without priority", `table_id: 0x02000078 match { field_id: 1 range { low: "\x01" high: "\x02" } }`, "needs one greater than 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := filterSchema(t).entry(tableEntryFrom(t, tc.entry)); err == nil || !strings.Contains(err.Error(), tc.saying) {
				t.Errorf("got %v, want %q", err, tc.saying)
			}
		})
	}
}

// Two rows that differ in a range alone are two rows to a filtered read.
func TestRowsAreToldApartByTheirRanges(t *testing.T) {
	one := tableEntryFrom(t, `match { field_id: 3 range { low: "\x01" high: "\x02" } }`)
	other := tableEntryFrom(t, `match { field_id: 3 range { low: "\x01" high: "\x03" } }`)
	if matchKey(one.GetMatch()) == matchKey(other.GetMatch()) {
		t.Error("two ranges have one key")
	}
}

// Every table of the P4Info has a meaning, and every sample a table.
func TestEveryTableOfTheP4InfoIsAKind(t *testing.T) {
	tables := map[string]bool{}
	for _, k := range contract.Kinds() {
		for _, table := range k.Tables {
			tables[table] = true
		}
	}
	s := schema(t)
	for _, table := range s.tables {
		if !tables[table.alias] {
			t.Errorf("table %s is no kind's", table.alias)
		}
		delete(tables, table.alias)
	}
	if len(tables) > 0 {
		t.Errorf("tables that the P4Info does not have: %v", tables)
	}
}

func TestEverySampleComesBackFromItsMessage(t *testing.T) {
	s := schema(t)
	for _, e := range sample.Entries() {
		if sid, ok := e.(contract.MySID); ok && sid.Behavior.Action == contract.UDT46 {
			continue // of bmv2 alone
		}
		te, err := s.Encode(e)
		if err != nil {
			t.Errorf("%s: %v", e.Key(), err)
			continue
		}
		typ := p4.Update_INSERT
		if te.GetIsDefaultAction() {
			typ = p4.Update_MODIFY
		}
		u, err := s.Update(update(typ, te))
		if err != nil {
			t.Errorf("%s: %v", e.Key(), err)
			continue
		}
		if diff := cmp.Diff(e, u.Entry, exactly); diff != "" {
			t.Errorf("%s (-want +got):\n%s", e.Key(), diff)
		}
	}
}
