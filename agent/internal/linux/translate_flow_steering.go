// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"net/netip"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
	"sextant/agent/internal/rows"
)

// A steered flow is a rule that chooses a table of its own, in which everything goes into the tunnel:
//
//	31695: from fd00:1::/64 to fd00:3::/64 ipproto udp dport 443 dscp 46 lookup 0x5e7f0001 proto 200
//	default table 0x5e7f0001  encap seg6 mode encap.red segs A,B  via fe80::1 dev sextant1
//
// Rules are asked in order, behind the one of the node's own addresses (0) and that of VRF devices (1000), before the
// main table with its SIDs, steering and routes: a flow may therefore not hold SIDs. A flow that is to be dropped has a
// blackhole in that table. No two rules have the same table: of two of one priority into one table the kernel takes the
// one that asks less for the other one, and has it already (seen on 6.18).

// flowTableBase starts the range of the tables, behind that of b6_encaps_red.
const flowTableBase = 0x5e7f0000

// flowRules is the number behind the last rule of flows: the highest priority, maxFlowPriority, goes first.
const (
	flowRules       = 32000
	maxFlowPriority = 30300
)

func (v view) flowSteering(e contract.FlowSteering) (objects, error) {
	rule, err := flowRule(e)
	if err != nil {
		return objects{}, err
	}
	rule.Table = v.flowTable(rule)
	all := netip.PrefixFrom(e.Dst.Addr(), 0).Masked()
	if e.Drop {
		return objects{Routes: []rtnl.Route{blackhole(rule.Table, all)}, Rules: []rtnl.Rule{rule}}, nil
	}
	hops, err := v.tunnel(e.Key(), e.SIDList, e.Dst.Addr(), e.Reduced)
	if err != nil {
		return objects{}, err
	}
	o := oneRoute(ownRoute(rule.Table, all, metricSteering, hops...))
	o.Rules = []rtnl.Rule{rule}
	return o, nil
}

// flowRule is the rule without its table. It refuses matches that rules of the kernel lack.
func flowRule(e contract.FlowSteering) (rtnl.Rule, error) {
	unable := func(what string) (rtnl.Rule, error) {
		return rtnl.Rule{}, contract.Errorf(contract.Unimplemented, "%s: a Linux node does not steer flows by %s", e.Key(), what)
	}
	r := rtnl.Rule{Src: e.Src, Dst: e.Dst, Protocol: Protocol}
	switch {
	case e.VRF != 0:
		return unable("VRF: its rules choose none before VRF 0")
	case e.Priority > maxFlowPriority:
		return rtnl.Rule{}, contract.Errorf(contract.InvalidArgument, "%s: priority is 1 to %d, which is as many numbers as there are for rules", e.Key(), maxFlowPriority)
	case e.IPProto != nil && (e.IPProto.Mask != contract.Number(uint8(0xff)) || e.IPProto.Value.IsZero()):
		return unable("protocols under a mask, or 0")
	case e.DSCP != nil && e.DSCP.Mask != contract.Number(uint8(0x3f)):
		return unable("DSCP under a mask")
	}
	r.Priority = uint32(flowRules - e.Priority)
	if e.IPProto != nil {
		r.IPProto = uint8(e.IPProto.Value.Uint64())
	}
	if e.DSCP != nil {
		r.DSCP = rtnl.DSCP{Asked: true, Value: uint8(e.DSCP.Value.Uint64())}
	}
	for to, from := range map[*rtnl.PortRange]*contract.Range{&r.SrcPort: e.SrcPort, &r.DstPort: e.DstPort} {
		if from == nil {
			continue
		}
		if from.High == 0xffff {
			return unable("port 65535, which no rule of the kernel may name")
		}
		*to = rtnl.PortRange{First: from.Low, Last: from.High}
	}
	return r, nil
}

// maxFlows of a family is the size of the tables in the contract: the kernel asks rules one by one, for every packet.
const maxFlows = 256

// roomForFlow refuses a steered flow that is one too many.
func (n *Node) roomForFlow(e contract.Entry) error {
	flow, ok := e.(contract.FlowSteering)
	if !ok {
		return nil
	}
	others := 0
	for _, other := range rows.Of[contract.FlowSteering](n.rows) {
		if other.Dst.Addr().Is4() == flow.Dst.Addr().Is4() && other.Key() != flow.Key() {
			others++
		}
	}
	if others < maxFlows {
		return nil
	}
	return &contract.Error{
		Code: contract.ResourceExhausted, Message: fmt.Sprintf("%s: there are %d steered flows already", flow.Key(), others),
		Remedy: "remove some, or steer by destinations",
	}
}

func withoutTable(r rtnl.Rule) rtnl.Rule {
	r.Table = 0
	return r
}
