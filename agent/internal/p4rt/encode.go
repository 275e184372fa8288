// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"

	"sextant/agent/internal/contract"
)

// Encode turns an entry into its message, canonical in every byte: the written message comes back equal (P4Runtime,
// "Read-Write Symmetry").
func (s *Schema) Encode(e contract.Entry) (*p4.TableEntry, error) {
	t := s.byAlias[e.Key().Table]
	if t == nil {
		return nil, contract.Errorf(contract.Internal, "%s: the P4Info has no such table", e.Key())
	}
	encoded, err := contract.Encode(e)
	if err != nil {
		return nil, err
	}
	return row{t, encoded}.message()
}

func (r row) message() (*p4.TableEntry, error) {
	te := &p4.TableEntry{TableId: r.table.id, Match: r.fieldMatches(), Priority: r.Priority, IsDefaultAction: r.Default}
	var members []*p4.ActionProfileAction
	for _, c := range r.Actions {
		a, err := r.table.call(c)
		if err != nil {
			return nil, err
		}
		if r.table.selector == nil {
			te.Action = &p4.TableAction{Type: &p4.TableAction_Action{Action: a}}
			return te, nil
		}
		members = append(members, &p4.ActionProfileAction{Action: a, Weight: c.Weight})
	}
	set := &p4.ActionProfileActionSet{ActionProfileActions: members}
	te.Action = &p4.TableAction{Type: &p4.TableAction_ActionProfileActionSet{ActionProfileActionSet: set}}
	return te, nil
}

// fieldMatches is the match in P4Info's order.
func (r row) fieldMatches() []*p4.FieldMatch {
	var out []*p4.FieldMatch
	for _, f := range r.table.fields {
		if m, given := r.Match[f.name]; given {
			out = appendField(out, f, m)
		}
	}
	return out
}

// appendField leaves out an LPM field of length 0: that is how "anything" is written.
func appendField(fields []*p4.FieldMatch, f field, m contract.Match) []*p4.FieldMatch {
	fm := &p4.FieldMatch{FieldId: f.id}
	value := m.Value.Canonical()
	switch f.match {
	case p4config.MatchField_LPM:
		if m.PrefixLength == 0 {
			return fields
		}
		fm.FieldMatchType = &p4.FieldMatch_Lpm{Lpm: &p4.FieldMatch_LPM{Value: value, PrefixLen: int32(m.PrefixLength)}}
	case p4config.MatchField_TERNARY:
		fm.FieldMatchType = &p4.FieldMatch_Ternary_{Ternary: &p4.FieldMatch_Ternary{Value: value, Mask: m.Mask.Canonical()}}
	case p4config.MatchField_RANGE:
		fm.FieldMatchType = &p4.FieldMatch_Range_{Range: &p4.FieldMatch_Range{Low: value, High: m.High.Canonical()}}
	default:
		fm.FieldMatchType = &p4.FieldMatch_Exact_{Exact: &p4.FieldMatch_Exact{Value: value}}
	}
	return append(fields, fm)
}

// call is an action of the table as a message; it takes of the arguments those that it has.
func (t *table) call(c contract.Call) (*p4.Action, error) {
	for _, ref := range t.refs {
		if ref.alias != c.Action {
			continue
		}
		a := &p4.Action{ActionId: ref.id}
		for _, p := range ref.params {
			a.Params = append(a.Params, &p4.Action_Param{ParamId: p.id, Value: c.Args[p.name].Canonical()})
		}
		return a, nil
	}
	return nil, contract.Errorf(contract.Internal, "table %s has no action %q in the P4Info", t.alias, c.Action)
}

// defaultEntry is the default entry of a table that nothing modified: NoAction.
func (s *Schema) defaultEntry(t *table) *p4.TableEntry {
	te := &p4.TableEntry{TableId: t.id, IsDefaultAction: true}
	for _, ref := range t.refs {
		if ref.id == t.constDefault || t.constDefault == 0 && ref.scope == p4config.ActionRef_DEFAULT_ONLY {
			te.Action = &p4.TableAction{Type: &p4.TableAction_Action{Action: &p4.Action{ActionId: ref.id}}}
		}
	}
	return te
}
