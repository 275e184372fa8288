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
// the contract gives the row its meaning. Both are pure: same schema, same message, same result.

// invalid is the error nearly all of the decoder's refusals are.
func invalid(format string, args ...any) error {
	return contract.Errorf(contract.InvalidArgument, format, args...)
}

// within says where an InvalidArgument happened.
func within(err error, format string, args ...any) error {
	return &contract.Error{Code: contract.InvalidArgument, Message: fmt.Sprintf(format, args...), Err: err}
}

// key reads the key of an entry: table, match, priority, default or not. It is all that counts for a Delete and for a
// filtered read.
func (s *Schema) key(te *p4.TableEntry) (row, error) {
	t := s.byID[te.GetTableId()]
	if t == nil {
		return row{}, invalid("table 0x%08x is not in the P4Info; it has %s", te.GetTableId(), s.tableList())
	}
	r := newRow(t)
	r.Priority, r.Default = te.GetPriority(), te.GetIsDefaultAction()
	if r.Default {
		if len(te.GetMatch()) > 0 || r.Priority != 0 {
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
	case r.table.prioritized && r.Priority <= 0:
		return invalid("table %s: priority is %d, a table with ternary or range fields needs one greater than 0", r.table.alias, r.Priority)
	case !r.table.prioritized && r.Priority != 0:
		return invalid("table %s: priority is %d, a table without ternary and range fields takes none", r.table.alias, r.Priority)
	}
	return nil
}

func (r *row) readMatch(fields []*p4.FieldMatch) error {
	for _, fm := range fields {
		f, ok := fieldByID(r.table.fields, fm.GetFieldId())
		if !ok {
			return invalid("table %s has no match field %d; it has %s", r.table.alias, fm.GetFieldId(), strings.Join(names(r.table.fields), ", "))
		}
		if _, twice := r.Match[f.name]; twice {
			return invalid("table %s: match field %s is given twice", r.table.alias, f.name)
		}
		m, err := readField(f, fm)
		if err != nil {
			return within(err, "table %s: match field %s", r.table.alias, f.name)
		}
		r.Match[f.name] = m
	}
	for _, f := range r.table.fields {
		if _, given := r.Match[f.name]; !given && f.match == p4config.MatchField_EXACT {
			return invalid("table %s: match field %s is missing, an exact field must be given", r.table.alias, f.name)
		}
	}
	return nil
}

func readField(f field, fm *p4.FieldMatch) (contract.Match, error) {
	switch kind := fm.GetFieldMatchType().(type) {
	case *p4.FieldMatch_Exact_:
		if f.match == p4config.MatchField_EXACT {
			v, err := contract.ParseBits(kind.Exact.GetValue(), f.bits)
			return contract.Match{Value: v}, err
		}
	case *p4.FieldMatch_Lpm:
		if f.match == p4config.MatchField_LPM {
			return readLPM(f, kind.Lpm)
		}
	case *p4.FieldMatch_Ternary_:
		if f.match == p4config.MatchField_TERNARY {
			return readTernary(f, kind.Ternary)
		}
	case *p4.FieldMatch_Range_:
		if f.match == p4config.MatchField_RANGE {
			return readRange(f, kind.Range)
		}
	}
	return contract.Match{}, invalid("it must be given as %s", strings.ToLower(f.match.String()))
}

func readLPM(f field, lpm *p4.FieldMatch_LPM) (contract.Match, error) {
	length := int(lpm.GetPrefixLen())
	if length == 0 {
		return contract.Match{}, invalid("prefix_len is 0; to match anything, leave the field out")
	}
	if length < 0 || length > f.bits {
		return contract.Match{}, invalid("prefix_len is %d, the field has %d bits", length, f.bits)
	}
	v, err := contract.ParseBits(lpm.GetValue(), f.bits)
	if err != nil {
		return contract.Match{}, err
	}
	if v.Outside(contract.PrefixMask(length, f.bits)) {
		return contract.Match{}, invalid("value %s has bits set behind its prefix_len %d", contract.Hex(lpm.GetValue()), length)
	}
	return contract.Match{Value: v, PrefixLength: length}, nil
}

func readTernary(f field, ternary *p4.FieldMatch_Ternary) (contract.Match, error) {
	mask, err := contract.ParseBits(ternary.GetMask(), f.bits)
	if err != nil {
		return contract.Match{}, within(err, "mask")
	}
	if mask.IsZero() {
		return contract.Match{}, invalid("the mask is 0; to match anything, leave the field out")
	}
	v, err := contract.ParseBits(ternary.GetValue(), f.bits)
	if err != nil {
		return contract.Match{}, err
	}
	if v.Outside(mask) {
		return contract.Match{}, invalid("value %s has bits set outside of its mask %s", contract.Hex(ternary.GetValue()), contract.Hex(ternary.GetMask()))
	}
	return contract.Match{Value: v, Mask: mask}, nil
}

func readRange(f field, interval *p4.FieldMatch_Range) (contract.Match, error) {
	low, err := contract.ParseBits(interval.GetLow(), f.bits)
	if err != nil {
		return contract.Match{}, within(err, "low")
	}
	high, err := contract.ParseBits(interval.GetHigh(), f.bits)
	if err != nil {
		return contract.Match{}, within(err, "high")
	}
	if low.Compare(high) > 0 {
		return contract.Match{}, invalid("low %s is above high %s", low, high)
	}
	if low.IsZero() && high == contract.PrefixMask(f.bits, f.bits) {
		return contract.Match{}, invalid("the range holds all values; to match anything, leave the field out")
	}
	return contract.Match{Value: low, High: high}, nil
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
	r.Actions, err = s.readAction(&r, te.GetAction())
	return r, err
}

// checkExtras refuses fields that an entry may have in other pipelines and would lose here.
func checkExtras(t *table, te *p4.TableEntry) error {
	switch {
	case te.GetIsConst():
		return invalid("table %s: is_const must be false in a write", t.alias)
	case te.GetMeterConfig() != nil || te.GetMeterCounterData() != nil:
		return invalid("table %s has no meter", t.alias)
	case te.GetIdleTimeoutNs() != 0 && !t.idles:
		return invalid("table %s has no idle timeout", t.alias)
	case te.GetIdleTimeoutNs() != 0:
		return contract.Errorf(contract.Unimplemented, "table %s: no entry expires here; leave idle_timeout_ns out", t.alias)
	case te.GetTimeSinceLastHit() != nil:
		return invalid("table %s: time_since_last_hit is for reading", t.alias)
	case te.GetCounterData() != nil && !t.counter:
		return invalid("table %s has no direct counter", t.alias)
	case te.GetCounterData().GetByteCount() != 0 || te.GetCounterData().GetPacketCount() != 0:
		return contract.Errorf(contract.Unimplemented, "table %s: counters start at 0 and cannot be set; leave counter_data out", t.alias)
	}
	return nil
}

func (s *Schema) readAction(r *row, ta *p4.TableAction) ([]contract.Call, error) {
	t := r.table
	switch kind := ta.GetType().(type) {
	case *p4.TableAction_Action:
		if t.selector != nil && !r.Default {
			return nil, invalid("table %s takes a one-shot action set, not a single action", t.alias)
		}
		c, err := s.readChoice(r, kind.Action)
		return []contract.Call{c}, err
	case *p4.TableAction_ActionProfileActionSet:
		if t.selector == nil || r.Default {
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

func (s *Schema) readActionSet(r *row, set *p4.ActionProfileActionSet) ([]contract.Call, error) {
	t := r.table
	var choices []contract.Call
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
		c.Weight = member.GetWeight()
		sum += int64(c.Weight)
		choices = append(choices, c)
	}
	return choices, checkGroupSize(t, choices, sum)
}

// checkGroupSize holds the set against max_group_size (P4Runtime, "One Shot Action Selector Programming").
func checkGroupSize(t *table, choices []contract.Call, sum int64) error {
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
			if heaviest := members.GetMaxMemberWeight(); heaviest > 0 && c.Weight > heaviest {
				return invalid("table %s: member %d has weight %d, the most is %d", t.alias, i+1, c.Weight, heaviest)
			}
		}
		return nil
	}
	if sum > most {
		return invalid("table %s: the weights add up to %d, at most %d fit into a group; divide them", t.alias, sum, most)
	}
	return nil
}

func (s *Schema) readChoice(r *row, a *p4.Action) (contract.Call, error) {
	t := r.table
	ref, ok := t.actions[a.GetActionId()]
	if !ok {
		if known := s.actions[a.GetActionId()]; known != nil {
			return contract.Call{}, invalid("action %s is not one of table %s; it has %s", known.alias, t.alias, t.actionList(r.Default))
		}
		return contract.Call{}, invalid("table %s: action 0x%08x is not in the P4Info", t.alias, a.GetActionId())
	}
	if r.Default && ref.scope == p4config.ActionRef_TABLE_ONLY || !r.Default && ref.scope == p4config.ActionRef_DEFAULT_ONLY {
		return contract.Call{}, contract.Errorf(contract.PermissionDenied, "table %s: action %s is %s", t.alias, ref.alias, strings.ToLower(ref.scope.String()))
	}
	args, err := readParams(ref.action, a.GetParams())
	if err != nil {
		return contract.Call{}, within(err, "table %s: action %s", t.alias, ref.alias)
	}
	return contract.Call{Action: ref.alias, Args: args}, nil
}

func readParams(a *action, params []*p4.Action_Param) (map[string]contract.Bits, error) {
	args := map[string]contract.Bits{}
	for _, p := range params {
		f, ok := fieldByID(a.params, p.GetParamId())
		if !ok {
			return nil, invalid("there is no parameter %d", p.GetParamId())
		}
		if _, twice := args[f.name]; twice {
			return nil, invalid("parameter %s is given twice", f.name)
		}
		v, err := contract.ParseBits(p.GetValue(), f.bits)
		if err != nil {
			return nil, within(err, "parameter %s", f.name)
		}
		args[f.name] = v
	}
	for _, f := range a.params {
		if _, given := args[f.name]; !given {
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
