// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"net/netip"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/p4info"
)

// A codec gives the rows of one table their meaning, and back. decode of a row without an action
// yields the entry's key alone; encode yields a row that decode turns into the same entry.
type codec struct {
	decode func(r row) contract.Entry
	encode func(t *table, e contract.Entry) (row, error)
}

// codecFor is the one place that knows which table holds which entry.
func codecFor(t *table) (codec, error) {
	switch t.id {
	case p4info.TablePunt:
		return codec{decodePunt, encodePunt}, nil
	case p4info.TableMySID:
		return codec{decodeMySID, encodeMySID}, nil
	case p4info.TableSteeringV6, p4info.TableSteeringV4:
		return codec{decodeSteering, encodeSteering}, nil
	case p4info.TableSIDList:
		return codec{decodeSIDList, encodeSIDList}, nil
	case p4info.TableEncapSource:
		return codec{decodeEncapSource, encodeEncapSource}, nil
	case p4info.TableRouteV6, p4info.TableRouteV4:
		return codec{decodeRoute, encodeRoute}, nil
	case p4info.TableNextHop:
		return codec{decodeNextHop, encodeNextHop}, nil
	case p4info.TableFlowV6, p4info.TableFlowV4:
		return codec{decodeFlow, encodeFlow}, nil
	case p4info.TableCopy:
		return codec{decodeCopy, encodeCopy}, nil
	case p4info.TableDedupFlow:
		return codec{decodeDedupFlow, encodeDedupFlow}, nil
	default:
		return codec{}, contract.Errorf(contract.Unimplemented, "table %s: this agent has no meaning for it", t.alias)
	}
}

// --- my_sid

func decodeMySID(r row) contract.Entry {
	e := contract.MySID{SID: r.prefix(p4info.TableMySIDFieldSID)}
	for _, c := range r.choices {
		e.Behavior = decodeBehavior(c)
	}
	return e
}

// decodeBehavior reads parameters by name: several actions share them, under different ids.
func decodeBehavior(c choice) contract.Behavior {
	return contract.Behavior{
		Action:      contract.Action(c.action.alias),
		BlockLength: uint8(c.named("block_length").uint64()),
		CSIDLength:  uint8(c.named("csid_length").uint64()),
		NextHop:     contract.NextHopID(c.named("next_hop").uint64()),
		VRF:         contract.VRF(c.named("vrf").uint64()),
		SIDList:     contract.SIDListID(c.named("sid_list").uint64()),
		Path:        contract.PathID(c.named("path").uint64()),
	}
}

func encodeMySID(t *table, entry contract.Entry) (row, error) {
	e := entry.(contract.MySID)
	b := e.Behavior
	c, err := t.choose(string(b.Action), map[string]value{
		"block_length": number(b.BlockLength), "csid_length": number(b.CSIDLength),
		"next_hop": number(b.NextHop), "vrf": number(b.VRF), "sid_list": number(b.SIDList),
		"path": number(b.Path),
	})
	return row{
		table: t, match: map[uint32]match{p4info.TableMySIDFieldSID: lpm(e.SID)}, choices: []choice{c},
	}, err
}

// --- steering_v6, steering_v4

func decodeSteering(r row) contract.Entry {
	e := contract.Steering{
		VRF: contract.VRF(r.number(p4info.TableSteeringV6FieldVRF)), Dst: r.prefix(p4info.TableSteeringV6FieldDst),
	}
	for _, c := range r.choices {
		e.SIDList = contract.SIDListID(c.named("sid_list").uint64())
		e.Reduced = c.action.id == p4info.ActionHEncapsRed
	}
	return e
}

func encodeSteering(t *table, entry contract.Entry) (row, error) {
	e := entry.(contract.Steering)
	alias := "h_encaps"
	if e.Reduced {
		alias = "h_encaps_red"
	}
	c, err := t.choose(alias, map[string]value{"sid_list": number(e.SIDList)})
	return row{
		table: t, choices: []choice{c},
		match: map[uint32]match{
			p4info.TableSteeringV6FieldVRF: {value: number(e.VRF)},
			p4info.TableSteeringV6FieldDst: lpm(e.Dst),
		},
	}, err
}

// --- sid_list

func decodeSIDList(r row) contract.Entry {
	e := contract.SIDList{ID: contract.SIDListID(r.number(p4info.TableSIDListFieldID))}
	for _, c := range r.choices {
		m := contract.SIDListMember{Weight: uint32(c.weight)}
		for _, p := range c.action.params {
			m.Segments = append(m.Segments, c.args[p.id].ip6())
		}
		e.Members = append(e.Members, m)
	}
	return e
}

func encodeSIDList(t *table, entry contract.Entry) (row, error) {
	e := entry.(contract.SIDList)
	r := row{table: t, match: map[uint32]match{p4info.TableSIDListFieldID: {value: number(e.ID)}}}
	for _, m := range e.Members {
		c := choice{weight: int32(m.Weight), args: map[uint32]value{}}
		for _, ref := range t.refs {
			if len(ref.params) == len(m.Segments) && len(ref.params) > 0 {
				c.action = ref.action
			}
		}
		if c.action == nil {
			return row{}, contract.Errorf(contract.Internal, "%s: no action holds %d segments", e.Key(), len(m.Segments))
		}
		for i, p := range c.action.params {
			c.args[p.id] = address(m.Segments[i])
		}
		r.choices = append(r.choices, c)
	}
	return r, nil
}

