// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"fmt"
	"strings"

	p4config "github.com/p4lang/p4runtime/go/p4/config/v1"
	p4 "github.com/p4lang/p4runtime/go/p4/v1"

	"sextant/agent/internal/contract"
)

// The decoder has two steps. This file checks a message against P4Info and yields a row;
// translate.go gives the row its meaning. Both are pure: same schema, same message, same result.

// invalid is the error nearly all of the decoder's refusals are.
func invalid(format string, args ...any) error {
	return contract.Errorf(contract.InvalidArgument, format, args...)
}

// within says where an InvalidArgument happened.
func within(err error, format string, args ...any) error {
	return &contract.Error{Code: contract.InvalidArgument, Message: fmt.Sprintf(format, args...), Err: err}
}

// key reads what identifies an entry: table, match, priority, default or not. It is all that counts
// for a Delete and for a filtered read.
func (s *Schema) key(te *p4.TableEntry) (row, error) {
	t := s.byID[te.GetTableId()]
	if t == nil {
		return row{}, invalid("table 0x%08x is not in the P4Info; it has %s", te.GetTableId(), s.tableList())
	}
	r := row{table: t, match: map[uint32]match{}, priority: te.GetPriority(), isDefault: te.GetIsDefaultAction()}
	if r.isDefault {
		if len(te.GetMatch()) > 0 || r.priority != 0 {
			return row{}, invalid("table %s: the default entry has neither match fields nor a priority", t.alias)
		}
		return r, nil
	}
	if len(t.fields) == 0 {
		return row{}, invalid("table %s has no key: only its default entry exists, set is_default_action and use MODIFY", t.alias)
	}
	if err := r.readMatch(te.GetMatch()); err != nil {
		return row{}, err
	}
	return r, r.checkPriority()
}

func (r *row) checkPriority() error {
	switch {
	case r.table.ternary && r.priority <= 0:
		return invalid("table %s: priority is %d, a table with ternary fields needs one greater than 0", r.table.alias, r.priority)
	case !r.table.ternary && r.priority != 0:
		return invalid("table %s: priority is %d, a table without ternary fields takes none", r.table.alias, r.priority)
	}
	return nil
}

func (r *row) readMatch(fields []*p4.FieldMatch) error {
	for _, fm := range fields {
		f, ok := fieldByID(r.table.fields, fm.GetFieldId())
		if !ok {
			return invalid("table %s has no match field %d; it has %s", r.table.alias, fm.GetFieldId(), strings.Join(names(r.table.fields), ", "))
		}
		if _, twice := r.match[f.id]; twice {
			return invalid("table %s: match field %s is given twice", r.table.alias, f.name)
		}
		m, err := readField(f, fm)
		if err != nil {
			return within(err, "table %s: match field %s", r.table.alias, f.name)
		}
		r.match[f.id] = m
	}
	for _, f := range r.table.fields {
		if _, given := r.match[f.id]; !given && f.match == p4config.MatchField_EXACT {
			return invalid("table %s: match field %s is missing, an exact field must be given", r.table.alias, f.name)
		}
	}
	return nil
}

func readField(f field, fm *p4.FieldMatch) (match, error) {
	switch kind := fm.GetFieldMatchType().(type) {
	case *p4.FieldMatch_Exact_:
		if f.match == p4config.MatchField_EXACT {
			v, err := parseValue(kind.Exact.GetValue(), f.bits)
			return match{value: v}, err
		}
	case *p4.FieldMatch_Lpm:
		if f.match == p4config.MatchField_LPM {
			return readLPM(f, kind.Lpm)
		}
	case *p4.FieldMatch_Ternary_:
		if f.match == p4config.MatchField_TERNARY {
			return readTernary(f, kind.Ternary)
		}
	}
	return match{}, invalid("it must be given as %s", strings.ToLower(f.match.String()))
}

