// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"sextant/agent/internal/contract"
)

// A sample is a packet, and the fields that it was made of, so that no second parser is needed.
type sampled struct {
	version, protocol         uint64
	has                       uint64
	src, dst                  netip.Addr
	srcPort, dstPort          uint16
	flags, kind, code         uint8
	next, length, left, last  uint8
	srhFlags                  uint8
	tag                       uint16
	list                      []netip.Addr
	previous, nextSID, lastID netip.Addr
	outer                     netip.Addr
	args                      uint16
	da                        netip.Addr
	cut                       bool   // before its ports, its flags or its type end
	rest, second              bool   // a later fragment, and one that begins 8 bytes behind the first
	payload                   []byte // behind the outer header
}

// linear is the table read from its top, on its own.
func linear(rules []contract.Firewall, s sampled) int {
	best := -1
	for i, r := range rules {
		if taken(r, s) && (best < 0 || r.Priority > rules[best].Priority) {
			best = i
		}
	}
	return best
}

func taken(r contract.Firewall, s sampled) bool {
	zero := func(a netip.Addr) netip.Addr {
		if !a.IsValid() {
			return netip.IPv6Unspecified()
		}
		return a
	}
	for _, f := range []struct {
		t *contract.Ternary
		v contract.Bits
	}{
		{r.IPVersion, contract.Number(s.version)},
		{r.IPProto, contract.Number(s.protocol)},
		{r.Has, contract.Number(s.has)},
		{r.Src, zero(s.src).As16()},
		{r.Dst, zero(s.dst).As16()},
		{r.TCPFlags, contract.Number(s.flags)},
		{r.ICMPType, contract.Number(s.kind)},
		{r.ICMPCode, contract.Number(s.code)},
		{r.SRHNextHdr, contract.Number(s.next)},
		{r.SRHFlags, contract.Number(s.srhFlags)},
		{r.SRHTag, contract.Number(s.tag)},
		{r.PreviousSID, zero(s.previous).As16()},
		{r.NextSID, zero(s.nextSID).As16()},
		{r.LastSID, zero(s.lastID).As16()},
		{r.OuterSrc, zero(s.outer).As16()},
		{r.Args, contract.Number(s.args)},
		{r.Established, contract.Bits{}},
	} {
		if f.t == nil {
			continue
		}
		for i := range f.v {
			if f.v[i]&f.t.Mask[i] != f.t.Value[i] {
				return false
			}
		}
	}
	for _, f := range []struct {
		r *contract.Range
		v uint16
	}{
		{r.SrcPort, s.srcPort}, {r.DstPort, s.dstPort}, {r.SRHHdrLen, uint16(s.length)}, {r.SegmentsLeft, uint16(s.left)}, {r.LastEntry, uint16(s.last)},
	} {
		if f.r != nil && (f.v < f.r.Low || f.v > f.r.High) {
			return false
		}
	}
	return true
}

// Few values, so that random rules and packets meet.
func someAddress(r *rand.Rand, six bool) netip.Addr {
	if !six {
		return netip.AddrFrom4([4]byte{10, byte(r.IntN(3)), byte(r.IntN(3)), byte(r.IntN(8))})
	}
	return a(fmt.Sprintf("2001:db8:%x:%x::%x", r.IntN(3), r.IntN(3), r.IntN(8)))
}

func someSID(r *rand.Rand) netip.Addr {
	return a(fmt.Sprintf("fcbb:bbbb:%x00:%x::", 1+r.IntN(6), []int{0, 0xf00d, 0xe001, 0x300}[r.IntN(4)]))
}

func somePort(r *rand.Rand) uint16 {
	return []uint16{0, 1, 22, 53, 80, 443, 1023, 1024, 5353, 65535}[r.IntN(10)]
}

// layer4 makes the bytes behind the IP headers.
func (s *sampled) layer4(r *rand.Rand) []byte {
	s.protocol = []uint64{6, 6, 17, 17, 17, 132, 136, 33, 1, 58, 50, 59}[r.IntN(12)]
	body := make([]byte, 20)
	switch s.protocol {
	case 1, 58:
		s.kind, s.code = []uint8{0, 3, 8, 128, 129}[r.IntN(5)], uint8(r.IntN(3))
		body[0], body[1] = s.kind, s.code
		s.has |= contract.HasICMP
		if r.IntN(16) == 0 {
			s.cut = true
			body = body[:r.IntN(2)]
		}
	case 50, 59:
		binary.BigEndian.PutUint64(body, r.Uint64())
	default:
		s.srcPort, s.dstPort = somePort(r), somePort(r)
		binary.BigEndian.PutUint16(body, s.srcPort)
		binary.BigEndian.PutUint16(body[2:], s.dstPort)
		s.has |= contract.HasPorts
		if s.protocol == 6 {
			s.flags = uint8(r.IntN(256))
			body[12], body[13] = 0x50, s.flags
		}
		if r.IntN(8) == 0 {
			body = body[:[]int{2, 3, 13}[r.IntN(3)]]
			s.cut = len(body) < 4 || s.protocol == 6
		}
	}
	return body
}

