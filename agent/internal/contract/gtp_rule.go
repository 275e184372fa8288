// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"net/netip"
)

// TableGTPRule is the table for GTP-U that enters here.
const TableGTPRule = "gtp_rule"

func gtpRuleKind() Kind { return kindOf("gtp_rule", decodeGTPRule, GTPRule.row, TableGTPRule) }

// GTPRule takes GTP-U into a slice (docs/reference/mobile-node.md). Addresses are 128 bits wide, IPv4 is ::ffff:0:0/96; a
// nil field matches anything.
type GTPRule struct {
	Priority int32
	VRF      VRF
	Class    *Ternary
	Src, Dst *Ternary
	TEID     *Ternary
	QFI      *Ternary
	DSCP     *Ternary
	// InnerSrc and InnerDst are of the packet inside GTP, :: where there is none that could be translated.
	InnerSrc, InnerDst *Ternary
	// Way is which packets the action takes, said once more for targets that cannot derive it; nil where the row
	// does not say it. Its bits of PDU types are the row's own: TakesContainers.
	Way *Ternary

	Action GTPAction
	// SIDList is for GTPTranslate and GTPCarry, the rest for GTPTranslate.
	SIDList SIDListID
	// ArgsAt and AddressAt are bits of the last SID of the list, SourceAt of Source; 0 is not written.
	ArgsAt, AddressAt, SourceAt uint8
	// Source of the outer header; the zero address is that of encap_source.
	Source netip.Addr
	// KeepDestination is End.M.GTP6.D.Di: the destination becomes the last segment (RFC 9433, 6.4).
	KeepDestination bool
	// DropSequence is to translate packets with a sequence or N-PDU number too, which is lost.
	DropSequence bool
}

// GTPAction is the name of an action of gtp_rule, as P4Info spells it.
type GTPAction string

// The actions of gtp_rule.
const (
	GTPTranslate GTPAction = "gtp_d"
	GTPCarry     GTPAction = "carry"
	GTPDiscard   GTPAction = "gtp_discard"
)

const sessionBits, addressBits = 40, 32

// Key of a rule is its priority and its match.
func (e GTPRule) Key() Key {
	return Key{TableGTPRule, fmt.Sprintf("%s vrf %d", priorityMatch(e.Priority), e.VRF) + ternaryMatch(e.fields())}
}

// References is its list.
func (e GTPRule) References() []Key {
	if e.SIDList == 0 {
		return nil
	}
	return []Key{SIDListKey(e.SIDList)}
}

func (e GTPRule) fields() []ternaryField {
	return []ternaryField{
		{"class", e.Class, 16},
		{"src", e.Src, 128},
		{"dst", e.Dst, 128},
		{"teid", e.TEID, 32},
		{"qfi", e.QFI, 6},
		{"dscp", e.DSCP, 6},
		{"inner_src", e.InnerSrc, 128},
		{"inner_dst", e.InnerDst, 128},
		{"way", e.Way, 5},
	}
}

func (e GTPRule) problem() string {
	if p := firstOf(ternaryProblem(e.Priority, e.fields()), e.wayProblem()); p != "" {
		return p
	}
	switch e.Action {
	case GTPTranslate:
		return firstOf(
			sidListProblem(e.SIDList),
			roomProblem("args_at", e.ArgsAt, sessionBits), roomProblem("address_at", e.AddressAt, addressBits), roomProblem("source_at", e.SourceAt, addressBits),
			e.overlapProblem(), optionalSourceProblem(e.Source),
		)
	case GTPCarry:
		return sidListProblem(e.SIDList)
	case GTPDiscard:
		return ""
	default:
		return fmt.Sprintf("action %q is unknown", string(e.Action))
	}
}

// Bits of Way; 0 is a packet that goes whole, or not at all.
const (
	wayDownlink     = 16 // with a PDU Session Container of that PDU type
	wayUplink       = 8
	wayTranslatable = 4
	wayOverIPv6     = 2
	waySequenced    = 1
)

// TakesContainers says of a rule that translates which PDU Session Containers it takes, by their PDU type (TS 38.415, 5.5.2).
// One of a direction leaves those of the other one to the next rule, as Args.Mob.Session has no bit for the type (RFC 9433,
// 6.1); a packet without a container has none to lose.
func (e GTPRule) TakesContainers() (downlink, uplink bool) {
	return e.refused()&wayDownlink == 0, e.refused()&wayUplink == 0
}

