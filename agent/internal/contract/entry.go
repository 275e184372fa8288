// SPDX-License-Identifier: Apache-2.0

// Package contract holds the entries of Sextant's logical SRv6 pipeline as Go values, and the interfaces by which a
// data plane serves them. It knows neither P4Runtime messages nor a kernel: package p4rt turns messages into rows, this
// package rows into entries, a back end entries into its own state.
//
// An entry has a file of its own with everything about it: type, key, references, checks, and its form as a row.
// kinds.go lists the entries; nothing else does.
package contract

import (
	"cmp"
	"strings"
)

// An Entry is one row of a contract table. The types of Kinds are the only ones. Two entries with equal Key are the
// same row; an update may modify the rest.
type Entry interface {
	// Key identifies the row within all tables; it is comparable and usable as a map key.
	Key() Key
	// References lists the rows that this one cannot do without.
	References() []Key
	// problem returns the fault of the entry on its own, or "".
	problem() string
}

// Key names a row: its table and the canonical text of its match, for example "my_sid fcbb:bbbb:100::/48".
type Key struct {
	Table string
	Match string
}

// String is how messages name a row: its table and its match.
func (k Key) String() string { return strings.TrimSpace(k.Table + " " + k.Match) }

// Compare orders keys by table and match.
func (k Key) Compare(other Key) int {
	return cmp.Or(strings.Compare(k.Table, other.Table), strings.Compare(k.Match, other.Match))
}

// All identifiers are chosen by the controller.
type (
	// NextHopID names an adjacency.
	NextHopID uint16
	// SIDListID names a segment list.
	SIDListID uint32
	// VRF names a routing table; 0 is the main one.
	VRF uint16
	// PortID is 1 to 510.
	PortID uint16
	// FlowID is of a Live-Live flow, unique in the network.
	FlowID uint32
	// GroupID is 1 or more: a sequence and a set of paths.
	GroupID uint16
	// PathID is 1 to 15.
	PathID uint8
	// FirewallID is of a set of rules; it is never used again for other ones.
	FirewallID uint32
)

// Ternary is a value under a mask; bits outside of the mask are zero in Value.
type Ternary struct{ Value, Mask Bits }

// Masked is a Ternary of at most 64 bits.
func Masked(value, mask uint64) *Ternary { return &Ternary{Number(value), Number(mask)} }
