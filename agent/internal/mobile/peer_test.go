// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/nextmn/rfc9433/encoding"

	"sextant/agent/internal/contract"
)

// A foreign codec reads our SRv6 packets, and its packets come out as GTP.
func TestAnotherCodecReadsAndWritesTheSame(t *testing.T) {
	locator := p("fcbb:bbbb:305::/48")
	g := loaded(t, list(1, "fcbb:bbbb:305::"), gtp4E("fcbb:bbbb:305::/48", 0, 2),
		fromGNB(contract.GTPRule{SIDList: 1, AddressAt: 48, ArgsAt: 80, Source: a("fcbb:bbbb:104::"), SourceAt: 48}))
	random := rand.New(rand.NewPCG(9433, 0))
	for range 500 {
		teid, qfi, r := random.Uint32()|1, uint8(random.UintN(64)), random.UintN(2) == 1
		in := packet(t, in4)
		binary.BigEndian.PutUint32(in[12:], random.Uint32()>>3|0x0a000000)
		binary.BigEndian.PutUint32(in[16:], random.Uint32()>>3|0x0a000000)
		binary.BigEndian.PutUint32(in[32:], teid)
		in[41], in[42] = 0, qfi // a downlink
		if r {
			in[42] |= 0x40
		}
		_, out := run(t, g, in)
		dst, err := encoding.ParseMGTP4IPv6Dst([16]byte(out[24:40]), uint(locator.Bits()))
		if err != nil {
			t.Fatal(err)
		}
		src, err := encoding.ParseMGTP4IPv6Src([16]byte(out[8:24]), 48)
		if err != nil {
			t.Fatal(err)
		}
		from, to := netip.AddrFrom4([4]byte(in[12:16])), netip.AddrFrom4([4]byte(in[16:20]))
		if dst.IPv4() != to || src.IPv4() != from || dst.QFI() != qfi || dst.R() != r || dst.U() || dst.PDUSessionID() != teid {
			t.Fatalf("%x is read as %+v from %s, want %s from %s, QFI %d, R %t, TEID %#x", out[:40], dst, src.IPv4(), to, from, qfi, r, teid)
		}
		written, err := encoding.NewMGTP4IPv6Dst(locator, to.As4(), encoding.NewArgsMobSession(qfi, r, true, teid)).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		copy(out[24:40], written)
		_, back := run(t, g, out)
		if got := binary.BigEndian.Uint32(back[32:]); got != teid || back[42] != in[42] || netip.AddrFrom4([4]byte(back[16:20])) != to {
			t.Fatalf("%x comes out as %x", written, back[:44])
		}
	}
}
