// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"net/netip"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
	"sextant/agent/internal/rows"
	"sextant/agent/internal/synthetic"
)

// A SID is a seg6local route on the node's own device. The kernel action of each action of the contract:
//
//	un            End, NEXT-C-SID          (RFC 9800, 4.1.1; the kernel advances the SRH itself when the argument is 0)
//	ua            End.X, NEXT-C-SID, via the next hop's synthetic address (RFC 9800, 4.1.2)
//	end, end_psp  End, PSP                 (never both PSP and NEXT-C-SID: 6.18 takes it and ignores PSP)
//	end_x         End.X
//	udt6          End.DT6 in the table of the VRF
//	udt4          End.DX4 to 0.0.0.0, which looks the inner destination up in the main table; End.DT4 in a VRF
//	udx6, udx4    End.DX6, End.DX4 via the synthetic address
//	b6_encaps_red End.T in a table of its own, whose default route is the reduced encapsulation:
//	              the kernel's End.B6.Encaps pushes the whole list (RFC 8986, 4.13), the contract wants 4.14
func (v view) mySID(e contract.MySID) (objects, error) {
	encap, before, err := v.behavior(e)
	if err != nil {
		return objects{}, err
	}
	encap.Counted = true
	sid := ownRoute(mainTable, e.SID, metricSID, rtnl.Hop{Dev: v.sidDev, Weight: 1, Encap: encap})
	return objects{Routes: append(before, sid)}, nil
}

// firewallSID: the kernel has no part in it (docs/reference/firewall-node.md). Its route leads to the far end of a pair, where
// the program is, or where nothing passes. The gateway spares a neighbor for each destination.
func (v view) firewallSID(e contract.MySID) (objects, error) {
	dev, err := v.firewallDevice()
	if err != nil {
		return objects{}, fmt.Errorf("%s: %w", e.Key(), err)
	}
	return oneRoute(ownRoute(mainTable, e.SID, metricSID, rtnl.Hop{Dev: dev, Via: tunnelGateway(), Weight: 1})), nil
}

// behavior gives the seg6local encapsulation, and the routes it needs beforehand.
func (v view) behavior(e contract.MySID) (rtnl.Seg6Local, []rtnl.Route, error) {
	b := e.Behavior
	switch b.Action {
	case contract.UN:
		return nextCSID(e, rtnl.Seg6Local{Action: rtnl.ActionEnd})
	case contract.UA:
		nh, err := v.via(e, true)
		if err != nil {
			return rtnl.Seg6Local{}, nil, err
		}
		return nextCSID(e, rtnl.Seg6Local{Action: rtnl.ActionEndX, NH6: nh})
	case contract.End:
		return rtnl.Seg6Local{Action: rtnl.ActionEnd}, nil, nil
	case contract.EndPSP:
		return rtnl.Seg6Local{Action: rtnl.ActionEnd, Flavors: rtnl.PSP}, nil, nil
	case contract.EndX:
		nh, err := v.via(e, true)
		return rtnl.Seg6Local{Action: rtnl.ActionEndX, NH6: nh}, nil, err
	case contract.UDX6:
		nh, err := v.via(e, true)
		return rtnl.Seg6Local{Action: rtnl.ActionDX6, NH6: nh}, nil, err
	case contract.UDX4:
		nh, err := v.via(e, false)
		return rtnl.Seg6Local{Action: rtnl.ActionDX4, NH4: nh}, nil, err
	case contract.UDT6:
		table, err := tableOf(b.VRF)
		return rtnl.Seg6Local{Action: rtnl.ActionDT6, Table: table}, nil, err
	case contract.UDT4:
		encap, err := v.decapV4(e)
		return encap, nil, err
	case contract.B6EncapsRed:
		return v.bindingSID(e)
	default:
		return rtnl.Seg6Local{}, nil, &contract.Error{
			Code:    contract.Unimplemented,
			Message: fmt.Sprintf("%s: a Linux node does not serve %s", e.Key(), b.Action),
			Remedy:  "for udt46 use one SID with udt6 and one with udt4",
		}
	}
}

// nextCSID adds the flavor, within the limits of seg6_local.c: whole bytes, 128 bits together.
func nextCSID(e contract.MySID, encap rtnl.Seg6Local) (rtnl.Seg6Local, []rtnl.Route, error) {
	b := e.Behavior
	if b.BlockLength%8 != 0 || b.CSIDLength%8 != 0 {
		return rtnl.Seg6Local{}, nil, &contract.Error{
			Code: contract.Unimplemented,
			Message: fmt.Sprintf("%s: block_length %d and csid_length %d must be multiples of 8, the Linux kernel shifts whole bytes",
				e.Key(), b.BlockLength, b.CSIDLength),
			Remedy: "choose a SID format such as F3216 (32/16), F4816 or 48/32",
		}
	}
	encap.Flavors, encap.BlockBits, encap.FunctionBits = rtnl.NextCSID, b.BlockLength, b.CSIDLength
	return encap, nil, nil
}

// via is the synthetic address of the SID's next hop.
func (v view) via(e contract.MySID, six bool) (netip.Addr, error) {
	if _, ok := v.nextHop(e.Behavior.NextHop); !ok {
		return netip.Addr{}, rows.Missing(e.Key(), contract.NextHopKey(e.Behavior.NextHop))
	}
	if six {
		return synthetic.V6(e.Behavior.NextHop), nil
	}
	return synthetic.V4(e.Behavior.NextHop), nil
}

// decapV4: End.DT4 needs a VRF device for its table, and the main table never has one.
func (v view) decapV4(e contract.MySID) (rtnl.Seg6Local, error) {
	vrf := e.Behavior.VRF
	if vrf == 0 {
		return rtnl.Seg6Local{Action: rtnl.ActionDX4, NH4: netip.IPv4Unspecified()}, nil
	}
	table, err := tableOf(vrf)
	if err != nil {
		return rtnl.Seg6Local{}, err
	}
	there, err := v.vrfDevice(vrf)
	if err != nil {
		return rtnl.Seg6Local{}, &contract.Error{
			Code: contract.Internal, Message: fmt.Sprintf("%s: the device of vrf %d cannot be read", e.Key(), vrf), Err: err, Remedy: "write it again",
		}
	}
	if !there {
		return rtnl.Seg6Local{}, &contract.Error{
			Code:    contract.FailedPrecondition,
			Message: fmt.Sprintf("%s: IPv4 decapsulation into vrf %d needs a VRF device with table %d, which this node does not have", e.Key(), vrf, table),
			Remedy: fmt.Sprintf("make it (`ip link add vrf%d type vrf table %d; ip link set vrf%d up; sysctl -w net.vrf.strict_mode=1`) on a kernel with CONFIG_NET_VRF, or use vrf 0",
				vrf, table, vrf),
		}
	}
	return rtnl.Seg6Local{Action: rtnl.ActionDT4, VRFTable: table}, nil
}

func (v view) bindingSID(e contract.MySID) (rtnl.Seg6Local, []rtnl.Route, error) {
	hops, err := v.tunnel(e.Key(), e.Behavior.SIDList, netip.IPv6Unspecified(), true)
	if err != nil {
		return rtnl.Seg6Local{}, nil, err
	}
	table := v.privateTable(e.SID)
	push := oneRoute(ownRoute(table, netip.PrefixFrom(netip.IPv6Unspecified(), 0), metricSteering, hops...))
	return rtnl.Seg6Local{Action: rtnl.ActionEndT, Table: table}, push.Routes, nil
}
