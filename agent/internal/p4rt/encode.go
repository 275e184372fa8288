// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"

	"sextant/agent/internal/contract"
)

// Encode turns an entry into its message, canonical in every byte: what was written comes back
// equal (P4Runtime, "Read-Write Symmetry").
func (s *Schema) Encode(e contract.Entry) (*p4.TableEntry, error) {
	t := s.byAlias[e.Key().Table]
	if t == nil {
		return nil, contract.Errorf(contract.Internal, "%s: the P4Info has no such table", e.Key())
	}
	c, err := codecFor(t)
	if err != nil {
		return nil, err
	}
	r, err := c.encode(t, e)
	if err != nil {
		return nil, err
	}
	return r.message(), nil
}

func (r row) message() *p4.TableEntry {
	te := &p4.TableEntry{TableId: r.table.id, Match: r.fieldMatches(), Priority: r.priority, IsDefaultAction: r.isDefault}
	if r.table.selector == nil {
		te.Action = &p4.TableAction{Type: &p4.TableAction_Action{Action: r.choices[0].message()}}
		return te
	}
	set := new(p4.ActionProfileActionSet)
	for _, c := range r.choices {
		set.ActionProfileActions = append(set.ActionProfileActions, &p4.ActionProfileAction{Action: c.message(), Weight: c.weight})
	}
	te.Action = &p4.TableAction{Type: &p4.TableAction_ActionProfileActionSet{ActionProfileActionSet: set}}
	return te
}

// fieldMatches is the match in P4Info's order.
func (r row) fieldMatches() []*p4.FieldMatch {
	var out []*p4.FieldMatch
	for _, f := range r.table.fields {
		if m, given := r.match[f.id]; given {
			out = appendField(out, f, m)
		}
	}
	return out
}

// appendField leaves out an LPM field of length 0: that is how "anything" is written.
func appendField(fields []*p4.FieldMatch, f field, m match) []*p4.FieldMatch {
	fm := &p4.FieldMatch{FieldId: f.id}
	switch f.match {
	case p4config.MatchField_LPM:
		if m.prefixLen == 0 {
			return fields
		}
		fm.FieldMatchType = &p4.FieldMatch_Lpm{Lpm: &p4.FieldMatch_LPM{Value: m.value.canonical(), PrefixLen: int32(m.prefixLen)}}
	case p4config.MatchField_TERNARY:
		fm.FieldMatchType = &p4.FieldMatch_Ternary_{Ternary: &p4.FieldMatch_Ternary{Value: m.value.canonical(), Mask: m.mask.canonical()}}
	default:
		fm.FieldMatchType = &p4.FieldMatch_Exact_{Exact: &p4.FieldMatch_Exact{Value: m.value.canonical()}}
	}
	return append(fields, fm)
}

func (c choice) message() *p4.Action {
	a := &p4.Action{ActionId: c.action.id}
	for _, p := range c.action.params {
		a.Params = append(a.Params, &p4.Action_Param{ParamId: p.id, Value: c.args[p.id].canonical()})
	}
	return a
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
