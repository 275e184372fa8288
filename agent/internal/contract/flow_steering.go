// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"net/netip"
)

// The tables of flows that are sent into SR policies.
const (
	TableFlowSteeringV6 = "flow_steering_v6"
	TableFlowSteeringV4 = "flow_steering_v4"
)

func flowSteeringKind() Kind {
	return kindOf("flow-steering", decodeFlowSteering, FlowSteering.row, TableFlowSteeringV6, TableFlowSteeringV4)
}

// FlowSteering sends packets of a flow into an SR policy, whatever Steering and Route have for their destination (RFC
// 9256, 8.6), or drops them as long as that has no valid path (8.2). The highest priority wins. Src and Dst are of one
// family, which selects flow_steering_v6 or flow_steering_v4; no bits match any. A nil field matches anything.
type FlowSteering struct {
	Priority         int32
	VRF              VRF
	Src, Dst         netip.Prefix
	IPProto          *Ternary `json:",omitempty"`
	SrcPort, DstPort *Range   `json:",omitempty"`
	DSCP             *Ternary `json:",omitempty"`
	// Drop leaves the others out: there is no list then.
	Drop    bool `json:",omitempty"`
	SIDList SIDListID
	// Reduced is H.Encaps.Red, otherwise H.Encaps.
	Reduced bool
}

// Key of a row is its priority and its match.
func (e FlowSteering) Key() Key {
	match := fmt.Sprintf("%s vrf %d %s %s", priorityMatch(e.Priority), e.VRF, e.Src, e.Dst) + ternaryMatch(e.fields())
	for _, f := range e.ports() {
		if f.value != nil {
			match += fmt.Sprintf(" %s %d-%d", f.name, f.value.Low, f.value.High)
		}
	}
	return Key{e.table(), match}
}

// References is its list; a row that drops has none.
func (e FlowSteering) References() []Key {
	if e.Drop {
		return nil
	}
	return []Key{SIDListKey(e.SIDList)}
}

func (e FlowSteering) table() string {
	return byFamily(e.Dst, TableFlowSteeringV6, TableFlowSteeringV4)
}

func (e FlowSteering) fields() []ternaryField {
	return []ternaryField{{"ip_protocol", e.IPProto, 8}, {"dscp", e.DSCP, 6}}
}

func (e FlowSteering) ports() []rangeField {
	return []rangeField{{"l4_src_port", e.SrcPort, 0xffff, 0}, {"l4_dst_port", e.DstPort, 0xffff, 0}}
}

func (e FlowSteering) problem() string {
	if p := firstOf(prefixProblem("src", e.Src), prefixProblem("dst", e.Dst)); p != "" {
		return p
	}
	if e.Src.Addr().Is4() != e.Dst.Addr().Is4() {
		return fmt.Sprintf("src %s and dst %s are of two families", e.Src, e.Dst)
	}
	if p := ternaryProblem(e.Priority, e.fields()); p != "" {
		return p
	}
	for _, f := range e.ports() {
		if f.value != nil && !e.hasPorts() {
			return f.name + " needs ip_protocol 6 or 17: nothing else has ports"
		}
		if f.value != nil && (f.value.Low == 0 || f.value.Low > f.value.High) {
			return fmt.Sprintf("%s: %d to %d is no range of ports", f.name, f.value.Low, f.value.High)
		}
	}
	if e.Drop {
		return ""
	}
	return sidListProblem(e.SIDList)
}

func (e FlowSteering) hasPorts() bool {
	return e.IPProto != nil && (*e.IPProto == *Masked(6, 0xff) || *e.IPProto == *Masked(17, 0xff))
}

func decodeFlowSteering(r Row) FlowSteering {
	e := FlowSteering{
		Priority: r.Priority, VRF: VRF(r.number("vrf")), Src: r.maskedPrefix("src"), Dst: r.maskedPrefix("dst"),
		IPProto: r.ternary("ip_protocol"), SrcPort: r.bounds("l4_src_port"), DstPort: r.bounds("l4_dst_port"), DSCP: r.ternary("dscp"),
	}
	for _, c := range r.Actions {
		if c.Action == actionDrop {
			e.Drop = true
			continue
		}
		e.SIDList, e.Reduced = SIDListID(c.number("sid_list")), c.Action == actionEncapsRed
	}
	return e
}

func (e FlowSteering) row() Row {
	r := Row{
		Table: e.table(), Priority: e.Priority, Match: map[string]Match{"vrf": exact(e.VRF)},
		Actions: Steering{Dst: e.Dst, Drop: e.Drop, SIDList: e.SIDList, Reduced: e.Reduced}.row().Actions,
	}
	for name, p := range map[string]netip.Prefix{"src": e.Src, "dst": e.Dst} {
		if p.Bits() > 0 {
			r.Match[name] = Match{Value: AddressBits(p.Addr()), Mask: PrefixMask(p.Bits(), p.Addr().BitLen())}
		}
	}
	for _, f := range e.ports() {
		if f.value != nil {
			r.Match[f.name] = Match{Value: Number(f.value.Low), High: Number(f.value.High)}
		}
	}
	return r.withTernaries(e.fields())
}
