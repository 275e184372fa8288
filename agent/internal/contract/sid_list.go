// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"net/netip"
)

// TableSIDList is the segment lists.
const TableSIDList = "sid_list"

func sidListKind() Kind { return kindOf("sid_list", decodeSIDList, SIDList.row, TableSIDList) }

// SIDList is a weighted set of segment lists.
type SIDList struct {
	ID      SIDListID
	Members []SIDListMember
}

// SIDListMember is one segment list: containers or SIDs in travel order, at least one.
type SIDListMember struct {
	Weight   uint32
	Segments []netip.Addr
}

// Key of a segment list is its id.
func (e SIDList) Key() Key { return SIDListKey(e.ID) }

// SIDListKey is the key of the segment list with this id.
func SIDListKey(id SIDListID) Key { return Key{TableSIDList, fmt.Sprint(id)} }

// References is nothing.
func (e SIDList) References() []Key { return nil }

func (e SIDList) problem() string {
	if p := sidListProblem(e.ID); p != "" {
		return p
	}
	if len(e.Members) == 0 || len(e.Members) > MaxMembers {
		return fmt.Sprintf("a segment list has 1 to %d members, not %d", MaxMembers, len(e.Members))
	}
	for i, m := range e.Members {
		if m.Weight == 0 {
			return fmt.Sprintf("member %d has weight 0, the least is 1", i+1)
		}
		if len(m.Segments) == 0 {
			return fmt.Sprintf("member %d has no segments", i+1)
		}
		for _, s := range m.Segments {
			if p := sourceProblem(fmt.Sprintf("a segment of member %d", i+1), s); p != "" {
				return p
			}
		}
	}
	return ""
}

// An action for each length, segments_1 and on, has its segments as segment_1 and on.
func decodeSIDList(r Row) SIDList {
	e := SIDList{ID: SIDListID(r.number("id"))}
	for _, c := range r.Actions {
		m := SIDListMember{Weight: uint32(c.Weight)}
		for i := range len(c.Args) {
			m.Segments = append(m.Segments, c.Args[segmentParam(i)].IP6())
		}
		e.Members = append(e.Members, m)
	}
	return e
}

func (e SIDList) row() Row {
	r := Row{Table: TableSIDList, Match: map[string]Match{"id": exact(e.ID)}}
	for _, m := range e.Members {
		c := Call{Action: fmt.Sprintf("segments_%d", len(m.Segments)), Args: map[string]Bits{}, Weight: int32(m.Weight)}
		for i, s := range m.Segments {
			c.Args[segmentParam(i)] = AddressBits(s)
		}
		r.Actions = append(r.Actions, c)
	}
	return r
}

func segmentParam(i int) string { return fmt.Sprintf("segment_%d", i+1) }
