// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	p4 "github.com/p4lang/p4runtime/go/p4/v1"
)

// filter is the filter of a read request.
type filter struct {
	table     *table // nil for all
	isDefault bool
	match     []*p4.FieldMatch // canonical; empty for all
	actionID  uint32           // 0 for all
	priority  int32            // 0 for all
	cookie    cookie           // each half empty for all
}

// filter decodes a read request. A field that it leaves out is a wildcard.
func (s *Schema) filter(want *p4.TableEntry) (filter, error) {
	f := filter{isDefault: want.GetIsDefaultAction(), actionID: want.GetAction().GetAction().GetActionId(), priority: want.GetPriority(), cookie: cookieOf(want)}
	if want.GetTableId() == 0 {
		if len(want.GetMatch()) > 0 || f.actionID != 0 || f.priority != 0 || f.cookie != (cookie{}) {
			return f, invalid("table_id 0 reads all tables and takes no other filter")
		}
		return f, nil
	}
	f.table = s.byID[want.GetTableId()]
	if f.table == nil {
		return f, invalid("table 0x%08x is not in the P4Info; it has %s", want.GetTableId(), s.tableList())
	}
	if _, known := f.table.actions[f.actionID]; f.actionID != 0 && !known {
		return f, invalid("action 0x%08x is not one of table %s", f.actionID, f.table.alias)
	}
	if want.GetTimeSinceLastHit() != nil && !f.table.idles {
		return f, invalid("table %s does not remember when its entries were hit; leave time_since_last_hit out", f.table.alias)
	}
	if f.priority != 0 && !f.table.prioritized {
		return f, invalid("table %s: priority is %d, a table without ternary and range fields has none", f.table.alias, f.priority)
	}
	if len(want.GetMatch()) == 0 {
		return f, nil
	}
	r := newRow(f.table)
	if err := r.readMatch(want.GetMatch()); err != nil {
		return f, err
	}
	f.match = r.fieldMatches()
	return f, nil
}

// passes asks all but the match, by which rows are looked up.
func (f filter) passes(te *p4.TableEntry) bool {
	return te.GetIsDefaultAction() == f.isDefault &&
		(f.table == nil || f.table.id == te.GetTableId()) &&
		(f.priority == 0 || f.priority == te.GetPriority()) &&
		(f.cookie.number == 0 || f.cookie.number == cookieOf(te).number) &&
		(f.cookie.text == "" || f.cookie.text == cookieOf(te).text) &&
		f.action(te)
}

// action compares the action of a direct table; an action set is not filtered by (P4Runtime, "Wildcard Reads").
func (f filter) action(te *p4.TableEntry) bool {
	return f.actionID == 0 || te.GetAction().GetAction().GetActionId() == f.actionID
}
