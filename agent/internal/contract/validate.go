// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"net/netip"
)

// Bounds of the contract's identifiers.
const (
	MaxPort    PortID    = 510   // 9 bits; 511 is the drop port of v1model
	MaxNextHop NextHopID = 65279 // 0xfeff
	MaxMembers           = 256   // of an action set
	MaxPath    PathID    = 15    // of a group
	MaxWindow            = 63    // of a node
)

// Prefix makes a canonical prefix: an address of exactly this family, host bits zero.
func Prefix(addr netip.Addr, bits int) (netip.Prefix, error) {
	if !addr.IsValid() || addr.Is4In6() || addr.Zone() != "" {
		return netip.Prefix{}, Errorf(InvalidArgument, "%s is not a plain IPv4 or IPv6 address", addr)
	}
	p := netip.PrefixFrom(addr, bits)
	if !p.IsValid() {
		return netip.Prefix{}, Errorf(InvalidArgument, "prefix length %d is outside 0..%d", bits, addr.BitLen())
	}
	if p.Masked() != p {
		return netip.Prefix{}, Errorf(InvalidArgument, "%s has bits set behind its length, the prefix is %s", p, p.Masked())
	}
	return p, nil
}

// Validate says what is wrong with an entry on its own, without looking at any other row. Every
// decoder calls it, and every back end again: what passes can be keyed, stored and compared. Its
// error is an *Error with the code InvalidArgument that names the field.
func Validate(e Entry) error {
	var problem string
	switch e := e.(type) {
	case MySID:
		problem = e.problem()
	case Steering:
		problem = firstOf(prefixProblem("dst", e.Dst), sidListProblem(e.SIDList))
	case SIDList:
		problem = e.problem()
	case EncapSource:
		problem = sourceProblem("source", e.Source)
	case Route:
		problem = e.problem()
	case NextHop:
		problem = e.problem()
	case Punt:
		problem = e.problem()
	case Flow:
		problem = e.problem()
	case Copy:
		problem = firstOf(groupProblem(e.Group), pathProblem("path", e.Path), sidListProblem(e.SIDList))
	case DedupFlow:
		if e.Window > MaxWindow {
			problem = fmt.Sprintf("window %d is outside 0..%d", e.Window, MaxWindow)
		}
	default:
		problem = fmt.Sprintf("%T is no entry of the contract", e)
	}
	if problem == "" {
		return nil
	}
	if e == nil {
		return Errorf(InvalidArgument, "%s", problem)
	}
	return Errorf(InvalidArgument, "%s: %s", e.Key(), problem)
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
	case End, EndPSP, UDT6, UDT4, UDT46:
		return ""
	default:
		return fmt.Sprintf("action %q is unknown", string(b.Action))
	}
}

// lengthProblem: a container is block, CSID and argument (RFC 9800, 4.1); the FIB entry is as long
// as block and CSID, longer when it also names what follows, never shorter.
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

func (e SIDList) problem() string {
	if p := sidListProblem(e.ID); p != "" {
		return p
	}
	if len(e.Members) == 0 || len(e.Members) > MaxMembers {
		return fmt.Sprintf("a segment list has 1 to %d members, not %d", MaxMembers, len(e.Members))
	}
	for i, m := range e.Members {
		if m.Weight == 0 {
			return fmt.Sprintf("member %d has weight 0, the least is 1", i+1)
		}
		if len(m.Segments) == 0 {
			return fmt.Sprintf("member %d has no segments", i+1)
		}
		for _, s := range m.Segments {
			if p := sourceProblem(fmt.Sprintf("a segment of member %d", i+1), s); p != "" {
				return p
			}
		}
	}
	return ""
}

func (e Route) problem() string {
	if p := prefixProblem("dst", e.Dst); p != "" {
		return p
	}
	if len(e.Members) == 0 || len(e.Members) > MaxMembers {
		return fmt.Sprintf("a route has 1 to %d members, not %d", MaxMembers, len(e.Members))
	}
	for i, m := range e.Members {
		if m.Weight == 0 {
			return fmt.Sprintf("member %d has weight 0, the least is 1", i+1)
		}
		if p := nextHopProblem(m.NextHop); p != "" {
			return p
		}
	}
	return ""
}

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

func (e Punt) problem() string {
	return ternaryProblem(e.Priority, e.fields())
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

// A ternaryField is a field of at most 16 bits with its name and width.
type ternaryField struct {
	name  string
	value *Ternary
	width int
}

func (e Punt) fields() []ternaryField {
	return []ternaryField{
		{"in_port", e.InPort, 9}, {"ether_type", e.EtherType, 16}, {"ip_protocol", e.IPProto, 8}, {"icmpv6_type", e.ICMPv6, 8},
	}
}

func (e Flow) fields() []ternaryField {
	return []ternaryField{{"ip_protocol", e.IPProto, 8}, {"l4_src_port", e.SrcPort, 16}, {"l4_dst_port", e.DstPort, 16}}
}

func ternaryProblem(priority int32, fields []ternaryField) string {
	if priority <= 0 {
		return "a ternary match needs a priority greater than 0"
	}
	for _, f := range fields {
		if f.value == nil {
			continue
		}
		if int(f.value.Mask)>>f.width != 0 || f.value.Mask == 0 {
			return fmt.Sprintf("%s: mask 0x%x is not between 1 and %d bits wide", f.name, f.value.Mask, f.width)
		}
		if f.value.Value&^f.value.Mask != 0 {
			return fmt.Sprintf("%s: value 0x%x has bits outside of its mask 0x%x", f.name, f.value.Value, f.value.Mask)
		}
	}
	return ""
}

func groupProblem(id GroupID) string {
	if id == 0 {
		return "group 0 is reserved, groups start at 1"
	}
	return ""
}

func pathProblem(field string, id PathID) string {
	if id == 0 || id > MaxPath {
		return fmt.Sprintf("%s %d is outside 1..%d", field, id, MaxPath)
	}
	return ""
}

func prefixProblem(field string, p netip.Prefix) string {
	if !p.IsValid() {
		return field + " is not a prefix"
	}
	if _, err := Prefix(p.Addr(), p.Bits()); err != nil {
		return field + ": " + err.Error()
	}
	return ""
}

func sourceProblem(field string, a netip.Addr) string {
	if !a.Is6() || a.Is4In6() || a.Zone() != "" || a.IsUnspecified() || a.IsMulticast() {
		return fmt.Sprintf("%s must be a unicast IPv6 address, not %s", field, a)
	}
	return ""
}

func nextHopProblem(id NextHopID) string {
	if id == 0 || id > MaxNextHop {
		return fmt.Sprintf("next_hop %d is outside 1..%d", id, MaxNextHop)
	}
	return ""
}

func sidListProblem(id SIDListID) string {
	if id == 0 {
		return "sid_list 0 is reserved, ids start at 1"
	}
	return ""
}

func firstOf(problems ...string) string {
	for _, p := range problems {
		if p != "" {
			return p
		}
	}
	return ""
}
