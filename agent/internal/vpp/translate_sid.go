// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"fmt"
	"net/netip"
	"slices"

	"go.fd.io/govpp/binapi/sr_types"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/rows"
	"sextant/agent/internal/synthetic"
)

// The objects of each action of the contract (VPP's names in brackets):
//
//	un            a shifting entry at the prefix [un], and End at its first address, /128: RFC 9800, 4.1.1
//	              shifts while any bit of the argument is set, VPP's own pair looks at the next 16 only
//	ua            [ua], and End.X at the first address: VPP alone would shift an empty container to the block
//	end, end_psp  End, with PSP
//	end_x         End.X
//	udt6, udt4    End.DT6, End.DT4; the table comes first
//	udx6, udx4    End.DX6, End.DX4 via the synthetic address
func (v view) mySID(e contract.MySID) ([]object, error) {
	b := e.Behavior
	switch b.Action {
	case contract.UN:
		shift, err := shifting(e, localSID{prefix: e.SID, behavior: sr_types.SR_BEHAVIOR_API_END_UN_PERF})
		return []object{shift, localSID{prefix: empty(e.SID), behavior: sr_types.SR_BEHAVIOR_API_END}}, err
	case contract.UA:
		return v.linkSID(e)
	case contract.End, contract.EndPSP:
		return []object{localSID{
			prefix: e.SID, behavior: sr_types.SR_BEHAVIOR_API_END, psp: b.Action == contract.EndPSP,
		}}, nil
	case contract.EndX:
		return v.crossConnect(e, sr_types.SR_BEHAVIOR_API_X, true)
	case contract.UDX6:
		return v.crossConnect(e, sr_types.SR_BEHAVIOR_API_DX6, true)
	case contract.UDX4:
		return v.crossConnect(e, sr_types.SR_BEHAVIOR_API_DX4, false)
	case contract.UDT6:
		sid := localSID{prefix: e.SID, behavior: sr_types.SR_BEHAVIOR_API_DT6, argument: uint32(b.VRF)}
		return append(tablesOf(b.VRF, true), sid), nil
	case contract.UDT4:
		sid := localSID{prefix: e.SID, behavior: sr_types.SR_BEHAVIOR_API_DT4, argument: uint32(b.VRF)}
		return append(tablesOf(b.VRF, false), sid), nil
	default:
		return nil, &contract.Error{
			Code:    contract.Unimplemented,
			Message: fmt.Sprintf("%s: a VPP node does not serve %s", e.Key(), b.Action),
			Remedy:  "for udt46 use one SID with udt6 and one with udt4",
		}
	}
}

// empty is the container in which nothing follows the SID.
func empty(sid netip.Prefix) netip.Prefix { return netip.PrefixFrom(sid.Addr(), 128) }

// shifting sets the lengths, within VPP's limits: whole bytes, CSIDs of 16 or 32 bits, and a prefix that ends with the
// CSID.
func shifting(e contract.MySID, sid localSID) (localSID, error) {
	b := e.Behavior
	if b.BlockLength%8 != 0 || (b.CSIDLength != 16 && b.CSIDLength != 32) || int(b.BlockLength)+int(b.CSIDLength) != e.SID.Bits() || e.SID.Bits() == 128 {
		remedy := "choose a SID format such as F3216 (32/16), F4816 or 32/32"
		if b.Action == contract.UA { // of 32-bit uSIDs, node and adjacency are 64 bits together
			remedy = "choose a SID format of 16-bit uSIDs, such as F3216 or F4816"
		}
		return localSID{}, &contract.Error{
			Code: contract.Unimplemented,
			Message: fmt.Sprintf("%s: block_length %d and csid_length %d; VPP shifts by 16 or 32 bits behind a block of whole bytes, at a prefix of both lengths together, shorter than 128",
				e.Key(), b.BlockLength, b.CSIDLength),
			Remedy: remedy,
		}
	}
	sid.blockBits, sid.usidBits = b.BlockLength, b.CSIDLength
	return sid, nil
}

