// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"net/netip"
)

// The tables of Live-Live flows that enter here.
const (
	TableFlowV6 = "flow_v6"
	TableFlowV4 = "flow_v4"
)

func flowKind() Kind { return kindOf("flow", decodeFlow, Flow.row, TableFlowV6, TableFlowV4) }

// Flow numbers the packets of a Live-Live flow and copies them over the paths of a group (docs/reference/livelive.md).
// Src and Dst are of one family, which selects flow_v6 or flow_v4; no bits match any. A nil field matches anything.
type Flow struct {
	Priority         int32
	VRF              VRF
	Src, Dst         netip.Prefix
	IPProto          *Ternary
	SrcPort, DstPort *Ternary
	FlowID           FlowID
	Group            GroupID
	// Copies is the highest path number of the group.
	Copies PathID
}

// Key of a flow row is its priority and its match.
func (e Flow) Key() Key {
	match := fmt.Sprintf("%s vrf %d %s %s", priorityMatch(e.Priority), e.VRF, e.Src, e.Dst)
	return Key{e.table(), match + ternaryMatch(e.fields())}
}

// References is nothing: a group does not copy packets to paths that it lacks.
func (e Flow) References() []Key { return nil }

func (e Flow) table() string { return byFamily(e.Dst, TableFlowV6, TableFlowV4) }

func (e Flow) fields() []ternaryField {
	return []ternaryField{{"ip_protocol", e.IPProto, 8}, {"l4_src_port", e.SrcPort, 16}, {"l4_dst_port", e.DstPort, 16}}
}

func (e Flow) problem() string {
	if p := firstOf(prefixProblem("src", e.Src), prefixProblem("dst", e.Dst), groupProblem(e.Group), pathProblem("copies", e.Copies)); p != "" {
		return p
	}
	if e.Src.Addr().Is4() != e.Dst.Addr().Is4() {
		return fmt.Sprintf("src %s and dst %s are of two families", e.Src, e.Dst)
	}
	return ternaryProblem(e.Priority, e.fields())
}

func decodeFlow(r Row) Flow {
	e := Flow{
		Priority: r.Priority, VRF: VRF(r.number("vrf")), Src: r.maskedPrefix("src"), Dst: r.maskedPrefix("dst"),
		IPProto: r.ternary("ip_protocol"), SrcPort: r.ternary("l4_src_port"), DstPort: r.ternary("l4_dst_port"),
	}
	for _, c := range r.Actions {
		e.FlowID, e.Group, e.Copies = FlowID(c.number("flow_id")), GroupID(c.number("group")), PathID(c.number("copies"))
	}
	return e
}

func (e Flow) row() Row {
	r := Row{
		Table: e.table(), Priority: e.Priority, Match: map[string]Match{"vrf": exact(e.VRF)},
		Actions: []Call{{Action: "replicate", Args: map[string]Bits{
			"flow_id": Number(e.FlowID), "group": Number(e.Group), "copies": Number(e.Copies),
		}}},
	}
	for name, p := range map[string]netip.Prefix{"src": e.Src, "dst": e.Dst} {
		if p.Bits() > 0 {
			r.Match[name] = Match{Value: AddressBits(p.Addr()), Mask: PrefixMask(p.Bits(), p.Addr().BitLen())}
		}
	}
	return r.withTernaries(e.fields())
}
