// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"net/netip"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
	"sextant/agent/internal/synthetic"
)

// Protocol marks every route, neighbour and address of the agent (no entry of rt_protos has it). Objects with another
// number are foreign, and never changed.
const Protocol = 200

// Metrics of the agent's routes. One destination may have one of each: the kernel then has the order of the pipeline,
// my_sid before steering before route before standby. All are below the metrics of the kernel's own IPv6 routes (256)
// and of routing daemons; an IPv4 route with metric 0 goes before them.
const (
	metricSID      = 1
	metricSteering = 2
	metricRoute    = 3
	metricStandby  = 4
)

const mainTable = unix.RT_TABLE_MAIN

// objects are the kernel objects that an entry wants, in the order of writing.
type objects struct {
	Neighbors []rtnl.Neighbor
	Routes    []rtnl.Route
	Rules     []rtnl.Rule
}

// A view is the context of a translation besides the entry. It answers from the node's rows and ports and asks no
// kernel.
type view struct {
	// sidDev and steeringDev are the two ends of the node's own device pair. A seg6 or seg6local route needs a
	// device that is not lo (a blackhole on 6.18) and never goes down with a link. Two devices, so that steering
	// can be distinguished from SIDs by the device a packet is routed to.
	sidDev, steeringDev int
	port                func(contract.PortID) (portState, bool)
	nextHop             func(contract.NextHopID) (contract.NextHop, bool)
	sidList             func(contract.SIDListID) (contract.SIDList, bool)
	// inUse is the list that is used in the place of one that is silent, else itself.
	inUse func(contract.SIDListID) contract.SIDListID
	// standsIn says of a route whether packets get on without it, by its standby.
	standsIn func(contract.Route) bool
	// elsewhere says whether a plane serves an entry, which then wants no routes.
	elsewhere func(contract.Entry) bool
	// privateTable gives a b6_encaps_red SID its own routing table.
	privateTable func(netip.Prefix) uint32
	// flowTable gives a rule, whose table is 0, its own routing table.
	flowTable func(rtnl.Rule) uint32
	// vrfDevice reports whether a VRF device with this table exists; it may not be able to find out.
	vrfDevice func(contract.VRF) (bool, error)
	// firewallDevice leads to the program behind the SIDs of firewalls.
	firewallDevice func() (int, error)
}

// portState is the part of a port's state that translation needs.
type portState struct {
	Index int
	Up    bool // administratively; carrier is the kernel's business
	MAC   [6]byte
	// Held keeps the port out of routes that get on without it (restoring.go).
	Held bool
	// Dark is a port without carrier; it is known of those that can be held.
	Dark bool
}

// sameDevice reports whether two states differ at most in the effects of a carrier.
func (s portState) sameDevice(other portState) bool {
	return s.Index == other.Index && s.Up == other.Up && s.MAC == other.MAC
}

// translate returns the kernel objects that an entry wants. It refuses entries that Linux cannot serve, and references
// to rows that do not exist.
func (v view) translate(e contract.Entry) (objects, error) {
	if sid, ok := e.(contract.MySID); ok && sid.Behavior.IsFirewall() {
		return v.firewallSID(sid)
	}
	if watched, ok := e.(contract.Liveness); ok {
		return v.liveness(watched)
	}
	if v.elsewhere(e) {
		return objects{}, nil
	}
	switch e := e.(type) {
	case contract.MySID:
		return v.mySID(e)
	case contract.Steering:
		return v.steering(e)
	case contract.FlowSteering:
		return v.flowSteering(e)
	case contract.Route:
		return v.route(e)
	case contract.Standby:
		return v.standby(e)
	case contract.NextHop:
		return v.nextHopObjects(e)
	case contract.SIDList:
		_, err := v.segmentHops(e, netip.IPv6Unspecified())
		return objects{}, err
	default:
		return objects{}, contract.Errorf(contract.Unimplemented, "%T is no entry this node serves", e)
	}
}

// tableOf is the routing table of a VRF.
func tableOf(vrf contract.VRF) (uint32, error) {
	switch vrf {
	case 0:
		return mainTable, nil
	case unix.RT_TABLE_DEFAULT, unix.RT_TABLE_MAIN, unix.RT_TABLE_LOCAL:
		return 0, contract.Errorf(contract.InvalidArgument, "vrf %d is one of the tables 253 to 255 that Linux reserves; choose another number", vrf)
	}
	return uint32(vrf), nil
}

func ownRoute(table uint32, dst netip.Prefix, metric uint32, hops ...rtnl.Hop) rtnl.Route {
	return rtnl.Route{Table: table, Dst: dst, Metric: metric, Protocol: Protocol, Type: unix.RTN_UNICAST, Hops: hops}
}

// maxWeight is the largest weight of a kernel next hop.
const maxWeight = 256

// reduce makes weights small enough: only 1 to 256 can be written.
func reduce(weights []uint64) ([]int, error) {
	out := make([]int, len(weights))
	for i, share := range synthetic.Shares(weights) {
		if share > maxWeight {
			return nil, &contract.Error{
				Code:    contract.Unimplemented,
				Message: fmt.Sprintf("weights %v need a share of %d, the Linux kernel's next hops carry 1 to %d", weights, share, maxWeight),
				Remedy:  "use smaller weights of about the same ratio",
			}
		}
		out[i] = int(share)
	}
	return out, nil
}
