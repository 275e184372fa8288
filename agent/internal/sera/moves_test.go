// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"sextant/agent/internal/contract"
)

// A model of verdicts that shifts nothing: a program is a list of atoms, each a list of uSIDs or one segment of another block.

// A format is how uSIDs stand in a container.
type format struct{ block, usid, csid int }

type move struct {
	format  format
	local   uint64
	rest    []uint64     // uSIDs of the container behind the active SID
	list    []netip.Addr // behind it, the next one first
	foreign map[netip.Addr]bool
}

func (f format) pack(usids []uint64) netip.Addr {
	text := slices.Concat(bitsOf(0xfcbbbbbb00000000, 64)[:f.block])
	for _, u := range usids {
		text = append(text, bitsOf(u, f.usid)...)
	}
	var out [16]byte
	for i, bit := range text {
		out[i/8] |= bit << (7 - i%8)
	}
	return netip.AddrFrom16(out)
}

func (f format) unpack(a netip.Addr) []uint64 {
	raw := a.As16()
	var usids []uint64
	for at := f.block; at+f.usid <= 128; at += f.usid {
		var u uint64
		for i := at; i < at+f.usid; i++ {
			u = u<<1 | uint64(raw[i/8]>>(7-i%8)&1)
		}
		usids = append(usids, u)
	}
	for len(usids) > 0 && usids[len(usids)-1] == 0 {
		usids = usids[:len(usids)-1]
	}
	return usids
}

func bitsOf(v uint64, width int) []byte {
	out := make([]byte, width)
	for i := range out {
		out[i] = byte(v >> (width - 1 - i) & 1)
	}
	return out
}

// atoms of a container: a uSID, and the local ones behind it.
func (m move) atoms(usids []uint64) [][]uint64 {
	var out [][]uint64
	for i, u := range usids {
		if i > 0 && u >= m.local {
			out[len(out)-1] = append(out[len(out)-1], u)
		} else {
			out = append(out, []uint64{u})
		}
	}
	return out
}

// to is the destination that a verdict leads to, and the rest of the list.
func (m move) to(v contract.Verdict) (netip.Addr, int, bool) {
	rest, left := m.rest, len(m.list)
	next := func() (netip.Addr, int, bool) {
		if len(rest) > 0 {
			return m.format.pack(rest), left, true
		}
		if left == 0 {
			return netip.Addr{}, 0, false
		}
		return m.list[len(m.list)-left], left - 1, true
	}
	drop := func() {
		atoms := m.atoms(rest)[1:]
		rest = slices.Concat(atoms...)
	}
	switch v {
	case contract.FwSkipNext:
		switch {
		case len(rest) > 0:
			drop()
		case left == 0:
			return netip.Addr{}, 0, false
		default:
			segment := m.list[len(m.list)-left]
			left--
			if !m.foreign[segment] && m.format.usid > 0 {
				if rest = m.format.unpack(segment); len(rest) > 0 {
					drop()
				}
			}
		}
		return next()
	case contract.FwGoLast:
		if left > 0 {
			segment := m.list[len(m.list)-1]
			if m.foreign[segment] || m.format.usid == 0 {
				return segment, 0, true
			}
			rest = m.format.unpack(segment)
		}
		if len(rest) == 0 {
			return netip.Addr{}, 0, false
		}
		atoms := m.atoms(rest)
		return m.format.pack(atoms[len(atoms)-1]), 0, true
	default:
		return next()
	}
}

func (m move) someUSIDs(r *rand.Rand, most int) []uint64 {
	var out []uint64
	for range r.IntN(most + 1) {
		u := 1 + r.Uint64N(m.local-1)
		if r.IntN(3) == 0 {
			u = m.local + r.Uint64N(1<<m.format.usid-m.local)
		}
		out = append(out, u)
	}
	return out
}

