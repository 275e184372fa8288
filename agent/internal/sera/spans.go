// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"encoding/binary"
	"math/bits"

	"sextant/agent/internal/contract"
)

// A u128 is an address as a number.
type u128 struct{ hi, lo uint64 }

func numberOf(b contract.Bits) u128 {
	return u128{binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])}
}

func (a u128) compare(b u128) int {
	switch {
	case a == b:
		return 0
	case a.hi < b.hi || a.hi == b.hi && a.lo < b.lo:
		return -1
	default:
		return 1
	}
}

func (a u128) next() (u128, bool) {
	lo, carry := bits.Add64(a.lo, 1, 0)
	hi, carry := bits.Add64(a.hi, 0, carry)
	return u128{hi, lo}, carry == 1
}

func (a u128) or(b u128) u128 { return u128{a.hi | b.hi, a.lo | b.lo} }

// A span has both of its ends in it.
type span struct{ from, to u128 }

// holesOf are the bits that a mask leaves out in front of its last one.
func holesOf(mask contract.Bits) []int {
	m := numberOf(mask)
	var holes []int
	for bit := trailingZeros(m); bit < 128; bit++ {
		if bit < 64 && m.lo>>bit&1 == 0 || bit >= 64 && m.hi>>(bit-64)&1 == 0 {
			holes = append(holes, bit)
		}
	}
	return holes
}

func trailingZeros(m u128) int {
	if m.lo != 0 {
		return bits.TrailingZeros64(m.lo)
	}
	return 64 + bits.TrailingZeros64(m.hi)
}

// spansOf are the addresses that a ternary field takes: one span for a prefix, two for each hole in its mask.
func spansOf(t contract.Ternary) []span {
	mask, value := numberOf(t.Mask), numberOf(t.Value)
	var tail u128
	if free := trailingZeros(mask); free < 64 {
		tail.lo = 1<<free - 1
	} else {
		tail = u128{1<<(free-64) - 1, ^uint64(0)}
	}
	holes := holesOf(t.Mask)
	spans := make([]span, 0, 1<<len(holes))
	for combination := range 1 << len(holes) {
		from := value
		for i, bit := range holes {
			if combination>>i&1 == 0 {
				continue
			}
			if bit < 64 {
				from.lo |= 1 << bit
			} else {
				from.hi |= 1 << (bit - 64)
			}
		}
		spans = append(spans, span{from, from.or(tail)})
	}
	return spans
}
