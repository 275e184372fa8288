// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
)

// gateways are the addresses that the ports have, and have had: hosts behind a port send to one of them, and are cut off
// without it though every route is as it should be. They are the operator's, so the agent does not put them back; it
// says of the routes to such hosts what is wrong.
type gateways struct {
	have, had map[contract.PortID]map[netip.Prefix]bool
}

// readGateways looks at the addresses again if any has changed. Called with mu held, behind others.drain.
func (n *Node) readGateways() error {
	if !n.others.addresses {
		return nil
	}
	have := map[contract.PortID]map[netip.Prefix]bool{}
	for _, family := range []byte{unix.AF_INET6, unix.AF_INET} {
		all, err := n.conn.Addresses(family)
		if err != nil {
			return err
		}
		for id, p := range n.ports {
			for _, a := range all {
				if p.Index != 0 && a.Dev == p.Index && !a.Prefix.Addr().IsLinkLocalUnicast() {
					add(have, id, a.Prefix)
					add(n.gateways.had, id, a.Prefix)
				}
			}
		}
	}
	n.gateways.have = have
	n.others.addresses = false
	return nil
}

func add(to map[contract.PortID]map[netip.Prefix]bool, id contract.PortID, p netip.Prefix) {
	if to[id] == nil {
		to[id] = map[netip.Prefix]bool{}
	}
	to[id][p] = true
}

// lost finds the address that a port had in the network of a destination, where it has none there any more.
func (g gateways) lost(port contract.PortID, dst netip.Prefix) (netip.Prefix, bool) {
	covers := func(p netip.Prefix) bool { return p.Masked().Contains(dst.Addr()) && p.Bits() <= dst.Bits() }
	for p := range g.have[port] {
		if covers(p) {
			return netip.Prefix{}, false
		}
	}
	for _, p := range slices.SortedFunc(maps.Keys(g.had[port]), comparePrefixes) {
		if covers(p) {
			return p, true
		}
	}
	return netip.Prefix{}, false
}

// cutOff says of a route to hosts that its port has lost the address they send to.
func (n *Node) cutOff(e contract.Entry) error {
	route, ok := e.(contract.Route)
	if !ok || route.VRF != 0 {
		return nil
	}
	for _, m := range route.Members {
		nextHop, ok := lookup[contract.NextHop](n, contract.NextHopKey(m.NextHop))
		if !ok || !n.ports[nextHop.Port].Up {
			continue
		}
		if p, gone := n.gateways.lost(nextHop.Port, route.Dst); gone {
			name := n.options.Ports[nextHop.Port]
			return &contract.Error{
				Code:    contract.FailedPrecondition,
				Message: fmt.Sprintf("%s: port %d (%s) has lost the address %s, by which its hosts reach this node", e.Key(), nextHop.Port, name, p),
				Remedy:  fmt.Sprintf("add it again (ip addr add %s dev %s); if it is to stay away, restart the agent", p, name),
			}
		}
	}
	return nil
}