// refused reports packets that no rule sees: those that end before the fields rules match on, and those that overwrite them (RFC 3128).
func (s *sampled) refused() bool {
	return s.cut && !s.rest || s.second && s.protocol == 6
}

func (s *sampled) later() {
	s.rest = true
	s.has &^= contract.HasPorts | contract.HasICMP
	s.srcPort, s.dstPort, s.flags, s.kind, s.code = 0, 0, 0, 0, 0
}

// extended puts extension headers in front of something.
func (s *sampled) extended(r *rand.Rand, body []byte, next uint8, fragments bool) ([]byte, uint8) {
	for range r.IntN(4) {
		switch kind := []uint8{0, 60, 43, 51, 44}[r.IntN(5)]; {
		case kind == 44 && fragments:
			offset := []byte{0, 0, 0, 1, 0, 0xb8, 0, 8, 0, 9}[r.IntN(5)*2:][:2]
			later := offset[0] != 0 || offset[1]&0xf8 != 0
			if later { // bytes behind it are not read, those before it are
				s.later()
				s.second = offset[1]&0xf8 == 8
				s.protocol = uint64(next)
			}
			body = append([]byte{next, 0, offset[0], offset[1], 1, 2, 3, 4}, body...)
			next = 44
			fragments = false
		case kind == 51:
			body = append([]byte{next, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}, body...)
			next = 51
		case kind == 43:
			body = append(slices.Concat([]byte{next, 2, 2, 0}, make([]byte, 20)), body...)
			next = 43
		case kind == 60:
			body = append(slices.Concat([]byte{next, 1}, make([]byte, 14)), body...)
			next = kind
		case kind == 0: // a kernel takes no longer padding
			body = append([]byte{next, 0, 1, 4, 0, 0, 0, 0}, body...)
			next = kind
		}
	}
	return body, next
}

func (s *sampled) ipv6(r *rand.Rand) []byte {
	s.version, s.src, s.dst = 6, someAddress(r, true), someAddress(r, true)
	body := s.layer4(r)
	body, next := s.extended(r, body, uint8(s.protocol), true)
	head := make([]byte, 40)
	head[0], head[6], head[7] = 0x60, next, 64
	binary.BigEndian.PutUint16(head[4:], uint16(len(body)))
	copy(head[8:], s.src.AsSlice())
	copy(head[24:], s.dst.AsSlice())
	return append(head, body...)
}

func (s *sampled) ipv4(r *rand.Rand) []byte {
	src, dst := someAddress(r, false), someAddress(r, false)
	s.version, s.src, s.dst = 4, netip.AddrFrom16(src.As16()), netip.AddrFrom16(dst.As16())
	body := s.layer4(r)
	words := 5 + r.IntN(3)
	head := make([]byte, words*4)
	head[0], head[8], head[9] = byte(0x40|words), 64, uint8(s.protocol)
	if r.IntN(6) == 0 {
		head[7] = []byte{1, 9}[r.IntN(2)]
		s.second = head[7] == 1
		s.later()
	}
	binary.BigEndian.PutUint16(head[2:], uint16(len(head)+len(body)))
	copy(head[12:], src.AsSlice())
	copy(head[16:], dst.AsSlice())
	return append(head, body...)
}

// some makes a packet at the SID of the golden packets, of any shape.
func some(r *rand.Rand) sampled {
	s := sampled{outer: a(fmt.Sprintf("fcbb:bbbb:%x00::1", 1+r.IntN(3))), args: uint16(r.IntN(3))}
	da := a("fcbb:bbbb:200:f230::").As16()
	da[7] |= byte(s.args)
	for i := range r.IntN(4) {
		copy(da[8+2*i:], [][]byte{{6, 0}, {3, 0}, {0xe0, 2}}[r.IntN(3)])
	}
	s.da = netip.AddrFrom16(da)
	var body []byte
	kind := r.IntN(5)
	next := uint8(41)
	switch {
	case kind < 2:
		body = s.ipv6(r)
	case kind < 4:
		body, next = s.ipv4(r), 4
	default: // nothing inside
		s.version = 6
		body = s.layer4(r)
		next = uint8(s.protocol)
	}
	body, next = s.extended(r, body, next, false)
	if r.IntN(3) > 0 {
		body, next = s.routed(r, body, next), 43
		if r.IntN(3) == 0 {
			body, next = append([]byte{next, 0, 1, 4, 0, 0, 0, 0}, body...), 60
		}
	}
	s.moved()
	if kind == 4 {
		s.src, s.dst = s.outer, s.da
		if s.has&contract.HasSRH != 0 && s.left > 0 {
			s.dst = s.list[0]
		}
	}
	if s.has&contract.HasSRH == 0 {
		s.lastID = s.da
	}
	head := make([]byte, 40)
	head[0], head[6], head[7] = 0x60, next, 64
	binary.BigEndian.PutUint16(head[4:], uint16(len(body)))
	copy(head[8:], s.outer.AsSlice())
	copy(head[24:], s.da.AsSlice())
	s.payload = append(head, body...)
	return s
}

