// SPDX-License-Identifier: Apache-2.0

package contract_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/netip"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/sample"
)

// exactly compares entries; netip values compare with ==.
var exactly = cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})

func TestEveryKindHasASample(t *testing.T) {
	tables, kinds := map[string]bool{}, map[string]bool{}
	for _, e := range sample.Entries() {
		kind, known := contract.KindOf(e)
		if !known {
			t.Fatalf("%T is no kind", e)
		}
		if !slices.Contains(kind.Tables, e.Key().Table) {
			t.Errorf("%s is of the kind %s, whose tables are %v", e.Key(), kind.Name, kind.Tables)
		}
		tables[e.Key().Table], kinds[kind.Name] = true, true
	}
	for _, kind := range contract.Kinds() {
		if !kinds[kind.Name] {
			t.Errorf("there is no sample of the kind %s", kind.Name)
		}
		for _, table := range kind.Tables {
			if !tables[table] {
				t.Errorf("there is no sample of the table %s", table)
			}
		}
	}
}

func TestEveryKindComesBackFromItsRowAndItsJournalText(t *testing.T) {
	for _, e := range sample.Entries() {
		t.Run(e.Key().String(), func(t *testing.T) {
			if err := contract.Validate(e); err != nil {
				t.Fatal(err)
			}
			row, err := contract.Encode(e)
			if err != nil {
				t.Fatal(err)
			}
			back, err := contract.Decode(row)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(e, back, exactly); diff != "" && row.Table != contract.TableMySID { // its row has the arguments of all actions
				t.Errorf("row (-want +got):\n%s", diff)
			}
			row.Actions = nil
			if key, err := contract.Decode(row); err != nil || key.Key() != e.Key() {
				t.Errorf("a row without an action is %v, %v; want the key %s", key, err, e.Key())
			}
			kind, _ := contract.KindOf(e)
			text, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			named, _ := contract.KindNamed(kind.Name)
			parsed, err := named.Parse(text)
			if diff := cmp.Diff(e, parsed, exactly); err != nil || diff != "" {
				t.Errorf("journal: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// A type of entry that stands in no registry cannot be served, whatever its file says.
func TestEveryTypeWithAKeyIsAKind(t *testing.T) {
	registered := map[string]bool{}
	for _, e := range sample.Entries() {
		registered[reflect.TypeOf(e).Name()] = true
	}
	declared := map[string]bool{}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "Key" {
				declared[f.Recv.List[0].Type.(*ast.Ident).Name] = true
			}
		}
	}
	if !maps.Equal(declared, registered) {
		t.Errorf("types with a Key: %v, kinds with a sample: %v", slices.Sorted(maps.Keys(declared)), slices.Sorted(maps.Keys(registered)))
	}
}

func TestBitsAreANumberInJournals(t *testing.T) {
	wide := contract.PrefixMask(128, 128)
	for text, want := range map[string]contract.Bits{
		"0": {}, "35020": contract.Number(uint16(0x88cc)), "340282366920938463463374607431768211455": wide,
	} {
		var got contract.Bits
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%s is read as %s, %v", text, got, err)
		}
		if back, err := json.Marshal(want); err != nil || string(back) != text {
			t.Errorf("%s is written as %s, %v", want, back, err)
		}
	}
	for _, text := range []string{"-1", "340282366920938463463374607431768211456", `"5"`, "1.5"} {
		if err := json.Unmarshal([]byte(text), new(contract.Bits)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}
