// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"hash/fnv"
	"net/netip"
	"strings"
	"time"
)

// TableFirewall is the rules of firewalls.
const TableFirewall = "firewall"

func firewallKind() Kind { return kindOf("firewall", decodeFirewall, Firewall.row, TableFirewall) }

// Firewall is a rule of a rule set: the verdict on a packet at a SID that refers to the set
// (docs/reference/firewall-node.md). Fields are those of the packet inside; addresses are 128 bits wide, IPv4 is
// ::ffff:0:0/96; a nil field matches anything.
type Firewall struct {
	Firewall FirewallID
	Priority int32

	IPVersion          *Ternary
	Src, Dst           *Ternary
	IPProto            *Ternary
	Has                *Ternary
	SrcPort, DstPort   *Range
	TCPFlags           *Ternary
	ICMPType, ICMPCode *Ternary

	SRHNextHdr   *Ternary
	SRHHdrLen    *Range
	SegmentsLeft *Range
	LastEntry    *Range
	SRHFlags     *Ternary
	SRHTag       *Ternary
	PreviousSID  *Ternary
	NextSID      *Ternary
	LastSID      *Ternary
	OuterSrc     *Ternary
	Args         *Ternary
	Established  *Ternary

	Verdict Verdict
	Log     bool
}

// Bits of Has: a field that a packet lacks has no value that a range, or its negation, could match.
const (
	HasPorts       = 1
	HasICMP        = 2
	HasSRH         = 4
	HasPreviousSID = 8
	HasNextSID     = 16
)

// Verdict is the name of an action of firewall, as P4Info spells it.
type Verdict string

// The actions of firewall.
const (
	FwDrop     Verdict = "fw_drop"
	FwGoNext   Verdict = "fw_go_next"
	FwSkipNext Verdict = "fw_skip_next"
	FwGoLast   Verdict = "fw_go_last"
	FwEvalArgs Verdict = "fw_eval_args"
)

// A Range has both of its ends in it.
type Range struct{ Low, High uint16 }

// Key of a rule is its set, its priority and its match.
func (e Firewall) Key() Key {
	var match strings.Builder
	fmt.Fprintf(&match, "firewall %d %s", e.Firewall, priorityMatch(e.Priority))
	match.WriteString(ternaryMatch(e.ternaries()))
	for _, f := range e.ranges() {
		if f.value != nil {
			fmt.Fprintf(&match, " %s %d-%d", f.name, f.value.Low, f.value.High)
		}
	}
	return Key{TableFirewall, match.String()}
}

// ID names the rule of a key, whatever its verdict is: the node's events about packets contain it.
func (e Firewall) ID() uint64 {
	h := fnv.New64a()
	h.Write([]byte(e.Key().Match))
	return h.Sum64()
}

// References is nothing: a set of rules that no SID refers to yet is how one is exchanged for another.
func (e Firewall) References() []Key { return nil }

// A rangeField is a field with its name, the highest value it can have, and the bits of Has that it requires.
type rangeField struct {
	name  string
	value *Range
	most  uint16
	has   uint64
}

func (e Firewall) ranges() []rangeField {
	return []rangeField{
		{"src_port", e.SrcPort, 0xffff, HasPorts},
		{"dst_port", e.DstPort, 0xffff, HasPorts},
		{"srh_hdr_len", e.SRHHdrLen, 0xff, HasSRH},
		{"segments_left", e.SegmentsLeft, 0xff, HasSRH},
		{"last_entry", e.LastEntry, 0xff, HasSRH},
	}
}

func (e Firewall) ternaries() []ternaryField {
	return []ternaryField{
		{"ip_version", e.IPVersion, 4},
		{"src", e.Src, 128},
		{"dst", e.Dst, 128},
		{"ip_protocol", e.IPProto, 8},
		{"has", e.Has, 5},
		{"tcp_flags", e.TCPFlags, 8},
		{"icmp_type", e.ICMPType, 8},
		{"icmp_code", e.ICMPCode, 8},
		{"srh_next_hdr", e.SRHNextHdr, 8},
		{"srh_flags", e.SRHFlags, 8},
		{"srh_tag", e.SRHTag, 16},
		{"previous_sid", e.PreviousSID, 128},
		{"next_sid", e.NextSID, 128},
		{"last_sid", e.LastSID, 128},
		{"outer_src", e.OuterSrc, 128},
		{"args", e.Args, 16},
		{"established", e.Established, 1},
	}
}

// presence has the bits of Has that a ternary field requires.
//
//nolint:gochecknoglobals // a constant
var presence = map[string]uint64{
	"tcp_flags": HasPorts, "icmp_type": HasICMP, "icmp_code": HasICMP,
	"srh_next_hdr": HasSRH, "srh_flags": HasSRH, "srh_tag": HasSRH,
	"previous_sid": HasPreviousSID, "next_sid": HasNextSID,
}

//nolint:gochecknoglobals // a constant
var presenceNames = map[uint64]string{
	HasPorts: "ports", HasICMP: "an ICMP type", HasSRH: "a segment routing header", HasPreviousSID: "a previous SID", HasNextSID: "a next SID",
}