func (s *sampled) routed(r *rand.Rand, body []byte, next uint8) []byte {
	count := 1 + r.IntN(3)
	s.next, s.length, s.last, s.srhFlags, s.tag = next, uint8(2*count+r.IntN(2)), uint8(count-1), uint8(r.IntN(3)), uint16(r.IntN(4))
	s.left = uint8(r.IntN(count + 1))
	s.has |= contract.HasSRH
	header := []byte{next, s.length, 4, s.left, s.last, s.srhFlags, 0, byte(s.tag)}
	for range count {
		sid := someSID(r)
		s.list = append(s.list, sid)
		header = append(header, sid.AsSlice()...)
	}
	header = append(header, make([]byte, int(s.length+1)*8-len(header))...)
	s.lastID = s.list[0]
	if int(s.left)+1 < count {
		s.previous = s.list[s.left+1]
		s.has |= contract.HasPreviousSID
	}
	return append(header, body...)
}

// moved is where go next leads to.
func (s *sampled) moved() {
	da := s.da.As16()
	rest := da[8:]
	if slices.ContainsFunc(rest, func(b byte) bool { return b != 0 }) {
		next := [16]byte(slices.Concat(da[:4], rest, make([]byte, 4)))
		s.nextSID = netip.AddrFrom16(next)
	} else if s.has&contract.HasSRH != 0 && s.left > 0 {
		s.nextSID = s.list[s.left-1]
	}
	if s.nextSID.IsValid() {
		s.has |= contract.HasNextSID
	}
}

// someRule in the shapes of ClassBench (acl: prefixes and ports; fw: wildcards and ranges; ipc: both), and of segments.
func someRule(r *rand.Rand, priority int32) contract.Firewall {
	e := contract.Firewall{Firewall: 7, Priority: priority, Verdict: contract.FwDrop}
	shape := []int{0, 0, 0, 0, 1, 2, 2, 3, 3, 3}[r.IntN(10)]
	six := r.IntN(2) == 0
	prefix := func() *contract.Ternary {
		bits := []int{48, 56, 64, 64, 128, 128}[r.IntN(6)]
		if !six {
			bits = 96 + []int{16, 24, 29, 31, 32}[r.IntN(5)]
		}
		mask := contract.PrefixMask(bits, 128)
		if r.IntN(10) == 0 {
			mask[5] &^= 1 // a hole
		}
		value := contract.Bits(someAddress(r, six).As16())
		for i := range value {
			value[i] &= mask[i]
		}
		return &contract.Ternary{Value: value, Mask: mask}
	}
	span := func() *contract.Range {
		low, high := somePort(r), somePort(r)
		if low > high {
			low, high = high, low
		}
		if low == 0 && high == 65535 {
			return &contract.Range{Low: 53, High: 53}
		}
		return &contract.Range{Low: low, High: high}
	}
	has := uint64(0)
	if shape != 1 || r.IntN(3) == 0 {
		e.Src = prefix()
	}
	if shape != 1 || r.IntN(3) > 0 {
		e.Dst = prefix()
	}
	if r.IntN(2) == 0 {
		e.IPVersion = contract.Masked(map[bool]uint64{true: 6, false: 4}[six], 15)
	}
	switch r.IntN(5) {
	case 0, 1:
		e.DstPort = span()
		has |= contract.HasPorts
		if r.IntN(2) == 0 {
			e.IPProto = contract.Masked(17, 255)
		}
		if r.IntN(3) == 0 {
			e.SrcPort = span()
		}
	case 2:
		e.IPProto, e.TCPFlags = contract.Masked(6, 255), contract.Masked(2, 0x12)
		has |= contract.HasPorts
	case 3:
		has |= contract.HasICMP
		e.ICMPType, e.IPProto = contract.Masked(uint64([]int{8, 128}[r.IntN(2)]), 255), contract.Masked(uint64([]int{1, 58}[r.IntN(2)]), 255)
		if r.IntN(2) == 0 {
			e.ICMPCode = contract.Masked(1, 255)
		}
	}
	if shape == 3 {
		has |= segments(r, &e)
	}
	if has != 0 {
		e.Has = contract.Masked(has, has)
	} else if r.IntN(6) == 0 {
		e.Has = contract.Masked(0, 4)
	}
	return e
}