// --- encap_source

func decodeEncapSource(r row) contract.Entry {
	var e contract.EncapSource
	for _, c := range r.choices {
		if c.action.id == p4info.ActionSetEncapSource {
			e.Source = c.args[p4info.ActionSetEncapSourceParamSource].ip6()
		}
	}
	return e
}

func encodeEncapSource(t *table, entry contract.Entry) (row, error) {
	c, err := t.choose("set_encap_source", map[string]value{"source": address(entry.(contract.EncapSource).Source)})
	return row{table: t, isDefault: true, choices: []choice{c}}, err
}

// --- route_v6, route_v4

func decodeRoute(r row) contract.Entry {
	e := contract.Route{
		VRF: contract.VRF(r.number(p4info.TableRouteV6FieldVRF)), Dst: r.prefix(p4info.TableRouteV6FieldDst),
	}
	for _, c := range r.choices {
		e.Members = append(e.Members, contract.RouteMember{
			Weight: uint32(c.weight), NextHop: contract.NextHopID(c.named("next_hop").uint64()),
		})
	}
	return e
}

func encodeRoute(t *table, entry contract.Entry) (row, error) {
	e := entry.(contract.Route)
	r := row{table: t, match: map[uint32]match{
		p4info.TableRouteV6FieldVRF: {value: number(e.VRF)},
		p4info.TableRouteV6FieldDst: lpm(e.Dst),
	}}
	for _, m := range e.Members {
		c, err := t.choose("set_next_hop", map[string]value{"next_hop": number(m.NextHop)})
		if err != nil {
			return row{}, err
		}
		c.weight = int32(m.Weight)
		r.choices = append(r.choices, c)
	}
	return r, nil
}

// --- next_hop

func decodeNextHop(r row) contract.Entry {
	e := contract.NextHop{ID: contract.NextHopID(r.number(p4info.TableNextHopFieldID))}
	for _, c := range r.choices {
		e.Port = contract.PortID(c.args[p4info.ActionForwardParamPort].uint64())
		e.SrcMAC = c.args[p4info.ActionForwardParamSrcMAC].mac()
		e.DstMAC = c.args[p4info.ActionForwardParamDstMAC].mac()
	}
	return e
}

func encodeNextHop(t *table, entry contract.Entry) (row, error) {
	e := entry.(contract.NextHop)
	c, err := t.choose("forward", map[string]value{
		"port": number(e.Port), "src_mac": macValue(e.SrcMAC), "dst_mac": macValue(e.DstMAC),
	})
	return row{
		table: t, match: map[uint32]match{p4info.TableNextHopFieldID: {value: number(e.ID)}}, choices: []choice{c},
	}, err
}

// --- punt

func decodePunt(r row) contract.Entry {
	return contract.Punt{
		Priority:  r.priority,
		InPort:    r.ternary(p4info.TablePuntFieldInPort),
		EtherType: r.ternary(p4info.TablePuntFieldEtherType),
		IPProto:   r.ternary(p4info.TablePuntFieldIPProtocol),
		ICMPv6:    r.ternary(p4info.TablePuntFieldIcmpv6Type),
	}
}

func encodePunt(t *table, entry contract.Entry) (row, error) {
	e := entry.(contract.Punt)
	c, err := t.choose("to_controller", nil)
	r := row{table: t, priority: e.Priority, match: map[uint32]match{}, choices: []choice{c}}
	for id, f := range map[uint32]*contract.Ternary{
		p4info.TablePuntFieldInPort: e.InPort, p4info.TablePuntFieldEtherType: e.EtherType,
		p4info.TablePuntFieldIPProtocol: e.IPProto, p4info.TablePuntFieldIcmpv6Type: e.ICMPv6,
	} {
		if f != nil {
			r.match[id] = match{value: number(f.Value), mask: number(f.Mask)}
		}
	}
	return r, err
}

// --- flow_v6, flow_v4, copy, dedup_flow

func decodeFlow(r row) contract.Entry {
	e := contract.Flow{
		Priority: r.priority,
		VRF:      contract.VRF(r.number(p4info.TableFlowV6FieldVRF)),
		Src:      r.maskedPrefix(p4info.TableFlowV6FieldSrc),
		Dst:      r.maskedPrefix(p4info.TableFlowV6FieldDst),
		IPProto:  r.ternary(p4info.TableFlowV6FieldIPProtocol),
		SrcPort:  r.ternary(p4info.TableFlowV6FieldL4SrcPort),
		DstPort:  r.ternary(p4info.TableFlowV6FieldL4DstPort),
	}
	for _, c := range r.choices {
		e.FlowID = contract.FlowID(c.named("flow_id").uint64())
		e.Group = contract.GroupID(c.named("group").uint64())
		e.Copies = contract.PathID(c.named("copies").uint64())
	}
	return e
}

