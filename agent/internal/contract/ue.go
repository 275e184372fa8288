// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"net/netip"
)

// The tables of addresses that belong to mobile sessions.
const (
	TableUEv6 = "ue_v6"
	TableUEv4 = "ue_v4"
)

func ueKind() Kind { return kindOf("ue", decodeUE, UE.row, TableUEv6, TableUEv4) }

// UE sends packets to an address of a mobile session into its slice, to the session's own last SID
// (docs/reference/mobile-node.md). The family of Dst selects ue_v6 or ue_v4.
type UE struct {
	VRF VRF
	Dst netip.Prefix
	// SIDList is the slice's path, 0 for none.
	SIDList SIDListID
	// Args are Args.Mob.Session, written at bit ArgsAt of the last SID of the list unless that is 0.
	ArgsAt uint8
	Args   uint64
	// Last is one more segment behind the list; the zero address is none.
	Last netip.Addr
	// Source of the outer header; the zero address is that of encap_source.
	Source netip.Addr
}

// Key of a UE's row is its VRF and destination; the family chooses the table.
func (e UE) Key() Key { return Key{byFamily(e.Dst, TableUEv6, TableUEv4), vrfMatch(e.VRF, e.Dst)} }

// References is its list.
func (e UE) References() []Key {
	if e.SIDList == 0 {
		return nil
	}
	return []Key{SIDListKey(e.SIDList)}
}

func (e UE) problem() string {
	if p := firstOf(prefixProblem("dst", e.Dst), roomProblem("args_at", e.ArgsAt, sessionBits), optionalSourceProblem(e.Source)); p != "" {
		return p
	}
	switch {
	case e.Args>>sessionBits != 0:
		return fmt.Sprintf("args %#x have more than %d bits", e.Args, sessionBits)
	case e.SIDList == 0 && e.ArgsAt != 0:
		return "args_at is of the last SID of a list, and there is no list"
	case e.SIDList == 0 && e.Last == netip.Addr{}:
		return "neither a list nor a last segment: there is nowhere to send to"
	case e.Last != netip.Addr{}:
		return sourceProblem("last", e.Last)
	}
	return ""
}

func decodeUE(r Row) UE {
	e := UE{VRF: VRF(r.number("vrf")), Dst: r.prefix("dst")}
	for _, c := range r.Actions {
		e.SIDList, e.ArgsAt, e.Args = SIDListID(c.number("sid_list")), uint8(c.number("args_at")), c.number("args")
		e.Last, e.Source = optionalAddress(c.Args["last"]), optionalAddress(c.Args["source"])
	}
	return e
}

func (e UE) row() Row {
	return Row{
		Table: e.Key().Table, Match: map[string]Match{"vrf": exact(e.VRF), "dst": lpm(e.Dst)},
		Actions: []Call{{Action: "send_to", Args: map[string]Bits{
			"sid_list": Number(e.SIDList), "args_at": Number(e.ArgsAt), "args": Number(e.Args),
			"last": optionalBits(e.Last), "source": optionalBits(e.Source),
		}}},
	}
}
