// SPDX-License-Identifier: Apache-2.0

package p4rt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"net/netip"
)

// value is an unsigned number of up to 128 bits, big-endian and right-aligned.
type value [16]byte

// parseValue reads a byte string of a field of the given width. Leading zero bytes are allowed, as P4Runtime asks of
// every receiver ("Bytestrings"), and ONOS 2.7 always sends them; what is read back is canonical.
func parseValue(b []byte, width int) (value, error) {
	var v value
	if len(b) == 0 {
		return v, fmt.Errorf("the value is empty; zero is the one byte 00")
	}
	short := bytes.TrimLeft(b, "\x00")
	if len(short) > 0 && len(short)*8-bits.LeadingZeros8(short[0]) > width {
		return v, fmt.Errorf("value %s does not fit into %d bits", hexed(short), width)
	}
	copy(v[len(v)-len(short):], short)
	return v, nil
}

// canonical is the shortest byte string that holds the value; zero is one zero byte.
func (v value) canonical() []byte {
	short := bytes.TrimLeft(v[:15], "\x00")
	return v[15-len(short):]
}

func (v value) uint64() uint64 { return binary.BigEndian.Uint64(v[8:]) }
func (v value) zero() bool     { return v == value{} }

// ip6 and ip4 read the value as an address; mac as the 48 bits of one.
func (v value) ip6() netip.Addr { return netip.AddrFrom16(v) }
func (v value) ip4() netip.Addr { return netip.AddrFrom4([4]byte(v[12:])) }
func (v value) mac() [6]byte    { return [6]byte(v[10:]) }

func number[T ~uint8 | ~uint16 | ~uint32 | ~uint64](n T) value {
	var v value
	binary.BigEndian.PutUint64(v[8:], uint64(n))
	return v
}

func address(a netip.Addr) value {
	var v value
	raw := a.AsSlice()
	copy(v[len(v)-len(raw):], raw)
	return v
}

func macValue(mac [6]byte) value {
	var v value
	copy(v[10:], mac[:])
	return v
}

// ones counts the bits that are set.
func (v value) ones() int {
	count := 0
	for _, b := range v {
		count += bits.OnesCount8(b)
	}
	return count
}

// outside says whether the value has bits that the mask lacks.
func (v value) outside(mask value) bool {
	for i := range v {
		if v[i]&^mask[i] != 0 {
			return true
		}
	}
	return false
}

// prefixMask is the mask of a prefix of a field that is width bits wide.
func prefixMask(prefixLen, width int) value {
	var m value
	for bit := 128 - width; bit < 128-width+prefixLen; bit++ {
		m[bit/8] |= 0x80 >> (bit % 8)
	}
	return m
}

// hexed prints a byte string, cut where it grows longer than any value of the contract.
func hexed(b []byte) string {
	const most = 20
	if len(b) > most {
		return fmt.Sprintf("0x%x… (%d bytes)", b[:most], len(b))
	}
	return fmt.Sprintf("0x%x", b)
}
