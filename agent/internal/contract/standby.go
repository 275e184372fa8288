// SPDX-License-Identifier: Apache-2.0

package contract

import "net/netip"

// TableStandbyV6 is the table of standby routes: next hops for prefixes whose routes have lost theirs.
const TableStandbyV6 = "standby_v6"

func standbyKind() Kind {
	return kindOf("standby", decodeStandby, Standby.row, TableStandbyV6)
}

// Standby is where packets to a prefix go when no member of its route can be used any more: they are encapsulated with
// the segment list of the repair (RFC 9855; H.Encaps.Red, RFC 8986, 5.2). The data plane switches by itself. Dst is of IPv6.
type Standby struct {
	VRF     VRF
	Dst     netip.Prefix
	SIDList SIDListID
}

// Key of a standby row is its VRF and destination.
func (e Standby) Key() Key { return Key{TableStandbyV6, vrfMatch(e.VRF, e.Dst)} }

// References is its list; the route need not be there.
func (e Standby) References() []Key { return []Key{SIDListKey(e.SIDList)} }

func (e Standby) problem() string {
	if p := firstOf(prefixProblem("dst", e.Dst), sidListProblem(e.SIDList)); p != "" {
		return p
	}
	if e.Dst.Addr().Is4() {
		return "dst " + e.Dst.String() + " is of IPv4, a standby of IPv6"
	}
	return ""
}

func decodeStandby(r Row) Standby {
	e := Standby{VRF: VRF(r.number("vrf")), Dst: r.prefix("dst")}
	for _, c := range r.Actions {
		e.SIDList = SIDListID(c.number("sid_list"))
	}
	return e
}

func (e Standby) row() Row {
	return Row{
		Table: TableStandbyV6, Match: map[string]Match{"vrf": exact(e.VRF), "dst": lpm(e.Dst)},
		Actions: []Call{{Action: "repair", Args: map[string]Bits{"sid_list": Number(e.SIDList)}}},
	}
}
