// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"encoding/binary"
	"net/netip"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/probes"
	"sextant/agent/internal/linux/rtnl"
)

// A watched list has an address of its own, which is the destination inside its probes, and a route for it:
//
//	fd5e:7e00::2:0:7  dev sextant0 metric 1       neighbor 02:5e:7e:00:00:01
//
// A probe that has come back is decapsulated by a SID of this node (udt6 in vrf 0), and this route leads it into the
// device pair, for a link address that nobody has: it comes out at sextant1, where the agent's packet socket takes it and the kernel
// drops it. Local addresses would not do: seg6local looks the inner destination up in the main table alone.
func (v view) liveness(e contract.Liveness) (objects, error) {
	addr := probeAddress(e.SIDList)
	return objects{
		Neighbors: []rtnl.Neighbor{{Dev: v.sidDev, Addr: addr, MAC: probes.NobodysMAC, Protocol: Protocol, Permanent: true}},
		Routes:    []rtnl.Route{ownRoute(mainTable, netip.PrefixFrom(addr, addr.BitLen()), metricSID, rtnl.Hop{Dev: v.sidDev, Weight: 1})},
	}, nil
}

// probeAddresses are those of all watched lists.
func probeAddresses() netip.Prefix { return netip.PrefixFrom(probeAddress(0), 96) }

// probeAddress is of the block of next hops, beyond their 16 bits: fd5e:7e00::2:0:0/96, and the list's id.
func probeAddress(id contract.SIDListID) netip.Addr {
	a := [16]byte{0xfd, 0x5e, 0x7e, 0x00, 11: 2}
	binary.BigEndian.PutUint32(a[12:], uint32(id))
	return netip.AddrFrom16(a)
}
