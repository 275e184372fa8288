// SPDX-License-Identifier: Apache-2.0

package contract

import "fmt"

// TableNextHop is the adjacencies.
const TableNextHop = "next_hop"

func nextHopKind() Kind { return kindOf("next_hop", decodeNextHop, NextHop.row, TableNextHop) }

// NextHop is an adjacency: the port to leave by and the two MAC addresses of the frame.
type NextHop struct {
	ID             NextHopID
	Port           PortID
	SrcMAC, DstMAC [6]byte
}

// Key of a next hop is its id.
func (e NextHop) Key() Key { return NextHopKey(e.ID) }

// NextHopKey is the key of the next hop with this id.
func NextHopKey(id NextHopID) Key { return Key{TableNextHop, fmt.Sprint(id)} }

// References is nothing.
func (e NextHop) References() []Key { return nil }

func (e NextHop) problem() string {
	switch {
	case e.Port == 0 || e.Port > MaxPort:
		return fmt.Sprintf("port %d is outside 1..%d", e.Port, MaxPort)
	case e.DstMAC == [6]byte{} || e.DstMAC[0]&1 != 0:
		return "dst_mac must be a unicast address that is not zero"
	case e.SrcMAC == [6]byte{} || e.SrcMAC[0]&1 != 0:
		return "src_mac must be a unicast address that is not zero"
	}
	return nextHopProblem(e.ID)
}

func decodeNextHop(r Row) NextHop {
	e := NextHop{ID: NextHopID(r.number("id"))}
	for _, c := range r.Actions {
		e.Port, e.SrcMAC, e.DstMAC = PortID(c.number("port")), c.Args["src_mac"].MAC(), c.Args["dst_mac"].MAC()
	}
	return e
}

func (e NextHop) row() Row {
	return Row{
		Table: TableNextHop, Match: map[string]Match{"id": exact(e.ID)},
		Actions: []Call{{Action: "forward", Args: map[string]Bits{
			"port": Number(e.Port), "src_mac": MACBits(e.SrcMAC), "dst_mac": MACBits(e.DstMAC),
		}}},
	}
}
