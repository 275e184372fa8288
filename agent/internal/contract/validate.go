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

// Validate returns the fault of an entry on its own, without looking at any other row. Every decoder calls it, and
// every back end again: a valid entry can be keyed, stored and compared. Its error is an *Error with the code
// InvalidArgument that names the field.
func Validate(e Entry) error {
	if _, known := KindOf(e); !known {
		return notAnEntry(e)
	}
	if problem := e.problem(); problem != "" {
		return Errorf(InvalidArgument, "%s: %s", e.Key(), problem)
	}
	return nil
}

func notAnEntry(e Entry) error {
	return Errorf(InvalidArgument, "%T is no entry of the contract", e)
}

// A ternaryField is a field with its name and its width in bits.
type ternaryField struct {
	name  string
	value *Ternary
	width int
}

func ternaryProblem(priority int32, fields []ternaryField) string {
	if priority <= 0 {
		return "a ternary match needs a priority greater than 0"
	}
	for _, f := range fields {
		if f.value == nil {
			continue
		}
		if f.value.Mask.IsZero() || f.value.Mask.Width() > f.width {
			return fmt.Sprintf("%s: mask %s is not between 1 and %d bits wide", f.name, f.value.Mask, f.width)
		}
		if f.value.Value.Outside(f.value.Mask) {
			return fmt.Sprintf("%s: value %s has bits outside of its mask %s", f.name, f.value.Value, f.value.Mask)
		}
	}
	return ""
}

func priorityMatch(priority int32) string { return fmt.Sprintf("priority %d", priority) }

func ternaryMatch(fields []ternaryField) string {
	var match []byte
	for _, f := range fields {
		if f.value != nil {
			match = append(append(append(match, ' '), f.name...), ' ')
			match = f.value.Mask.appendHex(append(f.value.Value.appendHex(match), '/'))
		}
	}
	return string(match)
}

func vrfMatch(vrf VRF, p netip.Prefix) string { return fmt.Sprintf("vrf %d %s", vrf, p) }

func byFamily(p netip.Prefix, v6, v4 string) string {
	if p.Addr().Is4() {
		return v4
	}
	return v6
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