func readLPM(f field, lpm *p4.FieldMatch_LPM) (match, error) {
	length := int(lpm.GetPrefixLen())
	if length == 0 {
		return match{}, invalid("prefix_len is 0; to match anything, leave the field out")
	}
	if length < 0 || length > f.bits {
		return match{}, invalid("prefix_len is %d, the field has %d bits", length, f.bits)
	}
	v, err := parseValue(lpm.GetValue(), f.bits)
	if err != nil {
		return match{}, err
	}
	if v.outside(prefixMask(length, f.bits)) {
		return match{}, invalid("value %s has bits set behind its prefix_len %d", hexed(lpm.GetValue()), length)
	}
	return match{value: v, prefixLen: length}, nil
}

func readTernary(f field, ternary *p4.FieldMatch_Ternary) (match, error) {
	mask, err := parseValue(ternary.GetMask(), f.bits)
	if err != nil {
		return match{}, within(err, "mask")
	}
	if mask.zero() {
		return match{}, invalid("the mask is 0; to match anything, leave the field out")
	}
	v, err := parseValue(ternary.GetValue(), f.bits)
	if err != nil {
		return match{}, err
	}
	if v.outside(mask) {
		return match{}, invalid("value %s has bits set outside of its mask %s", hexed(ternary.GetValue()), hexed(ternary.GetMask()))
	}
	return match{value: v, mask: mask}, nil
}

// entry reads a whole entry, as Insert and Modify carry it.
func (s *Schema) entry(te *p4.TableEntry) (row, error) {
	r, err := s.key(te)
	if err != nil {
		return row{}, err
	}
	if err := checkExtras(r.table, te); err != nil {
		return row{}, err
	}
	if te.GetAction() == nil {
		return r, nil
	}
	r.choices, err = s.readAction(&r, te.GetAction())
	return r, err
}

// checkExtras refuses what an entry may carry in other pipelines and would be lost here.
func checkExtras(t *table, te *p4.TableEntry) error {
	switch {
	case te.GetIsConst():
		return invalid("table %s: is_const must be false in a write", t.alias)
	case te.GetMeterConfig() != nil || te.GetMeterCounterData() != nil:
		return invalid("table %s has no meter", t.alias)
	case te.GetIdleTimeoutNs() != 0:
		return invalid("table %s has no idle timeout", t.alias)
	case te.GetCounterData() != nil && !t.counter:
		return invalid("table %s has no direct counter", t.alias)
	case te.GetCounterData().GetByteCount() != 0 || te.GetCounterData().GetPacketCount() != 0:
		return contract.Errorf(contract.Unimplemented, "table %s: counters start at 0 and cannot be set; leave counter_data out", t.alias)
	}
	return nil
}

func (s *Schema) readAction(r *row, ta *p4.TableAction) ([]choice, error) {
	t := r.table
	switch kind := ta.GetType().(type) {
	case *p4.TableAction_Action:
		if t.selector != nil && !r.isDefault {
			return nil, invalid("table %s takes a one-shot action set, not a single action", t.alias)
		}
		c, err := s.readChoice(r, kind.Action)
		return []choice{c}, err
	case *p4.TableAction_ActionProfileActionSet:
		if t.selector == nil || r.isDefault {
			return nil, invalid("table %s takes a single action here, not an action set", t.alias)
		}
		return s.readActionSet(r, kind.ActionProfileActionSet)
	case *p4.TableAction_ActionProfileMemberId, *p4.TableAction_ActionProfileGroupId:
		if t.selector == nil {
			return nil, invalid("table %s takes a single action, it has no action profile", t.alias)
		}
		return nil, contract.Errorf(contract.Unimplemented, "table %s: members and groups are not served; write a one-shot action set", t.alias)
	default:
		return nil, invalid("table %s: the action is empty", t.alias)
	}
}