// Packed programs of any format, and of SIDs that are no containers.
func TestAPackedProgramMovesAsItsAtomsDo(t *testing.T) {
	random := rand.New(rand.NewPCG(9800, 4))
	inner := unhex(t, inside)
	for _, f := range []format{{32, 16, 32}, {32, 16, 16}, {48, 16, 32}, {32, 8, 16}, {16, 8, 8}, {32, 32, 32}, {48, 32, 32}, {40, 12, 24}, {64, 20, 20}, {0, 0, 0}} {
		t.Run(fmt.Sprint(f), func(t *testing.T) {
			sid := contract.MySID{SID: p("fc00:2::f1:0/128"), Behavior: contract.Behavior{Action: contract.Sera, SERA: contract.SERA{Firewall: 1}}}
			m := move{format: f, foreign: map[netip.Addr]bool{}}
			var own []uint64
			if f.usid > 0 {
				m.local = 1<<f.usid - 1<<(f.usid-3)
				for range f.csid / f.usid {
					own = append(own, 1+random.Uint64N(1<<f.usid-1))
				}
				sid = contract.MySID{SID: netip.PrefixFrom(f.pack(own), f.block+f.csid), Behavior: contract.Behavior{
					Action: contract.Sera, BlockLength: uint8(f.block), CSIDLength: uint8(f.csid),
					SERA: contract.SERA{Firewall: 1, USIDLength: uint8(f.usid), LocalStart: uint32(m.local)},
				}}
			}
			rules := map[contract.Verdict]contract.Firewall{}
			for _, v := range []contract.Verdict{contract.FwGoNext, contract.FwSkipNext, contract.FwGoLast} {
				rules[v] = contract.Firewall{Firewall: 1, Priority: 1, Verdict: v}
			}
			for _, v := range []contract.Verdict{contract.FwGoNext, contract.FwSkipNext, contract.FwGoLast} {
				b := loaded(t, rules[v], sid)
				for range 400 {
					m.rest, m.list = nil, nil
					room := 0
					da := sid.SID.Addr()
					if f.usid > 0 {
						room = (128 - f.block) / f.usid
						m.rest = m.someUSIDs(random, room-len(own))
						da = f.pack(slices.Concat(own, m.rest))
					}
					segments := random.IntN(4)
					for range segments {
						segment := netip.AddrFrom16([16]byte(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, 0x20010db8<<32|random.Uint64N(9)), random.Uint64())))
						if f.usid > 0 && random.IntN(4) > 0 {
							segment = f.pack(m.someUSIDs(random, room))
						} else {
							m.foreign[segment] = true
						}
						m.list = append(m.list, segment)
					}
					before, at := routedPacket(da, m.list, segments, inner), 0
					if segments > 0 {
						at = 43
					}
					answer, out := b.run(t, before)
					want, left, able := m.to(v)
					if able != (answer == passed) {
						t.Fatalf("%s of %x behind %s, list %s: answer %#x, want able %t", v, m.rest, da, m.list, answer, able)
					}
					if !able {
						continue
					}
					after := slices.Clone(before)
					copy(after[24:], want.AsSlice())
					if at > 0 {
						after[at] = byte(left)
					}
					if !slices.Equal(out, after) {
						t.Fatalf("%s of %x behind %s, list %s:\n%x, want %s with %d left\n%x", v, m.rest, da, m.list, out, want, left, after)
					}
				}
			}
		})
	}
}

// routedPacket has a reduced list: list[SL-1] comes first.
func routedPacket(da netip.Addr, list []netip.Addr, left int, inner []byte) []byte {
	var body []byte
	next := byte(41)
	if len(list) > 0 {
		body = []byte{41, byte(2 * len(list)), 4, byte(left), byte(len(list) - 1), 0, 0, 0}
		for _, segment := range slices.Backward(list) {
			body = append(body, segment.AsSlice()...)
		}
		next = 43
	}
	body = append(body, inner...)
	head := mustHex(plain)
	binary.BigEndian.PutUint16(head[4:], uint16(len(body)))
	head[6] = next
	return slices.Concat(head, da.AsSlice(), body)
}

func mustHex(text string) []byte {
	raw, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return raw
}
