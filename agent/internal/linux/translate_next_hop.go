// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"net"
	"net/netip"
	"slices"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
)

// A next hop of the contract is a port and two MAC addresses; the kernel knows neighbours by IP
// address. So each next hop gets a synthetic address of its own, with a permanent neighbour entry:
//
//	next_hop 258  ->  fd5e:7e00::102 and 169.254.1.2, both dev PORT, lladdr dst_mac
//
// Routes and SIDs lead via that address, on any kernel from 6.6 (newer ones could name the device
// in a SID), and a changed MAC address touches the neighbour alone. The addresses exist inside the
// node's namespace only and never appear in a packet.

// syntheticV6 is the unique local prefix (RFC 4193) of the synthetic addresses; the next hop's id is the last 16 bits.
func syntheticV6(id contract.NextHopID) netip.Addr {
	return netip.AddrFrom16([16]byte{0xfd, 0x5e, 0x7e, 0x00, 14: byte(id >> 8), 15: byte(id)})
}

// syntheticV4 is a link-local address (RFC 3927) that ends in the next hop's id.
func syntheticV4(id contract.NextHopID) netip.Addr {
	return netip.AddrFrom4([4]byte{169, 254, byte(id >> 8), byte(id)})
}

// isSynthetic says whether an address is of the ranges above.
func isSynthetic(a netip.Addr) bool {
	if a.Is4() {
		return netip.PrefixFrom(syntheticV4(0), 16).Contains(a)
	}
	return netip.PrefixFrom(syntheticV6(0), 112).Contains(a)
}

func syntheticFor(family netip.Addr, id contract.NextHopID) netip.Addr {
	if family.Is4() {
		return syntheticV4(id)
	}
	return syntheticV6(id)
}

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
	for _, addr := range []netip.Addr{syntheticV6(e.ID), syntheticV4(e.ID)} {
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

// route: one hop per next hop whose port is up. Members with the same next hop become one, as the
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
	var hops []rtnl.Hop
	for i, id := range ids {
		nextHop, ok := v.nextHop(id)
		if !ok {
			return objects{}, missing(e.Key(), contract.NextHopKey(id))
		}
		if port, ok := v.port(nextHop.Port); ok && port.Up {
			hops = append(hops, rtnl.Hop{Dev: port.Index, Via: syntheticFor(e.Dst.Addr(), id), OnLink: true, Weight: shares[i]})
		}
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
