// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"net/netip"
)

// TableMySID is the node's own SIDs.
const TableMySID = "my_sid"

func mySIDKind() Kind { return kindOf("my_sid", decodeMySID, MySID.row, TableMySID) }

// MySID says that this node owns a SID, and how it behaves there (RFC 8986, 4; RFC 9800, 4).
type MySID struct {
	SID      netip.Prefix
	Behavior Behavior
}

// A Behavior is the node's treatment of a packet whose destination is one of its SIDs.
type Behavior struct {
	Action Action
	// BlockLength and CSIDLength are in bits, for UN, UA, Sera and SeraStateful: LBL and LNFL of RFC 9800, 4.1.
	// The node shifts by CSIDLength, which is 32 for a fused node+function SID.
	BlockLength, CSIDLength uint8
	// NextHop is for UA, EndX, UDX6, UDX4.
	NextHop NextHopID
	// VRF is for UDT6, UDT4, UDT46. 0 is the main table.
	VRF VRF
	// SIDList is for B6EncapsRed.
	SIDList SIDListID
	// Path is for Dedup, which has a VRF as well.
	Path PathID
	// GTP is for GTP4E and GTP6E.
	GTP GTPEncap `json:",omitzero"`
	// Mapped is for Map: the new destination.
	Mapped netip.Addr `json:",omitzero"`
	// SERA is for Sera and SeraStateful, with BlockLength and CSIDLength.
	SERA SERA `json:",omitzero"`
}

// GTPEncap is how End.M.GTP4.E and End.M.GTP6.E make GTP-U (RFC 9433, 6.5 and 6.6).
type GTPEncap struct {
	// At is the bit of the SID where its arguments begin: Args.Mob.Session, for GTP4E the IPv4 destination before them.
	At uint8
	// SourceAt is the bit of the source address where the IPv4 source is, for GTP4E; Source is for GTP6E.
	SourceAt uint8
	Source   netip.Addr
	// PDUType of the PDU Session Container is 0 downlink, 1 uplink.
	PDUType uint8
	// Container says when there is one: 0 never, 1 where QFI or RQI is not 0, 2 always.
	Container uint8
	// UDPSource is the port, 0 for a hash of the flow inside.
	UDPSource uint16
}

// Action is the name of a my_sid action of the contract, as P4Info spells it.
type Action string

// The my_sid actions.
const (
	UN          Action = "un"
	UA          Action = "ua"
	End         Action = "end"
	EndPSP      Action = "end_psp"
	EndX        Action = "end_x"
	UDT6        Action = "udt6"
	UDT4        Action = "udt4"
	UDT46       Action = "udt46"
	UDX6        Action = "udx6"
	UDX4        Action = "udx4"
	B6EncapsRed Action = "b6_encaps_red"
	Dedup       Action = "dedup"
	GTP4E       Action = "gtp4_e"
	GTP6E       Action = "gtp6_e"
	GTP6D       Action = "gtp6_d"
	Map         Action = "map"

	Sera         Action = "sera"
	SeraStateful Action = "sera_stateful"
)

// Key of a SID is its prefix.
func (e MySID) Key() Key { return Key{TableMySID, e.SID.String()} }

// References is the next hop or the list of the actions that have one.
func (e MySID) References() []Key {
	switch e.Behavior.Action {
	case UA, EndX, UDX6, UDX4:
		return []Key{NextHopKey(e.Behavior.NextHop)}
	case B6EncapsRed:
		return []Key{SIDListKey(e.Behavior.SIDList)}
	default:
		return nil
	}
}

func (e MySID) problem() string {
	if p := prefixProblem("sid", e.SID); p != "" {
		return p
	}
	if !e.SID.Addr().Is6() || e.SID.Bits() == 0 {
		return "sid must be an IPv6 prefix longer than 0"
	}
	return e.Behavior.problem(e.SID.Bits())
}

func (b Behavior) problem(sidBits int) string {
	switch b.Action {
	case UN, UA:
		if p := b.lengthProblem(sidBits); p != "" || b.Action == UN {
			return p
		}
		return nextHopProblem(b.NextHop)
	case EndX, UDX6, UDX4:
		return nextHopProblem(b.NextHop)
	case B6EncapsRed:
		return sidListProblem(b.SIDList)
	case Dedup:
		return pathProblem("path", b.Path)
	case GTP4E:
		return firstOf(b.GTP.problem(sidBits, addressBits+sessionBits), roomProblem("source_at", b.GTP.SourceAt, addressBits))
	case GTP6E:
		return firstOf(b.GTP.problem(sidBits, sessionBits), sourceProblem("source", b.GTP.Source))
	case Map:
		return sourceProblem("sid", b.Mapped)
	case Sera, SeraStateful:
		return b.seraProblem(sidBits)
	case End, EndPSP, UDT6, UDT4, UDT46, GTP6D:
		return ""
	default:
		return fmt.Sprintf("action %q is unknown", string(b.Action))
	}
}

