// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"net/netip"
	"strings"
)

// A Row is a row of a table in the words of P4Info: fields, actions and parameters by name. Its meaning is defined by
// its Kind.
type Row struct {
	Table    string           // its alias
	Match    map[string]Match // an absent field matches anything
	Priority int32            // 0 in tables that match exactly or by a longest prefix
	Default  bool
	// Actions holds the action of a direct table or the members of a one-shot action set; a key has none.
	Actions []Call
}

// Match is the value of one field. Mask is for ternary fields, PrefixLength for LPM, High for ranges, whose
// lower end is Value.
type Match struct {
	Value, Mask, High Bits
	PrefixLength      int
}

// Call is an action with its arguments; Weight is 0 outside of action sets.
type Call struct {
	Action string
	Args   map[string]Bits
	Weight int32
}

func (r Row) number(field string) uint64 { return r.Match[field].Value.Uint64() }

func (c Call) number(param string) uint64 { return c.Args[param].Uint64() }

// width of the addresses of a table: the suffix of its name is the family.
func (r Row) width() int {
	if strings.HasSuffix(r.Table, "_v4") {
		return 32
	}
	return 128
}

func (r Row) address(v Bits) netip.Addr {
	if r.width() == 32 {
		return v.IP4()
	}
	return v.IP6()
}

// prefix reads an LPM field; an absent one matches anything.
func (r Row) prefix(field string) netip.Prefix {
	m := r.Match[field]
	return netip.PrefixFrom(r.address(m.Value), m.PrefixLength)
}

// maskedPrefix reads a ternary field whose mask is that of a prefix; of any other mask nothing valid
// comes out, which validation refuses.
func (r Row) maskedPrefix(field string) netip.Prefix {
	m := r.Match[field]
	length := m.Mask.Ones()
	if m.Mask != PrefixMask(length, r.width()) {
		length = -1
	}
	return netip.PrefixFrom(r.address(m.Value), length)
}

func (r Row) ternary(field string) *Ternary {
	m, given := r.Match[field]
	if !given {
		return nil
	}
	return &Ternary{m.Value, m.Mask}
}

func exact[T ~uint8 | ~uint16 | ~uint32 | ~uint64](n T) Match { return Match{Value: Number(n)} }

func lpm(p netip.Prefix) Match { return Match{Value: AddressBits(p.Addr()), PrefixLength: p.Bits()} }

func (r Row) withTernaries(fields []ternaryField) Row {
	for _, f := range fields {
		if f.value != nil {
			r.Match[f.name] = Match{Value: f.value.Value, Mask: f.value.Mask}
		}
	}
	return r
}