func (s *Schema) readActionSet(r *row, set *p4.ActionProfileActionSet) ([]choice, error) {
	t := r.table
	var choices []choice
	var sum int64
	for i, member := range set.GetActionProfileActions() {
		if member.GetWeight() <= 0 {
			return nil, invalid("table %s: member %d has weight %d, the least is 1", t.alias, i+1, member.GetWeight())
		}
		if member.GetWatchKind() != nil {
			return nil, contract.Errorf(contract.Unimplemented, "table %s: member %d: watch_port is not served", t.alias, i+1)
		}
		if member.GetAction() == nil {
			return nil, invalid("table %s: member %d has no action", t.alias, i+1)
		}
		c, err := s.readChoice(r, member.GetAction())
		if err != nil {
			return nil, err
		}
		c.weight = member.GetWeight()
		sum += int64(c.weight)
		choices = append(choices, c)
	}
	return choices, checkGroupSize(t, choices, sum)
}

// checkGroupSize holds the set against max_group_size (P4Runtime, "One Shot Action Selector Programming").
func checkGroupSize(t *table, choices []choice, sum int64) error {
	most := int64(t.selector.GetMaxGroupSize())
	if len(choices) == 0 {
		return invalid("table %s: the action set has no members", t.alias)
	}
	if most == 0 {
		return nil
	}
	if members := t.selector.GetSumOfMembers(); members != nil {
		if int64(len(choices)) > most {
			return invalid("table %s: the action set has %d members, at most %d fit", t.alias, len(choices), most)
		}
		for i, c := range choices {
			if heaviest := members.GetMaxMemberWeight(); heaviest > 0 && c.weight > heaviest {
				return invalid("table %s: member %d has weight %d, the most is %d", t.alias, i+1, c.weight, heaviest)
			}
		}
		return nil
	}
	if sum > most {
		return invalid("table %s: the weights add up to %d, at most %d fit into a group; divide them", t.alias, sum, most)
	}
	return nil
}

func (s *Schema) readChoice(r *row, a *p4.Action) (choice, error) {
	t := r.table
	ref, ok := t.actions[a.GetActionId()]
	if !ok {
		if known := s.actions[a.GetActionId()]; known != nil {
			return choice{}, invalid("action %s is not one of table %s; it has %s", known.alias, t.alias, t.actionList(r.isDefault))
		}
		return choice{}, invalid("table %s: action 0x%08x is not in the P4Info", t.alias, a.GetActionId())
	}
	if r.isDefault && ref.scope == p4config.ActionRef_TABLE_ONLY || !r.isDefault && ref.scope == p4config.ActionRef_DEFAULT_ONLY {
		return choice{}, contract.Errorf(contract.PermissionDenied, "table %s: action %s is %s", t.alias, ref.alias, strings.ToLower(ref.scope.String()))
	}
	args, err := readParams(ref.action, a.GetParams())
	if err != nil {
		return choice{}, within(err, "table %s: action %s", t.alias, ref.alias)
	}
	return choice{action: ref.action, args: args}, nil
}

func readParams(a *action, params []*p4.Action_Param) (map[uint32]value, error) {
	args := map[uint32]value{}
	for _, p := range params {
		f, ok := fieldByID(a.params, p.GetParamId())
		if !ok {
			return nil, invalid("there is no parameter %d", p.GetParamId())
		}
		if _, twice := args[f.id]; twice {
			return nil, invalid("parameter %s is given twice", f.name)
		}
		v, err := parseValue(p.GetValue(), f.bits)
		if err != nil {
			return nil, within(err, "parameter %s", f.name)
		}
		args[f.id] = v
	}
	for _, f := range a.params {
		if _, given := args[f.id]; !given {
			return nil, invalid("parameter %s is missing", f.name)
		}
	}
	return args, nil
}

func (s *Schema) tableList() string {
	var out []string
	for _, t := range s.tables {
		out = append(out, t.alias)
	}
	return strings.Join(out, ", ")
}

// actionList names the actions that a default or a usual entry of the table may have.
func (t *table) actionList(isDefault bool) string {
	var out []string
	for _, ref := range t.refs {
		if isDefault && ref.scope != p4config.ActionRef_TABLE_ONLY || !isDefault && ref.scope != p4config.ActionRef_DEFAULT_ONLY {
			out = append(out, ref.alias)
		}
	}
	if len(out) > 8 {
		out = append(append(out[:3:3], "…"), out[len(out)-1])
	}
	return strings.Join(out, ", ")
}
