// SPDX-License-Identifier: Apache-2.0

package contract

import "net/netip"

// The tables of destinations that are sent into SR policies.
const (
	TableSteeringV6 = "steering_v6"
	TableSteeringV4 = "steering_v4"
)

func steeringKind() Kind {
	return kindOf("steering", decodeSteering, Steering.row, TableSteeringV6, TableSteeringV4)
}

// Steering sends packets to a destination prefix into an SR policy (RFC 8986, 5.1, 5.2), or drops them as long as that
// has no valid path (RFC 9256, 8.2). The family of Dst selects steering_v6 or steering_v4.
type Steering struct {
	VRF VRF
	Dst netip.Prefix
	// Drop leaves the others out: there is no list then.
	Drop    bool `json:",omitempty"`
	SIDList SIDListID
	// Reduced is H.Encaps.Red, otherwise H.Encaps.
	Reduced bool
}

// Key of a steering row is its VRF and destination; the family chooses the table.
func (e Steering) Key() Key { return Key{e.table(), vrfMatch(e.VRF, e.Dst)} }

// References is its list; a row that drops has none.
func (e Steering) References() []Key {
	if e.Drop {
		return nil
	}
	return []Key{SIDListKey(e.SIDList)}
}

func (e Steering) table() string { return byFamily(e.Dst, TableSteeringV6, TableSteeringV4) }

func (e Steering) problem() string {
	if e.Drop {
		return prefixProblem("dst", e.Dst)
	}
	return firstOf(prefixProblem("dst", e.Dst), sidListProblem(e.SIDList))
}

const (
	actionEncaps    = "h_encaps"
	actionEncapsRed = "h_encaps_red"
	actionDrop      = "drop_steered"
)

func decodeSteering(r Row) Steering {
	e := Steering{VRF: VRF(r.number("vrf")), Dst: r.prefix("dst")}
	for _, c := range r.Actions {
		if c.Action == actionDrop {
			e.Drop = true
			continue
		}
		e.SIDList, e.Reduced = SIDListID(c.number("sid_list")), c.Action == actionEncapsRed
	}
	return e
}

func (e Steering) row() Row {
	if e.Drop {
		return Row{Table: e.table(), Match: e.match(), Actions: []Call{{Action: actionDrop, Args: map[string]Bits{}}}}
	}
	c := Call{Action: actionEncaps, Args: map[string]Bits{"sid_list": Number(e.SIDList)}}
	if e.Reduced {
		c.Action = actionEncapsRed
	}
	return Row{Table: e.table(), Match: e.match(), Actions: []Call{c}}
}

func (e Steering) match() map[string]Match {
	return map[string]Match{"vrf": exact(e.VRF), "dst": lpm(e.Dst)}
}
