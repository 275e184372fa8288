// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"net/netip"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/gateways"
	"sextant/agent/internal/rows"
)

// readGateways looks at the addresses of the ports again if any has changed. Called with mu held, behind
// others.drain.
func (n *Node) readGateways() error {
	if !n.others.addresses {
		return nil
	}
	byDev := map[int][]netip.Prefix{}
	for _, family := range []byte{unix.AF_INET6, unix.AF_INET} {
		all, err := n.conn.Addresses(family)
		if err != nil {
			return err
		}
		for _, a := range all {
			byDev[a.Dev] = append(byDev[a.Dev], a.Prefix)
		}
	}
	for id, p := range n.ports {
		if p.Index != 0 {
			n.gateways.See(id, byDev[p.Index])
		}
	}
	n.others.addresses = false
	return nil
}

// cutOff says of a route to hosts that its port has lost the address they send to.
func (n *Node) cutOff(e contract.Entry) error {
	return n.gateways.CutOff(e, func(id contract.NextHopID) gateways.Port {
		nextHop, _ := rows.Lookup[contract.NextHop](n.rows, contract.NextHopKey(id))
		return gateways.Port{ID: nextHop.Port, Name: n.options.Ports[nextHop.Port], Up: n.ports[nextHop.Port].Up}
	})
}
