// SPDX-License-Identifier: Apache-2.0

package p4rt

import "sextant/agent/internal/contract"

// A row is a table entry that passed every rule that P4Info alone can state: its ids are known, its values fit, its
// match is complete. The meaning of the values is the contract's matter.
type row struct {
	table *table
	contract.Row
}

func newRow(t *table) row {
	return row{t, contract.Row{Table: t.alias, Match: map[string]contract.Match{}}}
}
