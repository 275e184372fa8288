// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"net"
	"net/netip"
	"slices"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
	"sextant/agent/internal/rows"
	"sextant/agent/internal/synthetic"
)

// Routes and SIDs lead via the synthetic address of a next hop, on any kernel from 6.6 (newer ones could name the device
// in a SID), and a changed MAC address touches the neighbour alone.

// nextHopObjects: a neighbour and a route to it, in both families. While the port is down or gone
// there are none, as the kernel takes them away itself; they are written when it returns.
func (v view) nextHopObjects(e contract.NextHop) (objects, error) {
	port, ok := v.port(e.Port)
	if !ok {
		return objects{}, contract.Errorf(contract.InvalidArgument, "%s: port %d is not a port of this node", e.Key(), e.Port)
	}
	if port.Index == 0 {
		return objects{}, nil
	}
	if e.SrcMAC != port.MAC {
		return objects{}, &contract.Error{
			Code: contract.InvalidArgument,
			Message: fmt.Sprintf("%s: src_mac %s is not the address of port %d, and Linux sends with no other",
				e.Key(), net.HardwareAddr(e.SrcMAC[:]), e.Port),
			Remedy: fmt.Sprintf("use %s", net.HardwareAddr(port.MAC[:])),
		}
	}
	if !port.Up {
		return objects{}, nil
	}
	var o objects
	for _, addr := range []netip.Addr{synthetic.V6(e.ID), synthetic.V4(e.ID)} {
		o.Neighbors = append(o.Neighbors, rtnl.Neighbor{Dev: port.Index, Addr: addr, MAC: e.DstMAC, Protocol: Protocol, Permanent: true})
		hop := rtnl.Hop{Dev: port.Index, Weight: 1}
		if addr.Is4() {
			// End.DX4 sends to the gateway of this route, or without one to the inner destination, which is no
			// neighbour (input_action_end_dx4, seen in 6.18). So the address is its own gateway.
			hop.Via, hop.OnLink = addr, true
		}
		o.Routes = append(o.Routes, ownRoute(mainTable, netip.PrefixFrom(addr, addr.BitLen()), metricSID, hop))
	}
	return o, nil
}

// route: one hop per next hop whose port is up, but for those that are held where the route gets on without them. Members with the same next hop become one, as the
// kernel refuses twins.
func (v view) route(e contract.Route) (objects, error) {
	table, err := tableOf(e.VRF)
	if err != nil {
		return objects{}, err
	}
	var ids []contract.NextHopID
	var weights []uint64
	for _, m := range e.Members {
		if i := slices.Index(ids, m.NextHop); i >= 0 {
			weights[i] += uint64(m.Weight)
			continue
		}
		ids, weights = append(ids, m.NextHop), append(weights, uint64(m.Weight))
	}
	shares, err := reduce(weights)
	if err != nil {
		return objects{}, err
	}
	var hops, held []rtnl.Hop
	for i, id := range ids {
		nextHop, ok := v.nextHop(id)
		if !ok {
			return objects{}, rows.Missing(e.Key(), contract.NextHopKey(id))
		}
		port, ok := v.port(nextHop.Port)
		if !ok || !port.Up {
			continue
		}
		hop := rtnl.Hop{Dev: port.Index, Via: synthetic.For(e.Dst.Addr(), id), OnLink: true, Weight: shares[i]}
		if port.Held {
			held = append(held, hop)
		} else {
			hops = append(hops, hop)
		}
	}
	if len(hops) == 0 && len(held) > 0 && !v.standsIn(e) {
		hops = held
	}
	return oneRoute(ownRoute(table, e.Dst, metricRoute, hops...)), nil
}

// oneRoute is a route that exists as long as it has a hop. The kernel keeps no weight for a single one.
func oneRoute(r rtnl.Route) objects {
	switch len(r.Hops) {
	case 0:
		return objects{}
	case 1:
		r.Hops[0].Weight = 1
	}
	return objects{Routes: []rtnl.Route{r}}
}