func segments(r *rand.Rand, e *contract.Firewall) (has uint64) {
	for range 1 + r.IntN(2) {
		switch r.IntN(11) {
		case 0:
			e.SegmentsLeft = &contract.Range{Low: uint16(r.IntN(2)), High: uint16(1 + r.IntN(2))}
			has |= contract.HasSRH
		case 1:
			e.LastEntry = &contract.Range{Low: 1, High: uint16(1 + r.IntN(2))}
			has |= contract.HasSRH
		case 2:
			e.SRHHdrLen = &contract.Range{Low: 3, High: uint16(3 + r.IntN(9))}
			has |= contract.HasSRH
		case 3:
			e.SRHTag = contract.Masked(uint64(r.IntN(2)), []uint64{0xffff, 1, 0xff01}[r.IntN(3)])
			has |= contract.HasSRH
		case 4:
			e.SRHFlags, e.SRHNextHdr = contract.Masked(uint64(r.IntN(2)), 1), contract.Masked(uint64([]int{41, 4, 60}[r.IntN(3)]), 0xff)
			has |= contract.HasSRH
		case 5, 6:
			e.NextSID = prefixed(netip.PrefixFrom(someSID(r), 48).Masked().String())
			has |= contract.HasNextSID
		case 7:
			e.PreviousSID = prefixed(netip.PrefixFrom(someSID(r), 48).Masked().String())
			has |= contract.HasPreviousSID
		case 8:
			e.LastSID = prefixed(netip.PrefixFrom(someSID(r), 64).Masked().String())
		case 9:
			e.OuterSrc = prefixed("fcbb:bbbb:100::/48")
		case 10:
			e.Args = contract.Masked(uint64(r.IntN(3)), 15)
		}
	}
	return has
}

func someRules(r *rand.Rand, count int) []contract.Firewall {
	rules := make([]contract.Firewall, count)
	for i := range rules {
		rules[i] = someRule(r, int32(count-i))
	}
	return rules
}

func entries(rules []contract.Firewall, others ...contract.Entry) []contract.Entry {
	for _, r := range rules {
		others = append(others, r)
	}
	return others
}

// The rule that judges is the one that a table read from its top would find: by the counters of all of them.
func TestTheFirstRuleThatTakesAPacketJudgesIt(t *testing.T) {
	for _, count := range []int{1, 3, 64, 65, 512, 4096} {
		t.Run(fmt.Sprint(count, " rules"), func(t *testing.T) {
			random := rand.New(rand.NewPCG(8754, uint64(count)))
			rules := someRules(random, count)
			b := loaded(t, entries(rules, container(7))...)
			want, none, refused := make([]uint64, count), uint64(0), uint64(0)
			for n := range 3000 {
				s := some(random)
				before := uint64(0)
				hit := linear(rules, s)
				switch {
				case s.refused():
					refused++
				case hit >= 0:
					want[hit]++
					before = want[hit]
				default:
					none++
				}
				b.run(t, s.payload)
				switch {
				case s.refused():
					if got := b.drops(t, 3)[1]; got != refused {
						t.Fatalf("packet %d is %+v\n%x\nno rule may see it; dropped are %v, malformed before it %d", n, s, s.payload, b.drops(t, 3), refused-1)
					}
				case hit >= 0 && b.counted(t, rules[hit]) != before:
					t.Fatalf("packet %d is %+v\n%x\nits rule is %s; dropped are %v", n, s, s.payload, rules[hit].Key(), b.drops(t, 3))
				case hit < 0 && b.drops(t, 3)[3] != none:
					t.Fatalf("packet %d is %+v\n%x\nno rule takes it; dropped are %v", n, s, s.payload, b.drops(t, 3))
				}
			}
			counts, err := b.counters(entries(rules))
			if err != nil {
				t.Fatal(err)
			}
			hits := 0
			for i, r := range rules {
				if counts[r.Key()].Packets != want[i] {
					t.Errorf("%s counts %d, want %d", r.Key(), counts[r.Key()].Packets, want[i])
				}
				if want[i] > 0 {
					hits++
				}
			}
			t.Logf("%d of the rules judged, %d packets met none", hits, none)
		})
	}
}
