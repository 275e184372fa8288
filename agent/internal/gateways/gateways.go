// SPDX-License-Identifier: Apache-2.0

// Package gateways remembers the addresses by which hosts reach a node. They are the operator's: a back end does not
// restore a lost one, and reports the fault in the routes to the hosts behind it.
package gateways

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"

	"sextant/agent/internal/contract"
)

// Memory of the addresses that the ports have, and have had since it began. The zero value remembers none.
type Memory struct {
	have map[contract.PortID][]netip.Prefix
	had  map[contract.PortID][]netip.Prefix
}

// See takes the addresses that a port has now, with the length of their network.
func (m *Memory) See(port contract.PortID, addresses []netip.Prefix) {
	if m.have == nil {
		m.have, m.had = map[contract.PortID][]netip.Prefix{}, map[contract.PortID][]netip.Prefix{}
	}
	m.have[port] = slices.Clone(addresses)
	for _, a := range addresses {
		if !slices.Contains(m.had[port], a) {
			m.had[port] = append(m.had[port], a)
		}
	}
	slices.SortFunc(m.had[port], func(a, b netip.Prefix) int {
		return cmp.Or(a.Addr().Compare(b.Addr()), cmp.Compare(a.Bits(), b.Bits()))
	})
}

// lost finds the address that a port had in the network of a destination, where it has none there any more.
func (m *Memory) lost(port contract.PortID, dst netip.Prefix) (netip.Prefix, bool) {
	covers := func(p netip.Prefix) bool {
		return !p.Addr().IsLinkLocalUnicast() && p.Bits() <= dst.Bits() && p.Masked().Contains(dst.Addr())
	}
	if slices.ContainsFunc(m.have[port], covers) {
		return netip.Prefix{}, false
	}
	i := slices.IndexFunc(m.had[port], covers)
	if i < 0 {
		return netip.Prefix{}, false
	}
	return m.had[port][i], true
}

// A Port is where a next hop leads; one that is down cuts off no host that is not cut off already.
type Port struct {
	ID   contract.PortID
	Name string
	Up   bool
}

// CutOff says of a route to hosts that its port has lost the address they send to.
func (m *Memory) CutOff(e contract.Entry, port func(contract.NextHopID) Port) error {
	route, ok := e.(contract.Route)
	if !ok || route.VRF != 0 {
		return nil
	}
	for _, member := range route.Members {
		p := port(member.NextHop)
		if !p.Up {
			continue
		}
		if address, gone := m.lost(p.ID, route.Dst); gone {
			return &contract.Error{
				Code:    contract.FailedPrecondition,
				Message: fmt.Sprintf("%s: port %d (%s) has lost the address %s, by which its hosts reach this node", e.Key(), p.ID, p.Name, address),
				Remedy:  "add it again; if it is to stay away, restart the agent",
			}
		}
	}
	return nil
}