func (e Firewall) problem() string {
	if p := ternaryProblem(e.Priority, e.ternaries()); p != "" {
		return p
	}
	for _, f := range e.ternaries() {
		if f.value != nil && !e.asks(presence[f.name]) {
			return presenceProblem(f.name, presence[f.name])
		}
	}
	for _, f := range e.ranges() {
		if f.value == nil {
			continue
		}
		if p := f.problem(); p != "" {
			return p
		}
		if !e.asks(f.has) {
			return presenceProblem(f.name, f.has)
		}
	}
	if e.TCPFlags != nil && (e.IPProto == nil || *e.IPProto != *Masked(6, 0xff)) {
		return "tcp_flags need ip_protocol 6: nothing else has them"
	}
	switch e.Verdict {
	case FwDrop, FwGoNext, FwSkipNext, FwGoLast, FwEvalArgs:
		return ""
	default:
		return fmt.Sprintf("action %q is unknown", string(e.Verdict))
	}
}

// asks says whether the rule takes only packets that have something.
func (e Firewall) asks(has uint64) bool {
	return has == 0 || e.Has != nil && e.Has.Mask.Uint64()&has == has && e.Has.Value.Uint64()&has == has
}

func presenceProblem(field string, has uint64) string {
	return fmt.Sprintf("%s needs has with bit %d set in value and mask: a packet without %s has no such value", field, has, presenceNames[has])
}

func (f rangeField) problem() string {
	switch {
	case f.value.Low > f.value.High:
		return fmt.Sprintf("%s: %d to %d is empty, the low end is above the high one", f.name, f.value.Low, f.value.High)
	case f.value.High > f.most:
		return fmt.Sprintf("%s: %d is more than %d", f.name, f.value.High, f.most)
	case f.value.Low == 0 && f.value.High == f.most:
		return fmt.Sprintf("%s: 0 to %d is any value: leave it out, and ask has for its presence", f.name, f.most)
	}
	return ""
}

func (r Row) bounds(field string) *Range {
	m, given := r.Match[field]
	if !given {
		return nil
	}
	return &Range{uint16(m.Value.Uint64()), uint16(m.High.Uint64())}
}

func decodeFirewall(r Row) Firewall {
	e := Firewall{
		Firewall: FirewallID(r.number("firewall")), Priority: r.Priority,
		IPVersion: r.ternary("ip_version"), Src: r.ternary("src"), Dst: r.ternary("dst"), IPProto: r.ternary("ip_protocol"), Has: r.ternary("has"),
		SrcPort: r.bounds("src_port"), DstPort: r.bounds("dst_port"),
		TCPFlags: r.ternary("tcp_flags"), ICMPType: r.ternary("icmp_type"), ICMPCode: r.ternary("icmp_code"),
		SRHNextHdr: r.ternary("srh_next_hdr"), SRHHdrLen: r.bounds("srh_hdr_len"), SegmentsLeft: r.bounds("segments_left"), LastEntry: r.bounds("last_entry"),
		SRHFlags: r.ternary("srh_flags"), SRHTag: r.ternary("srh_tag"), PreviousSID: r.ternary("previous_sid"), NextSID: r.ternary("next_sid"),
		LastSID: r.ternary("last_sid"), OuterSrc: r.ternary("outer_src"), Args: r.ternary("args"), Established: r.ternary("established"),
	}
	for _, c := range r.Actions {
		e.Verdict, e.Log = Verdict(c.Action), c.number("log") == 1
	}
	return e
}

func (e Firewall) row() Row {
	r := Row{
		Table: TableFirewall, Priority: e.Priority, Match: map[string]Match{"firewall": exact(e.Firewall)},
		Actions: []Call{{Action: string(e.Verdict), Args: map[string]Bits{"log": flag(e.Log)}}},
	}
	for _, f := range e.ranges() {
		if f.value != nil {
			r.Match[f.name] = Match{Value: Number(f.value.Low), High: Number(f.value.High)}
		}
	}
	return r.withTernaries(e.ternaries())
}

// A FirewallEvent is a packet that a rule with log has judged.
type FirewallEvent struct {
	// At is when it was received.
	At       time.Time
	Instance uint16
	Firewall FirewallID
	Priority int32
	// Rule is the ID of the rule.
	Rule    uint64
	Verdict Verdict
	// Dropped is why the packet was dropped although the verdict is another, as counters of firewall_dropped are called; "" if not.
	Dropped string
	// SID is the destination that the packet came to; the rest is of the packet inside.
	SID, Src, Dst      netip.Addr
	Protocol           uint8
	SrcPort, DstPort   *uint16
	ICMPType, ICMPCode *uint8
	// Unlogged is how many packets were not reported before this one, as there were more of them than are reported
	// in a second.
	Unlogged uint32
}

// A FirewallTeller is a Backend that has firewalls which report packets.
type FirewallTeller interface {
	// FirewallEvents has its argument called for each event, in order and one at a time, until stop has returned.
	// Events that occur while that runs may be missing in the following ones.
	FirewallEvents(tell func(FirewallEvent)) (stop func())
}
