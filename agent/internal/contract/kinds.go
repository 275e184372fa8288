// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"encoding/json"
	"reflect"
)

// A Kind is a type of entry: the tables that hold it, how it stands in their rows and in a journal.
type Kind struct {
	// Name is its name in journals; one that was ever released stays.
	Name   string
	Tables []string // by their aliases in P4Info
	// AlwaysThere says that its table has no key, and one row, which can be set and put back.
	AlwaysThere bool

	of     reflect.Type
	decode func(Row) Entry
	encode func(Entry) Row
	parse  func([]byte) (Entry, error)
}

// kinds is the one list of the contract's kinds of entries.
//
//nolint:gochecknoglobals // a constant
var kinds = []Kind{
	mySIDKind(), steeringKind(), sidListKind(), encapSourceKind(), routeKind(), nextHopKind(), puntKind(),
	flowKind(), copyKind(), dedupFlowKind(),
	gtpTunnelKind(), gtpRuleKind(), ueKind(),
	firewallKind(),
	edgePortKind(), edgeSIDKind(), edgeSourceKind(), edgePeerKind(),
	standbyKind(), livenessKind(), restorationKind(),
	flowSteeringKind(),
}

//nolint:gochecknoglobals // kinds, by their keys
var (
	kindByType  = index(func(k Kind) []reflect.Type { return []reflect.Type{k.of} })
	kindByTable = index(func(k Kind) []string { return k.Tables })
	kindByName  = index(func(k Kind) []string { return []string{k.Name} })
)

func index[K comparable](by func(Kind) []K) map[K]Kind {
	out := map[K]Kind{}
	for _, k := range kinds {
		for _, key := range by(k) {
			if _, twice := out[key]; twice {
				panic("two kinds of entries are known by one name") // found by any test
			}
			out[key] = k
		}
	}
	return out
}

// kindOf has decode read a row without an action as the entry's key alone; encode yields a row that decode
// turns into the same entry.
func kindOf[E Entry](name string, decode func(Row) E, encode func(E) Row, tables ...string) Kind {
	return Kind{
		Name: name, Tables: tables, of: reflect.TypeFor[E](),
		decode: func(r Row) Entry { return decode(r) },
		encode: func(e Entry) Row { return encode(e.(E)) },
		parse: func(b []byte) (Entry, error) {
			var e E
			err := json.Unmarshal(b, &e)
			return e, err
		},
	}
}

// Kinds lists all there are.
func Kinds() []Kind { return append([]Kind(nil), kinds...) }

// KindOf finds the kind of an entry. It is false for nil, and for types that are none of Kinds.
func KindOf(e Entry) (Kind, bool) {
	k, ok := kindByType[reflect.TypeOf(e)]
	return k, ok
}

// KindNamed finds a kind by its name in journals.
func KindNamed(name string) (Kind, bool) {
	k, ok := kindByName[name]
	return k, ok
}

// Decode gives a row its meaning; a row without an action is the entry's key alone.
func Decode(r Row) (Entry, error) {
	k, ok := kindByTable[r.Table]
	if !ok {
		return nil, Errorf(Unimplemented, "table %s: this agent has no meaning for it", r.Table)
	}
	return k.decode(r), nil
}

// Encode is the row that Decode turns into the entry.
func Encode(e Entry) (Row, error) {
	k, ok := KindOf(e)
	if !ok {
		return Row{}, notAnEntry(e)
	}
	return k.encode(e), nil
}

// Parse reads an entry of this kind as json.Marshal wrote it.
func (k Kind) Parse(b []byte) (Entry, error) { return k.parse(b) }
