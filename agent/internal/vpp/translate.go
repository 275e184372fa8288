// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"encoding/binary"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/rows"
	"sextant/agent/internal/synthetic"
)

// A view is the context of a translation besides the entry. It answers from the node's rows and ports and asks no VPP.
type view struct {
	port    func(contract.PortID) (portState, bool)
	nextHop func(contract.NextHopID) (contract.NextHop, bool)
	sidList func(contract.SIDListID) (contract.SIDList, bool)
	// source of outer headers; the zero value leaves it to VPP's own setting.
	source netip.Addr
	// acls: VPP has the ACL plug-in, of which the edge is made.
	acls bool
}

// portState is the part of a port's state that translation needs. A port VPP does not have now is not present.
type portState struct {
	present   bool
	swIfIndex uint32
	mac       [6]byte
}

// translate returns the VPP objects that an entry wants. It refuses entries that VPP cannot serve, and references to
// rows that do not exist.
func (v view) translate(e contract.Entry) ([]object, error) {
	switch e := e.(type) {
	case contract.MySID:
		return v.mySID(e)
	case contract.Steering:
		return v.steering(e)
	case contract.Route:
		return v.route(e)
	case contract.NextHop:
		return v.nextHopObjects(e)
	case contract.SIDList:
		return v.policy(e)
	case contract.EncapSource, contract.Punt:
		return nil, nil
	case contract.EdgePort, contract.EdgeSID, contract.EdgeSource, contract.EdgePeer:
		return v.edgeObjects(e)
	default:
		return nil, contract.Errorf(contract.Unimplemented, "%T is no entry this node serves", e)
	}
}

// tablesOf is the VRF as an object; VRF 0 is VPP's table 0, which always exists.
func tablesOf(vrf contract.VRF, six bool) []object {
	if vrf == 0 {
		return nil
	}
	return []object{table{uint32(vrf), six}}
}

// bindingSID is the address by which a policy is known: fd5e:7e01::, then the id of its list. No packet
// is sent there; VPP wants every policy to have one.
func bindingSID(id contract.SIDListID) netip.Addr {
	bsid := [16]byte{0xfd, 0x5e, 0x7e, 0x01}
	binary.BigEndian.PutUint32(bsid[12:], uint32(id))
	return netip.AddrFrom16(bsid)
}

// ownPolicies holds all of them, so that orphaned objects can be distinguished from foreign ones.
func ownPolicies() netip.Prefix { return netip.MustParsePrefix("fd5e:7e01::/96") }

// nextHopObjects: a neighbour in both families, none while VPP does not have the port.
func (v view) nextHopObjects(e contract.NextHop) ([]object, error) {
	port, ok := v.port(e.Port)
	if !ok {
		return nil, contract.Errorf(contract.InvalidArgument, "%s: port %d is not a port of this node", e.Key(), e.Port)
	}
	if !port.present {
		return nil, nil
	}
	if e.SrcMAC != port.mac {
		return nil, &contract.Error{
			Code: contract.InvalidArgument,
			Message: fmt.Sprintf("%s: src_mac %s is not the address of port %d, and VPP sends with no other",
				e.Key(), net.HardwareAddr(e.SrcMAC[:]), e.Port),
			Remedy: fmt.Sprintf("use %s", net.HardwareAddr(port.mac[:])),
		}
	}
	return []object{
		neighbor{port.swIfIndex, synthetic.V6(e.ID), e.DstMAC},
		neighbor{port.swIfIndex, synthetic.V4(e.ID), e.DstMAC},
	}, nil
}

// maxWeight is the largest weight of a path in VPP's FIB.
const maxWeight = 255

// route has one path per next hop whose port VPP has. Members with the same next hop become one.
func (v view) route(e contract.Route) ([]object, error) {
	together := map[contract.NextHopID]uint64{}
	for _, m := range e.Members {
		together[m.NextHop] += uint64(m.Weight)
	}
	nextHops := slices.Sorted(maps.Keys(together))
	weights := make([]uint64, len(nextHops))
	for i, id := range nextHops {
		weights[i] = together[id]
	}
	r := route{table: uint32(e.VRF), dst: e.Dst}
	for i, share := range synthetic.Shares(weights) {
		id := nextHops[i]
		if share > maxWeight {
			return nil, &contract.Error{
				Code:    contract.Unimplemented,
				Message: fmt.Sprintf("%s: a share of %d, VPP's routes carry weights of 1 to %d", e.Key(), share, maxWeight),
				Remedy:  "use smaller weights of about the same ratio",
			}
		}
		nextHop, ok := v.nextHop(id)
		if !ok {
			return nil, rows.Missing(e.Key(), contract.NextHopKey(id))
		}
		if port, ok := v.port(nextHop.Port); ok && port.present {
			r.paths = append(r.paths, path{port.swIfIndex, synthetic.For(e.Dst.Addr(), id), uint8(share)})
		}
	}
	if len(r.paths) == 0 {
		return nil, nil
	}
	if len(r.paths) == 1 {
		r.paths[0].weight = 1
	}
	slices.SortFunc(r.paths, comparePaths)
	return append(tablesOf(e.VRF, e.Dst.Addr().Is6()), r), nil
}
