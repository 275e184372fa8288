// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"encoding/binary"
	"net/netip"

	"sextant/agent/internal/contract"
)

// Kinds of SIDs, ways to take GTP-U and actions of rules, bpf/mobile.h.
const (
	sidNone = iota
	sidGTP4E
	sidGTP6E
	sidGTP6D
	sidMap
)

const (
	whole = iota
	fromIPv4
	fromIPv4Sequenced
	fromIPv6
	fromIPv6Sequenced
)

// The ways of packets without a container, with a downlink and with an uplink one follow each other.
const waysOfContainer = fromIPv6Sequenced

const (
	ruleTranslate = iota + 1
	ruleCarry
	ruleDiscard
)

func kindOf(action contract.Action) uint8 {
	switch action {
	case contract.GTP4E:
		return sidGTP4E
	case contract.GTP6E:
		return sidGTP6E
	case contract.GTP6D:
		return sidGTP6D
	case contract.Map:
		return sidMap
	default:
		return sidNone
	}
}

// wire16 and wire32 are numbers in the order of the wire, whatever the CPU's is.
func wire16(v uint16) uint16 {
	return binary.NativeEndian.Uint16([]byte{byte(v >> 8), byte(v)})
}

func wire32(v uint32) uint32 {
	return binary.NativeEndian.Uint32(binary.BigEndian.AppendUint32(nil, v))
}

// prefixOf is a prefix as maps have it: IPv4 is mapped (RFC 4291, 2.5.5.2).
func prefixOf(p netip.Prefix) bpfPrefix {
	return bpfPrefix{Bits: uint32(p.Bits() + 128 - p.Addr().BitLen()), Addr: p.Addr().As16()}
}

// sidOf another behavior only keeps a shorter prefix from having its packets.
func sidOf(e contract.MySID) bpfSid {
	g := e.Behavior.GTP
	s := bpfSid{Kind: kindOf(e.Behavior.Action)}
	switch s.Kind {
	case sidGTP4E, sidGTP6E:
		s.At, s.SourceAt, s.PduType, s.Container, s.UdpSource = g.At/8, g.SourceAt/8, g.PDUType, g.Container, wire16(g.UDPSource)
		if s.Kind == sidGTP6E {
			s.Address = g.Source.As16()
		}
	case sidMap:
		s.Address = e.Behavior.Mapped.As16()
	}
	return s
}

// listOf the one member; false for another list, which no row of the plane's has.
func listOf(e contract.SIDList) (bpfList, bool) {
	if refuseList(e) != nil {
		return bpfList{}, false
	}
	segments := e.Members[0].Segments
	l := bpfList{Segments: uint32(len(segments)), First: segments[0].As16()}
	for i, s := range segments[1:] {
		l.Others[len(segments)-2-i] = s.As16()
	}
	return l, true
}

func tunnelKeyOf(e contract.GTPTunnel) bpfTunnelKey {
	return bpfTunnelKey{Dst: e.Dst.As16(), Teid: wire32(e.TEID)}
}

func ueOf(e contract.UE) bpfUe {
	u := bpfUe{List: uint32(e.SIDList), ArgsAt: e.ArgsAt / 8}
	for i := range u.Args {
		u.Args[i] = byte(e.Args >> (8 * (len(u.Args) - 1 - i)))
	}
	if e.Last.IsValid() {
		u.HasLast, u.Last = 1, e.Last.As16()
	}
	if e.Source.IsValid() {
		u.HasSource, u.Source = 1, e.Source.As16()
	}
	return u
}

// matchOf is a rule's match as the program compares it, without the index of its mask.
func matchOf(e contract.GTPRule) (value, mask bpfMatch) {
	if e.Src != nil {
		value.Src, mask.Src = e.Src.Value, e.Src.Mask
	}
	if e.Dst != nil {
		value.Dst, mask.Dst = e.Dst.Value, e.Dst.Mask
	}
	if e.TEID != nil {
		value.Teid, mask.Teid = wire32(uint32(e.TEID.Value.Uint64())), wire32(uint32(e.TEID.Mask.Uint64()))
	}
	if e.Class != nil {
		value.Class, mask.Class = uint16(e.Class.Value.Uint64()), uint16(e.Class.Mask.Uint64())
	}
	if e.QFI != nil {
		value.Qfi, mask.Qfi = uint8(e.QFI.Value.Uint64()), uint8(e.QFI.Mask.Uint64())
	}
	if e.DSCP != nil {
		value.Dscp, mask.Dscp = uint8(e.DSCP.Value.Uint64()), uint8(e.DSCP.Mask.Uint64())
	}
	if e.InnerSrc != nil {
		value.InnerSrc, mask.InnerSrc = e.InnerSrc.Value, e.InnerSrc.Mask
	}
	if e.InnerDst != nil {
		value.InnerDst, mask.InnerDst = e.InnerDst.Value, e.InnerDst.Mask
	}
	return value, mask
}

func ruleOf(e contract.GTPRule) bpfRule {
	way := wayOf(e)
	r := bpfRule{List: uint32(e.SIDList), WayValue: way[0], WayMask: way[1]}
	switch e.Action {
	case contract.GTPTranslate:
		r.Action, r.ArgsAt, r.AddressAt, r.SourceAt = ruleTranslate, e.ArgsAt/8, e.AddressAt/8, e.SourceAt/8
		if e.KeepDestination {
			r.KeepDestination = 1
		}
		if e.Source.IsValid() {
			r.HasSource, r.Source = 1, e.Source.As16()
		}
	case contract.GTPCarry:
		r.Action = ruleCarry
	case contract.GTPDiscard:
		r.Action = ruleDiscard
	}
	return r
}

// wayOf a rule as its row says it, value and mask.
func wayOf(e contract.GTPRule) [2]uint8 {
	if e.Way == nil {
		return [2]uint8{}
	}
	return [2]uint8{uint8(e.Way.Value.Uint64()), uint8(e.Way.Mask.Uint64())}
}

// waysOf a rule: the packets that it takes, as GTPRule.TakenWay says.
func waysOf(e contract.GTPRule) []int {
	ways, translated := []int{whole}, []int{fromIPv4, fromIPv4Sequenced, fromIPv6, fromIPv6Sequenced}
	downlink, uplink := true, true
	if e.Action == contract.GTPTranslate {
		ways, translated = nil, translatedWaysOf(e)
		downlink, uplink = e.TakesContainers()
	}
	for container, taken := range []bool{true, downlink, uplink} {
		for _, way := range translated {
			if taken {
				ways = append(ways, way+container*waysOfContainer)
			}
		}
	}
	return ways
}

// translatedWaysOf a rule, of packets without a container.
func translatedWaysOf(e contract.GTPRule) []int {
	var ways []int
	if !e.KeepDestination {
		ways = append(ways, fromIPv4)
	}
	if e.AddressAt == 0 && e.SourceAt == 0 {
		ways = append(ways, fromIPv6)
	}
	if e.DropSequence {
		for _, way := range ways {
			ways = append(ways, way+1)
		}
	}
	return ways
}
