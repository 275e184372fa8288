// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"net/netip"
)

// The tables of the underlay.
const (
	TableRouteV6 = "route_v6"
	TableRouteV4 = "route_v4"
)

func routeKind() Kind { return kindOf("route", decodeRoute, Route.row, TableRouteV6, TableRouteV4) }

// Route is an underlay route; more than one member is ECMP.
type Route struct {
	VRF     VRF
	Dst     netip.Prefix
	Members []RouteMember
}

// RouteMember is a weighted next hop of a route.
type RouteMember struct {
	Weight  uint32
	NextHop NextHopID
}

// Key of a route is its VRF and destination; the family chooses the table.
func (e Route) Key() Key { return Key{e.table(), vrfMatch(e.VRF, e.Dst)} }

// References are its next hops.
func (e Route) References() []Key {
	var keys []Key
	for _, m := range e.Members {
		keys = append(keys, NextHopKey(m.NextHop))
	}
	return keys
}

func (e Route) table() string { return byFamily(e.Dst, TableRouteV6, TableRouteV4) }

func (e Route) problem() string {
	if p := prefixProblem("dst", e.Dst); p != "" {
		return p
	}
	if len(e.Members) == 0 || len(e.Members) > MaxMembers {
		return fmt.Sprintf("a route has 1 to %d members, not %d", MaxMembers, len(e.Members))
	}
	for i, m := range e.Members {
		if m.Weight == 0 {
			return fmt.Sprintf("member %d has weight 0, the least is 1", i+1)
		}
		if p := nextHopProblem(m.NextHop); p != "" {
			return p
		}
	}
	return ""
}

func decodeRoute(r Row) Route {
	e := Route{VRF: VRF(r.number("vrf")), Dst: r.prefix("dst")}
	for _, c := range r.Actions {
		e.Members = append(e.Members, RouteMember{Weight: uint32(c.Weight), NextHop: NextHopID(c.number("next_hop"))})
	}
	return e
}

func (e Route) row() Row {
	r := Row{Table: e.table(), Match: map[string]Match{"vrf": exact(e.VRF), "dst": lpm(e.Dst)}}
	for _, m := range e.Members {
		r.Actions = append(r.Actions, Call{
			Action: "set_next_hop", Args: map[string]Bits{"next_hop": Number(m.NextHop)}, Weight: int32(m.Weight),
		})
	}
	return r
}