// refused PDU types, as bits of the way.
func (e GTPRule) refused() uint64 {
	if e.Way == nil {
		return 0
	}
	return e.Way.Mask.Uint64() & (wayDownlink | wayUplink)
}

// TakenWay is which packets the rule takes: one that translates takes none that it cannot say in SRv6. An IPv6 packet has
// no IPv4 addresses to write, and an IPv4 packet no destination that could become a segment. PDU types are as the row says.
func (e GTPRule) TakenWay() *Ternary {
	if e.Action != GTPTranslate {
		return nil
	}
	value, mask := uint64(wayTranslatable), wayTranslatable|e.refused()
	if !e.DropSequence {
		mask |= waySequenced
	}
	writes4 := e.AddressAt != 0 || e.SourceAt != 0
	if e.KeepDestination || writes4 {
		mask |= wayOverIPv6
	}
	if e.KeepDestination {
		value |= wayOverIPv6
	}
	if e.KeepDestination && writes4 { // of no packet
		value, mask = wayOverIPv6|waySequenced, wayTranslatable|wayOverIPv6|waySequenced|e.refused()
	}
	return Masked(value, mask)
}

func (e GTPRule) wayProblem() string {
	if wanted := e.TakenWay(); e.Way != nil && (wanted == nil || *e.Way != *wanted) {
		return fmt.Sprintf("way %s/%s is not that of its action: leave it out", e.Way.Value, e.Way.Mask)
	}
	return ""
}

// overlapProblem: fields that are written into the same bits of a SID are lost.
func (e GTPRule) overlapProblem() string {
	args, address := int(e.ArgsAt), int(e.AddressAt)
	if args != 0 && address != 0 && args < address+addressBits && address < args+sessionBits {
		return fmt.Sprintf("args_at %d and address_at %d overlap", args, address)
	}
	return ""
}

// roomProblem of bits that are written into an address; 0 is not written.
func roomProblem(field string, at uint8, bits int) string {
	if int(at)+bits > 128 {
		return fmt.Sprintf("%s %d leaves no room for %d bits", field, at, bits)
	}
	return ""
}

func optionalSourceProblem(a netip.Addr) string {
	if a == (netip.Addr{}) {
		return ""
	}
	return sourceProblem("source", a)
}

// optionalAddress is the zero Addr for ::, which stands for none.
func optionalAddress(v Bits) netip.Addr {
	if v.IsZero() {
		return netip.Addr{}
	}
	return v.IP6()
}

func optionalBits(a netip.Addr) Bits {
	if a == (netip.Addr{}) {
		return Bits{}
	}
	return AddressBits(a)
}

func flag(b bool) Bits {
	if b {
		return Number(uint8(1))
	}
	return Bits{}
}

func decodeGTPRule(r Row) GTPRule {
	e := GTPRule{
		Priority: r.Priority, VRF: VRF(r.number("vrf")), Class: r.ternary("class"), Src: r.ternary("src"), Dst: r.ternary("dst"),
		TEID: r.ternary("teid"), QFI: r.ternary("qfi"), DSCP: r.ternary("dscp"), InnerSrc: r.ternary("inner_src"), InnerDst: r.ternary("inner_dst"),
		Way: r.ternary("way"),
	}
	for _, c := range r.Actions {
		e.Action, e.SIDList = GTPAction(c.Action), SIDListID(c.number("sid_list"))
		e.ArgsAt, e.AddressAt, e.SourceAt = uint8(c.number("args_at")), uint8(c.number("address_at")), uint8(c.number("source_at"))
		e.Source = optionalAddress(c.Args["source"])
		e.KeepDestination, e.DropSequence = c.number("keep_destination") == 1, c.number("drop_sequence") == 1
	}
	return e
}

func (e GTPRule) row() Row {
	call := Call{Action: string(e.Action), Args: map[string]Bits{}}
	if e.Action == GTPTranslate || e.Action == GTPCarry {
		call.Args["sid_list"] = Number(e.SIDList)
	}
	if e.Action == GTPTranslate {
		call.Args["args_at"], call.Args["address_at"], call.Args["source_at"] = Number(e.ArgsAt), Number(e.AddressAt), Number(e.SourceAt)
		call.Args["source"] = optionalBits(e.Source)
		call.Args["keep_destination"], call.Args["drop_sequence"] = flag(e.KeepDestination), flag(e.DropSequence)
	}
	r := Row{Table: TableGTPRule, Priority: e.Priority, Match: map[string]Match{"vrf": exact(e.VRF)}, Actions: []Call{call}}
	return r.withTernaries(e.fields())
}
