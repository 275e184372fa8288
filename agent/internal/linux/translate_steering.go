// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"net/netip"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
	"sextant/agent/internal/rows"
)

// Steering is a route into a seg6 tunnel, one hop per member of the segment list:
//
//	fd00:3::/64 table 254  encap seg6 mode encap.red segs A,B  via fe80::1 dev sextant1  weight 3
//	                       encap seg6 mode encap.red segs C    via fe80::1 dev sextant1  weight 1
//
// The packet never leaves by that device: the tunnel takes it, and looks the new outer destination up.
//
// A prefix that is to be dropped has a route that leads nowhere, of the same metric:
//
//	blackhole fd00:3::/64 table 254

// tunnelGateway makes the hops of an IPv6 multipath eligible: the kernel balances over gateways
// only. Nothing is ever sent to it.
func tunnelGateway() netip.Addr { return netip.MustParseAddr("fe80::1") }

func (v view) steering(e contract.Steering) (objects, error) {
	table, err := tableOf(e.VRF)
	if err != nil {
		return objects{}, err
	}
	if e.Drop {
		return objects{Routes: []rtnl.Route{blackhole(table, e.Dst)}}, nil
	}
	hops, err := v.tunnel(e.Key(), e.SIDList, e.Dst.Addr(), e.Reduced)
	if err != nil {
		return objects{}, err
	}
	return oneRoute(ownRoute(table, e.Dst, metricSteering, hops...)), nil
}

// loopbackIndex is that of lo in every namespace, whatever it is called (LOOPBACK_IFINDEX).
const loopbackIndex = 1

// blackhole drops packets silently. The kernel shows one for IPv6 with the loopback device, which it has no use for,
// and takes one for IPv4 without any device only.
func blackhole(table uint32, dst netip.Prefix) rtnl.Route {
	r := ownRoute(table, dst, metricSteering)
	r.Type = unix.RTN_BLACKHOLE
	if dst.Addr().Is6() {
		r.Hops = []rtnl.Hop{{Dev: loopbackIndex, Weight: 1}}
	}
	return r
}

// tunnel is the hops into a segment list, or its substitute, for routes of a family.
func (v view) tunnel(user contract.Key, id contract.SIDListID, family netip.Addr, reduced bool) ([]rtnl.Hop, error) {
	list, ok := v.sidList(v.inUse(id))
	if !ok {
		return nil, rows.Missing(user, contract.SIDListKey(id))
	}
	hops, err := v.segmentHops(list, family)
	if err != nil {
		return nil, err
	}
	for i := range hops {
		tunnel := hops[i].Encap.(rtnl.Seg6)
		if !reduced {
			tunnel.Mode = rtnl.Encaps
		}
		hops[i].Encap = tunnel
	}
	return hops, nil
}

// segmentHops gives a hop per distinct member, reduced encapsulation.
func (v view) segmentHops(list contract.SIDList, family netip.Addr) ([]rtnl.Hop, error) {
	var hops []rtnl.Hop
	var weights []uint64
	index := map[string]int{}
	for _, m := range list.Members {
		if len(m.Segments) > maxSegments {
			return nil, contract.Errorf(contract.Unimplemented, "%s: %d segments, an SRH holds %d (RFC 8754, 2)", list.Key(), len(m.Segments), maxSegments)
		}
		encap := rtnl.Seg6{Mode: rtnl.EncapsRed, Segments: m.Segments}
		if i, ok := index[encap.String()]; ok {
			weights[i] += uint64(m.Weight)
			continue
		}
		index[encap.String()] = len(hops)
		hop := rtnl.Hop{Dev: v.steeringDev, Encap: encap}
		if family.Is6() {
			hop.Via = tunnelGateway()
		}
		hops, weights = append(hops, hop), append(weights, uint64(m.Weight))
	}
	shares, err := reduce(weights)
	if err != nil {
		return nil, err
	}
	for i := range hops {
		hops[i].Weight = shares[i]
	}
	if n := multipathBytes(hops); n > maxMultipathBytes {
		return nil, contract.Errorf(contract.Unimplemented,
			"%s: %d members need %d bytes in a route, a netlink attribute holds %d; use fewer members or shorter lists", list.Key(), len(hops), n, maxMultipathBytes)
	}
	return hops, nil
}

// maxSegments follows from Hdr Ext Len: 8 bits, 2 for each segment.
const maxSegments = 127

// maxMultipathBytes bounds RTA_MULTIPATH: the length of an attribute is 16 bits and counts its header.
const maxMultipathBytes = 0xffff - 4

// multipathBytes bounds the attributes of the members from above: 8 rtnexthop, 20 gateway, 8 encap type, 8 encap and
// SRH attribute headers, 4 mode, 8 SRH.
func multipathBytes(hops []rtnl.Hop) int {
	n := 0
	for _, h := range hops {
		n += 8 + 20 + 8 + 8 + 4 + 8 + 16*len(h.Encap.(rtnl.Seg6).Segments)
	}
	return n
}
