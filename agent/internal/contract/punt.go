// SPDX-License-Identifier: Apache-2.0

package contract

// TablePunt is the table of packets that go to the controller.
const TablePunt = "punt"

func puntKind() Kind { return kindOf("punt", decodePunt, Punt.row, TablePunt) }

// Punt sends matching packets to the controller as packet-in. A nil field matches anything.
type Punt struct {
	Priority  int32
	InPort    *Ternary
	EtherType *Ternary
	IPProto   *Ternary
	ICMPv6    *Ternary
}

// Key of a punt row is its priority and its match, as two rows may differ in priority alone.
func (e Punt) Key() Key { return Key{TablePunt, priorityMatch(e.Priority) + ternaryMatch(e.fields())} }

// References is nothing.
func (e Punt) References() []Key { return nil }

func (e Punt) fields() []ternaryField {
	return []ternaryField{
		{"in_port", e.InPort, 9}, {"ether_type", e.EtherType, 16}, {"ip_protocol", e.IPProto, 8}, {"icmpv6_type", e.ICMPv6, 8},
	}
}

func (e Punt) problem() string { return ternaryProblem(e.Priority, e.fields()) }

func decodePunt(r Row) Punt {
	return Punt{
		Priority: r.Priority, InPort: r.ternary("in_port"), EtherType: r.ternary("ether_type"),
		IPProto: r.ternary("ip_protocol"), ICMPv6: r.ternary("icmpv6_type"),
	}
}

func (e Punt) row() Row {
	r := Row{Table: TablePunt, Priority: e.Priority, Match: map[string]Match{}, Actions: []Call{{Action: "to_controller"}}}
	return r.withTernaries(e.fields())
}