func (g GTPEncap) problem(sidBits, bits int) string {
	switch {
	case int(g.At) < sidBits:
		return fmt.Sprintf("at %d is within the %d bits of the sid, arguments stand behind them", g.At, sidBits)
	case g.PDUType > 1:
		return fmt.Sprintf("pdu_type %d is neither 0 (downlink) nor 1 (uplink) (TS 38.415, 5.5.3.1)", g.PDUType)
	case g.Container > 2:
		return fmt.Sprintf("container %d is none of 0 (never), 1 (where QFI or RQI is not 0), 2 (always)", g.Container)
	}
	return roomProblem("at", g.At, bits)
}

// lengthProblem: a container is block, CSID and argument (RFC 9800, 4.1); the FIB entry is as long as block and CSID,
// longer when it also names the bits behind, never shorter.
func (b Behavior) lengthProblem(sidBits int) string {
	sum := int(b.BlockLength) + int(b.CSIDLength)
	switch {
	case b.BlockLength == 0 || b.CSIDLength == 0:
		return "block_length and csid_length must be greater than 0"
	case sum > 128:
		return fmt.Sprintf("block_length %d and csid_length %d together exceed 128", b.BlockLength, b.CSIDLength)
	case b.Action == UA && sidBits < sum, sidBits < int(b.BlockLength):
		return fmt.Sprintf("sid has %d bits, fewer than block_length %d and csid_length %d need", sidBits, b.BlockLength, b.CSIDLength)
	}
	return ""
}

func decodeMySID(r Row) MySID {
	e := MySID{SID: r.prefix("sid")}
	for _, c := range r.Actions {
		e.Behavior = Behavior{
			Action:      Action(c.Action),
			BlockLength: uint8(c.number("block_length")),
			CSIDLength:  uint8(c.number("csid_length")),
			NextHop:     NextHopID(c.number("next_hop")),
			VRF:         VRF(c.number("vrf")),
			SIDList:     SIDListID(c.number("sid_list")),
			Path:        PathID(c.number("path")),
			GTP: GTPEncap{
				At: uint8(c.number("at")), SourceAt: uint8(c.number("source_at")), Source: optionalAddress(c.Args["source"]),
				PDUType: uint8(c.number("pdu_type")), Container: uint8(c.number("container")), UDPSource: uint16(c.number("udp_source")),
			},
			Mapped: optionalAddress(c.Args["sid"]),
			SERA: SERA{
				Firewall: FirewallID(c.number("firewall")), Instance: uint16(c.number("instance")), USIDLength: uint8(c.number("usid_length")),
				ArgsLength: uint8(c.number("args_length")), LocalStart: uint32(c.number("local_start")), Flows: uint32(c.number("flows")),
			},
		}
	}
	return e
}

// row gives the arguments of all actions; each takes its own.
func (e MySID) row() Row {
	b := e.Behavior
	return Row{
		Table: TableMySID, Match: map[string]Match{"sid": lpm(e.SID)},
		Actions: []Call{{Action: string(b.Action), Args: map[string]Bits{
			"block_length": Number(b.BlockLength), "csid_length": Number(b.CSIDLength),
			"next_hop": Number(b.NextHop), "vrf": Number(b.VRF), "sid_list": Number(b.SIDList), "path": Number(b.Path),
			"at": Number(b.GTP.At), "source_at": Number(b.GTP.SourceAt), "source": optionalBits(b.GTP.Source),
			"pdu_type": Number(b.GTP.PDUType), "container": Number(b.GTP.Container), "udp_source": Number(b.GTP.UDPSource),
			"sid":      optionalBits(b.Mapped),
			"firewall": Number(b.SERA.Firewall), "instance": Number(b.SERA.Instance), "usid_length": Number(b.SERA.USIDLength),
			"args_length": Number(b.SERA.ArgsLength), "local_start": Number(b.SERA.LocalStart), "flows": Number(b.SERA.Flows),
		}}},
	}
}