func encodeFlow(t *table, entry contract.Entry) (row, error) {
	e := entry.(contract.Flow)
	c, err := t.choose("replicate", map[string]value{
		"flow_id": number(e.FlowID), "group": number(e.Group), "copies": number(e.Copies),
	})
	r := row{table: t, priority: e.Priority, choices: []choice{c}, match: map[uint32]match{
		p4info.TableFlowV6FieldVRF: {value: number(e.VRF)},
	}}
	for id, p := range map[uint32]netip.Prefix{p4info.TableFlowV6FieldSrc: e.Src, p4info.TableFlowV6FieldDst: e.Dst} {
		if p.Bits() > 0 {
			r.match[id] = match{value: address(p.Addr()), mask: prefixMask(p.Bits(), p.Addr().BitLen())}
		}
	}
	for id, f := range map[uint32]*contract.Ternary{
		p4info.TableFlowV6FieldIPProtocol: e.IPProto,
		p4info.TableFlowV6FieldL4SrcPort:  e.SrcPort, p4info.TableFlowV6FieldL4DstPort: e.DstPort,
	} {
		if f != nil {
			r.match[id] = match{value: number(f.Value), mask: number(f.Mask)}
		}
	}
	return r, err
}

func decodeCopy(r row) contract.Entry {
	e := contract.Copy{
		Group: contract.GroupID(r.number(p4info.TableCopyFieldGroup)), Path: contract.PathID(r.number(p4info.TableCopyFieldPath)),
	}
	for _, c := range r.choices {
		e.SIDList = contract.SIDListID(c.named("sid_list").uint64())
	}
	return e
}

func encodeCopy(t *table, entry contract.Entry) (row, error) {
	e := entry.(contract.Copy)
	c, err := t.choose("send_copy", map[string]value{"sid_list": number(e.SIDList)})
	return row{table: t, choices: []choice{c}, match: map[uint32]match{
		p4info.TableCopyFieldGroup: {value: number(e.Group)}, p4info.TableCopyFieldPath: {value: number(e.Path)},
	}}, err
}

func decodeDedupFlow(r row) contract.Entry {
	e := contract.DedupFlow{FlowID: contract.FlowID(r.number(p4info.TableDedupFlowFieldFlowID))}
	for _, c := range r.choices {
		e.Window = uint8(c.named("window").uint64())
	}
	return e
}

func encodeDedupFlow(t *table, entry contract.Entry) (row, error) {
	e := entry.(contract.DedupFlow)
	c, err := t.choose("deduplicate", map[string]value{"window": number(e.Window)})
	return row{table: t, choices: []choice{c}, match: map[uint32]match{
		p4info.TableDedupFlowFieldFlowID: {value: number(e.FlowID)},
	}}, err
}

// --- what rows and contract values have in common

func (r row) number(fieldID uint32) uint64 { return r.match[fieldID].value.uint64() }

// prefix reads an LPM field; an absent one matches anything. The width of the field is the family.
func (r row) prefix(fieldID uint32) netip.Prefix {
	m := r.match[fieldID]
	if f, _ := fieldByID(r.table.fields, fieldID); f.bits == 32 {
		return netip.PrefixFrom(m.value.ip4(), m.prefixLen)
	}
	return netip.PrefixFrom(m.value.ip6(), m.prefixLen)
}

// maskedPrefix reads a ternary field whose mask is that of a prefix; of any other mask nothing valid
// comes out, which validation refuses.
func (r row) maskedPrefix(fieldID uint32) netip.Prefix {
	m := r.match[fieldID]
	f, _ := fieldByID(r.table.fields, fieldID)
	addr, length := m.value.ip6(), m.mask.ones()
	if f.bits == 32 {
		addr = m.value.ip4()
	}
	if m.mask != prefixMask(length, f.bits) {
		length = -1
	}
	return netip.PrefixFrom(addr, length)
}

func (r row) ternary(fieldID uint32) *contract.Ternary {
	m, given := r.match[fieldID]
	if !given {
		return nil
	}
	return &contract.Ternary{Value: uint16(m.value.uint64()), Mask: uint16(m.mask.uint64())}
}

func lpm(p netip.Prefix) match { return match{value: address(p.Addr()), prefixLen: p.Bits()} }

// named is the argument of the parameter with this name, 0 where the action has none.
func (c choice) named(name string) value {
	for _, p := range c.action.params {
		if p.name == name {
			return c.args[p.id]
		}
	}
	return value{}
}

// choose makes a choice of the table's action with this alias, taking its arguments by name.
func (t *table) choose(alias string, named map[string]value) (choice, error) {
	for _, ref := range t.refs {
		if ref.alias != alias {
			continue
		}
		c := choice{action: ref.action, args: map[uint32]value{}}
		for _, p := range ref.params {
			c.args[p.id] = named[p.name]
		}
		return c, nil
	}
	return choice{}, contract.Errorf(contract.Internal, "table %s has no action %q in the P4Info", t.alias, alias)
}