func (v view) linkSID(e contract.MySID) ([]object, error) {
	objects, err := v.crossConnect(e, sr_types.SR_BEHAVIOR_API_UA, true)
	if err != nil || len(objects) == 0 {
		return nil, err
	}
	shift, err := shifting(e, objects[0].(localSID))
	if err != nil {
		return nil, err
	}
	last := localSID{prefix: empty(e.SID), behavior: sr_types.SR_BEHAVIOR_API_X, argument: shift.argument, nextHop: shift.nextHop}
	return []object{shift, last}, nil
}

// crossConnect names the interface and the synthetic address of the SID's next hop; there is no SID
// while VPP does not have the port.
func (v view) crossConnect(e contract.MySID, behavior sr_types.SrBehavior, six bool) ([]object, error) {
	nextHop, ok := v.nextHop(e.Behavior.NextHop)
	if !ok {
		return nil, rows.Missing(e.Key(), contract.NextHopKey(e.Behavior.NextHop))
	}
	port, ok := v.port(nextHop.Port)
	if !ok || !port.present {
		return nil, nil
	}
	via := synthetic.V4(nextHop.ID)
	if six {
		via = synthetic.V6(nextHop.ID)
	}
	return []object{localSID{prefix: e.SID, behavior: behavior, argument: port.swIfIndex, nextHop: via}}, nil
}

// maxSegments is how many SIDs a message of VPP's API holds, maxLists how many lists a policy shows.
const (
	maxSegments = 16
	maxLists    = 255
)

// policy is written with the list, not with its first user: so the id is known to VPP, and an adopted
// list needs no user. Equal members become one.
func (v view) policy(e contract.SIDList) ([]object, error) {
	p := policy{bsid: bindingSID(e.ID), source: v.source}
	for _, m := range e.Members {
		if len(m.Segments) > maxSegments {
			return nil, contract.Errorf(contract.Unimplemented, "%s: %d segments, VPP's API takes %d", e.Key(), len(m.Segments), maxSegments)
		}
		if m.Weight == 0 { // VPP would take it, and drop the whole list's packets
			return nil, contract.Errorf(contract.InvalidArgument, "%s: weight 0; leave the member out", e.Key())
		}
		same := slices.IndexFunc(p.lists, func(l segmentList) bool { return slices.Equal(l.segments, m.Segments) })
		if same >= 0 {
			p.lists[same].weight += m.Weight
			continue
		}
		p.lists = append(p.lists, segmentList{m.Weight, slices.Clone(m.Segments)})
	}
	if len(p.lists) > maxLists {
		return nil, contract.Errorf(contract.Unimplemented, "%s: %d members, a policy of VPP shows %d", e.Key(), len(p.lists), maxLists)
	}
	slices.SortFunc(p.lists, compareLists)
	return []object{p}, nil
}

// steering is H.Encaps alone: VPP writes the first of several segments into the SRH as well, and no SRH
// for a single one (RFC 8754, 4.1 allows both).
func (v view) steering(e contract.Steering) ([]object, error) {
	if e.Drop { // not in its P4Info: VPP steers into a policy, and a route that drops is one for its prefix in a FIB source
		return nil, &contract.Error{
			Code:    contract.Unimplemented,
			Message: fmt.Sprintf("%s: a VPP node does not serve drop_steered", e.Key()),
			Remedy:  "choose another headend, or leave the traffic to the underlay",
		}
	}
	if e.Reduced {
		return nil, &contract.Error{
			Code:    contract.Unimplemented,
			Message: fmt.Sprintf("%s: a VPP node does not serve h_encaps_red, VPP never reduces a list", e.Key()),
			Remedy:  "use h_encaps",
		}
	}
	if _, ok := v.sidList(e.SIDList); !ok {
		return nil, rows.Missing(e.Key(), contract.SIDListKey(e.SIDList))
	}
	s := steer{uint32(e.VRF), e.Dst, bindingSID(e.SIDList)}
	return append(tablesOf(e.VRF, e.Dst.Addr().Is6()), s), nil
}
