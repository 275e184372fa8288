// SPDX-License-Identifier: Apache-2.0

package stamp

import (
	"encoding/hex"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

func path(segments ...string) Path {
	p := Path{
		To: [6]byte{2, 0, 0, 0, 0, 2}, From: [6]byte{2, 0, 0, 0, 0, 1},
		Source: netip.MustParseAddr("fcff:1::1"), Sender: netip.MustParseAddr("fd5e:7e00::2:0:7"),
		Session: 0x1234, Nonce: [NonceBytes]byte{0xaa, 15: 0xbb}, FlowLabel: 3,
	}
	for _, s := range segments {
		p.Segments = append(p.Segments, netip.MustParseAddr(s))
	}
	return p
}

// Written by hand after RFC 8200, 8754, 768, 8762 (4.2.1) and 8972 (3, 4.1).
const (
	ethernet = "020000000002020000000001" + "86dd"
	inner    = "60000000" + "0048" + "11" + "ff" + "fcff0001000000000000000000000001" + "fd5e7e00000000000000000200000007" +
		"c003" + "035e" + "0048" + "CCCC" +
		"00000005" + "83aa7e8080000000" + "0001" + "1234" + "00000000000000000000000000000000000000000000000000000000" +
		"0001" + "0010" + "aa0000000000000000000000000000bb"
)

func TestAProbeOnTheWire(t *testing.T) {
	at := time.Unix(0, 500_000_000) // 2,208,988,800.5 s after 1900
	for _, tt := range []struct {
		name, outer string
		segments    []string
	}{
		{
			"one container", "60000000" + "0070" + "29" + "40" + "fcff0001000000000000000000000001" + "fcbbbbbb020001000000000000000000",
			[]string{"fcbb:bbbb:200:100::"},
		},
		{
			"three", "60000000" + "0098" + "2b" + "40" + "fcff0001000000000000000000000001" + "fcbbbbbb020000000000000000000000" +
				"29" + "04" + "04" + "02" + "01" + "00" + "0000" + "fcbbbbbb010000000000000000000000" + "fcbbbbbb030000000000000000000000",
			[]string{"fcbb:bbbb:200::", "fcbb:bbbb:300::", "fcbb:bbbb:100::"},
		},
	} {
		got := New(path(tt.segments...)).Bytes(5, at)
		sum := got[len(got)-72+6:][:2]
		want, err := hex.DecodeString(strings.Replace(ethernet+tt.outer+inner, "CCCC", hex.EncodeToString(sum), 1))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%x, want\n%x", tt.name, got, want)
		}
	}
}

// received is a frame without its encapsulation.
func received(p Path, number uint32) []byte {
	b := New(p).Bytes(number, time.Now())
	return append(slices.Clone(b[:ethernetBytes]), b[len(b)-packetBytes:]...)
}

func TestAProbeComesBackAsItLeft(t *testing.T) {
	p := path("fcbb:bbbb:200::", "fcbb:bbbb:100::")
	for _, number := range []uint32{0, 1, 1 << 31, ^uint32(0)} {
		got, ok := Parse(received(p, number))
		if want := (Answer{p.Session, number, p.Nonce}); !ok || got != want {
			t.Errorf("%+v, %t, want %+v", got, ok, want)
		}
	}
}

func TestWhatIsNoProbeIsNone(t *testing.T) {
	whole := received(path("fcbb:bbbb:200::"), 7)
	for size := range whole {
		if _, ok := Parse(whole[:size]); ok {
			t.Errorf("the first %d bytes are taken for a probe", size)
		}
	}
	for at := ethernetBytes + 8; at < len(whole); at++ { // from the addresses on all is under the checksum
		broken := slices.Clone(whole)
		broken[at] ^= 0x10
		if _, ok := Parse(broken); ok {
			t.Errorf("with byte %d changed it is taken for a probe", at)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(received(path("fcbb:bbbb:200::"), 7))
	f.Fuzz(func(_ *testing.T, frame []byte) { Parse(frame) })
}
