// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"net/netip"
	"strconv"
)

// Bits is an unsigned number of up to 128 bits, big-endian and right-aligned: the value of a match field or a
// parameter.
type Bits [16]byte

// ParseBits reads a byte string of a field of the given width. Leading zero bytes are allowed, as P4Runtime asks of
// every receiver ("Bytestrings"), and ONOS 2.7 always sends them; values that are read back are canonical.
func ParseBits(b []byte, width int) (Bits, error) {
	var v Bits
	if len(b) == 0 {
		return v, errors.New("the value is empty; zero is the one byte 00")
	}
	short := bytes.TrimLeft(b, "\x00")
	if len(short) > 0 && len(short)*8-bits.LeadingZeros8(short[0]) > width {
		return v, fmt.Errorf("value %s does not fit into %d bits", Hex(short), width)
	}
	copy(v[len(v)-len(short):], short)
	return v, nil
}

// Number is n as Bits.
func Number[T ~uint8 | ~uint16 | ~uint32 | ~uint64](n T) Bits {
	var v Bits
	binary.BigEndian.PutUint64(v[8:], uint64(n))
	return v
}

// AddressBits is an address of 32 or 128 bits.
func AddressBits(a netip.Addr) Bits {
	var v Bits
	raw := a.AsSlice()
	copy(v[len(v)-len(raw):], raw)
	return v
}

// MACBits is a MAC address.
func MACBits(mac [6]byte) Bits {
	var v Bits
	copy(v[10:], mac[:])
	return v
}

// Canonical is the shortest byte string that holds the value; zero is one zero byte.
func (v Bits) Canonical() []byte {
	short := bytes.TrimLeft(v[:15], "\x00")
	return v[15-len(short):]
}

// Uint64 is the lower half.
func (v Bits) Uint64() uint64 { return binary.BigEndian.Uint64(v[8:]) }

// IsZero says whether no bit is set.
func (v Bits) IsZero() bool { return v == Bits{} }

// IP6 and IP4 read the value as an address, MAC as the 48 bits of one.
func (v Bits) IP6() netip.Addr { return netip.AddrFrom16(v) }

// IP4 is the value as an IPv4 address.
func (v Bits) IP4() netip.Addr { return netip.AddrFrom4([4]byte(v[12:])) }

// MAC is the value as a MAC address.
func (v Bits) MAC() [6]byte { return [6]byte(v[10:]) }

// Compare orders numbers.
func (v Bits) Compare(other Bits) int { return bytes.Compare(v[:], other[:]) }

// Width is the number of bits up to the highest that is set.
func (v Bits) Width() int {
	short := v.Canonical()
	return len(short)*8 - bits.LeadingZeros8(short[0])
}

// Ones counts the bits that are set.
func (v Bits) Ones() int {
	count := 0
	for _, b := range v {
		count += bits.OnesCount8(b)
	}
	return count
}

// Outside says whether the value has bits that the mask lacks.
func (v Bits) Outside(mask Bits) bool {
	for i := range v {
		if v[i]&^mask[i] != 0 {
			return true
		}
	}
	return false
}

// PrefixMask is the mask of a prefix of a field that is width bits wide.
func PrefixMask(length, width int) Bits {
	var m Bits
	for bit := 128 - width; bit < 128-width+length; bit++ {
		m[bit/8] |= 0x80 >> (bit % 8)
	}
	return m
}

// String is the number in hex.
func (v Bits) String() string { return string(v.appendHex(nil)) }

// appendHex does without a big number: keys of rows are made of these, many times for each row.
func (v Bits) appendHex(to []byte) []byte {
	short := v.Canonical()
	to = strconv.AppendUint(append(to, "0x"...), uint64(short[0]), 16)
	return hex.AppendEncode(to, short[1:])
}

// MarshalJSON writes a number, as journals have it.
func (v Bits) MarshalJSON() ([]byte, error) {
	if v.Width() <= 64 {
		return strconv.AppendUint(nil, v.Uint64(), 10), nil
	}
	return new(big.Int).SetBytes(v[:]).Append(nil, 10), nil
}

// UnmarshalJSON reads it.
func (v *Bits) UnmarshalJSON(b []byte) error {
	n, ok := new(big.Int).SetString(string(b), 10)
	if !ok || n.Sign() < 0 || n.BitLen() > 128 {
		return fmt.Errorf("%s is no number of up to 128 bits", b)
	}
	n.FillBytes(v[:])
	return nil
}

// Hex prints a byte string, cut where it grows longer than any value of the contract.
func Hex(b []byte) string {
	const most = 20
	if len(b) > most {
		return fmt.Sprintf("0x%x… (%d bytes)", b[:most], len(b))
	}
	return fmt.Sprintf("0x%x", b)
}
