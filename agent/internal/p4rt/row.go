// SPDX-License-Identifier: Apache-2.0

package p4rt

// A row is a table entry that passed every rule that P4Info alone can state: its ids are known, its
// values fit, its match is complete. What the values mean is the next step's matter (translate.go).
type row struct {
	table     *table
	match     map[uint32]match // by field id; an absent field matches anything
	priority  int32
	isDefault bool
	// choices holds the action of a direct table, or the members of a one-shot action set.
	choices []choice
}

// match is the value of one field; mask is for ternary, prefixLen for LPM.
type match struct {
	value, mask value
	prefixLen   int
}

// choice is an action with its arguments by parameter id; weight is 0 outside of action sets.
type choice struct {
	action *action
	args   map[uint32]value
	weight int32
}
