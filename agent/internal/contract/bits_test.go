// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"bytes"
	"testing"
)

// The examples of P4Runtime's section "Bytestrings", of which those without read-write symmetry
// are refused here.
func TestLeadingZerosAreAcceptedAndNotKept(t *testing.T) {
	for _, tc := range []struct {
		name  string
		bits  int
		bytes []byte
		ok    bool
	}{
		{"99 as bit<8>", 8, []byte{0x63}, true},
		{"99 as bit<16>, two bytes", 16, []byte{0x00, 0x63}, true},
		{"99 as bit<16>", 16, []byte{0x63}, true},
		{"12388 as bit<16>", 16, []byte{0x30, 0x64}, true},
		{"12388 as bit<16>, three bytes", 16, []byte{0x00, 0x30, 0x64}, true},
		{"99 as bit<12>", 12, []byte{0x63}, true},
		{"0x163 as bit<8>", 8, []byte{0x01, 0x63}, false},
		{"nothing", 8, nil, false},
		{"0x1063 as bit<12>", 12, []byte{0x10, 0x63}, false},
		{"0x10063 as bit<12>", 12, []byte{0x01, 0x00, 0x63}, false},
		{"zero", 9, []byte{0}, true},
		{"two zeros", 9, []byte{0, 0}, true},
		{"the largest of bit<9>", 9, []byte{0x01, 0xff}, true},
		{"one more", 9, []byte{0x02, 0x00}, false},
		{"all of bit<128>", 128, bytes.Repeat([]byte{0xff}, 16), true},
		{"more than 128 bits", 128, append([]byte{1}, bytes.Repeat([]byte{0}, 16)...), false},
		{"a kilobyte", 128, bytes.Repeat([]byte{1}, 1024), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v, err := ParseBits(tc.bytes, tc.bits)
			if (err == nil) != tc.ok {
				t.Fatalf("got %v, want accepted: %v", err, tc.ok)
			}
			want := bytes.TrimLeft(tc.bytes, "\x00")
			if len(want) == 0 {
				want = []byte{0}
			}
			if tc.ok && !bytes.Equal(v.Canonical(), want) {
				t.Errorf("comes back as %x, want %x", v.Canonical(), want)
			}
		})
	}
}

func TestAPrefixMaskLeavesTheBitsOfAShorterFieldOut(t *testing.T) {
	for _, tc := range []struct {
		prefix, bits int
		want         []byte
	}{
		{0, 32, []byte{0}},
		{8, 32, []byte{0xff, 0, 0, 0}},
		{32, 32, []byte{0xff, 0xff, 0xff, 0xff}},
		{3, 9, []byte{0x01, 0xc0}},
		{1, 128, append([]byte{0x80}, make([]byte, 15)...)},
	} {
		if got := PrefixMask(tc.prefix, tc.bits).Canonical(); !bytes.Equal(got, tc.want) {
			t.Errorf("prefix %d of %d bits: got %x, want %x", tc.prefix, tc.bits, got, tc.want)
		}
	}
}
