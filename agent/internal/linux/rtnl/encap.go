// SPDX-License-Identifier: Apache-2.0

package rtnl

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/mdlayher/netlink"
)

// An Encap is the lightweight tunnel of a next hop: Seg6, Seg6Local, or UnknownEncap when read.
type Encap interface {
	// String is canonical: two encapsulations are equal exactly if their strings are.
	String() string
	kind() uint16
	encode(*netlink.AttributeEncoder) error
}

// Mode is how Seg6 puts segments into a packet (linux/seg6_iptunnel.h).
type Mode uint32

// The modes the agent uses: H.Encaps and H.Encaps.Red (RFC 8986, 5.1 and 5.2).
const (
	Encaps    Mode = 1
	EncapsRed Mode = 3
)

// Seg6 encapsulates into an SRv6 policy. Segments are in travel order.
type Seg6 struct {
	Mode     Mode
	Segments []netip.Addr
}

func (e Seg6) kind() uint16 { return lwtSeg6 }

func (e Seg6) String() string {
	segments := make([]string, len(e.Segments))
	for i, s := range e.Segments {
		segments[i] = s.String()
	}
	return fmt.Sprintf("seg6 mode %d segs %s", e.Mode, strings.Join(segments, ","))
}

const (
	seg6TunnelSRH = 1
	srhType       = 4
	srhBytes      = 8
)

// encode writes struct seg6_iptunnel_encap: the mode, then an SRH whose list runs backwards (RFC
// 8754, 2).
func (e Seg6) encode(ae *netlink.AttributeEncoder) error {
	n := len(e.Segments)
	if n == 0 || n > 127 {
		return fmt.Errorf("a segment list has 1 to 127 segments, not %d", n)
	}
	b := binary.NativeEndian.AppendUint32(nil, uint32(e.Mode))
	b = append(b, 0, byte(2*n), srhType, byte(n-1), byte(n-1), 0, 0, 0)
	for _, s := range slices.Backward(e.Segments) {
		a := s.As16()
		b = append(b, a[:]...)
	}
	ae.Bytes(seg6TunnelSRH, b)
	return nil
}

func decodeSeg6(b []byte) (Encap, error) {
	ad, err := netlink.NewAttributeDecoder(b)
	if err != nil {
		return nil, fmt.Errorf("decode seg6 attributes: %w", err)
	}
	var e Seg6
	for ad.Next() {
		if ad.Type() != seg6TunnelSRH {
			continue
		}
		b := ad.Bytes()
		if len(b) < 4+srhBytes || (len(b)-4-srhBytes)%16 != 0 {
			return nil, fmt.Errorf("decode seg6: %d bytes are no mode and SRH", len(b))
		}
		e.Mode = Mode(binary.NativeEndian.Uint32(b))
		for list := b[4+srhBytes:]; len(list) > 0; list = list[16:] {
			e.Segments = append(e.Segments, netip.AddrFrom16([16]byte(list[:16])))
		}
		slices.Reverse(e.Segments)
	}
	if err := ad.Err(); err != nil {
		return nil, fmt.Errorf("decode seg6: %w", err)
	}
	if len(e.Segments) == 0 {
		return nil, fmt.Errorf("decode seg6: no segments")
	}
	return e, nil
}

// Action is a seg6local behavior (linux/seg6_local.h).
type Action uint32

// The actions the agent uses.
const (
	ActionEnd  Action = 1
	ActionEndX Action = 2
	ActionEndT Action = 3
	ActionDX6  Action = 5
	ActionDX4  Action = 6
	ActionDT6  Action = 7
	ActionDT4  Action = 8
)

// Flavors is the set of operations a seg6local behavior is extended with.
type Flavors uint32

// The flavors of linux/seg6_local.h that the agent uses.
const (
	PSP      Flavors = 1 << 1
	NextCSID Flavors = 1 << 4
)

// Counters of a seg6local route; the kernel starts them again when the route is replaced.
type Counters struct{ Packets, Bytes, Errors uint64 }

// Seg6Local is the behavior of a node at one of its SIDs.
type Seg6Local struct {
	Action   Action
	NH4, NH6 netip.Addr // DX4; End.X and DX6
	Table    uint32     // End.T, DT6
	VRFTable uint32     // DT4
	Flavors  Flavors
	// BlockBits and FunctionBits belong to NextCSID: LBL and LNFL of RFC 9800, 4.1.
	BlockBits, FunctionBits uint8
	// Counted asks for Counters, which only reading fills in and String leaves out.
	Counted  bool
	Counters Counters
}

const (
	localAction   = 1
	localTable    = 3
	localNH4      = 4
	localNH6      = 5
	localVRFTable = 9
	localCounters = 10
	localFlavors  = 11

	counterPackets = 2
	counterBytes   = 3
	counterErrors  = 4

	flavorOperation = 1
	flavorBlock     = 2
	flavorFunction  = 3
)

func (e Seg6Local) kind() uint16 { return lwtSeg6Local }

func (e Seg6Local) String() string {
	s := fmt.Sprintf("seg6local action %d", e.Action)
	for _, nh := range []netip.Addr{e.NH4, e.NH6} {
		if nh.IsValid() {
			s += " via " + nh.String()
		}
	}
	if e.Table != 0 {
		s += fmt.Sprintf(" table %d", e.Table)
	}
	if e.VRFTable != 0 {
		s += fmt.Sprintf(" vrftable %d", e.VRFTable)
	}
	if e.Flavors != 0 || e.BlockBits != 0 || e.FunctionBits != 0 {
		s += fmt.Sprintf(" flavors %#x block %d function %d", uint32(e.Flavors), e.BlockBits, e.FunctionBits)
	}
	if e.Counted {
		s += " counted"
	}
	return s
}

func (e Seg6Local) encode(ae *netlink.AttributeEncoder) error {
	ae.Uint32(localAction, uint32(e.Action))
	if e.NH4.IsValid() {
		ae.Bytes(localNH4, e.NH4.AsSlice())
	}
	if e.NH6.IsValid() {
		ae.Bytes(localNH6, e.NH6.AsSlice())
	}
	if e.Table != 0 {
		ae.Uint32(localTable, e.Table)
	}
	if e.VRFTable != 0 {
		ae.Uint32(localVRFTable, e.VRFTable)
	}
	if e.Counted {
		ae.Nested(localCounters, func(ae *netlink.AttributeEncoder) error {
			ae.Uint64(counterPackets, 0)
			ae.Uint64(counterBytes, 0)
			ae.Uint64(counterErrors, 0)
			return nil
		})
	}
	if e.Flavors != 0 {
		ae.Nested(localFlavors, func(ae *netlink.AttributeEncoder) error {
			ae.Uint32(flavorOperation, uint32(e.Flavors))
			if e.Flavors&NextCSID != 0 {
				ae.Uint8(flavorBlock, e.BlockBits)
				ae.Uint8(flavorFunction, e.FunctionBits)
			}
			return nil
		})
	}
	return nil
}

func decodeSeg6Local(b []byte) (Encap, error) {
	ad, err := netlink.NewAttributeDecoder(b)
	if err != nil {
		return nil, fmt.Errorf("decode seg6local attributes: %w", err)
	}
	var e Seg6Local
	for ad.Next() {
		switch ad.Type() {
		case localAction:
			e.Action = Action(ad.Uint32())
		case localTable:
			e.Table = ad.Uint32()
		case localVRFTable:
			e.VRFTable = ad.Uint32()
		case localNH4:
			e.NH4, err = addrOf(ad.Bytes(), 4)
		case localNH6:
			e.NH6, err = addrOf(ad.Bytes(), 16)
		case localCounters:
			e.Counted = true
			ad.Nested(e.Counters.decode)
		case localFlavors:
			ad.Nested(e.decodeFlavors)
		default: // something that the agent never asks for
			return UnknownEncap{lwtSeg6Local, slices.Clone(b)}, nil
		}
		if err != nil {
			return nil, fmt.Errorf("decode seg6local: %w", err)
		}
	}
	if err := ad.Err(); err != nil {
		return nil, fmt.Errorf("decode seg6local: %w", err)
	}
	return e, nil
}

func (c *Counters) decode(ad *netlink.AttributeDecoder) error {
	for ad.Next() {
		switch ad.Type() {
		case counterPackets:
			c.Packets = ad.Uint64()
		case counterBytes:
			c.Bytes = ad.Uint64()
		case counterErrors:
			c.Errors = ad.Uint64()
		}
	}
	return ad.Err()
}

func (e *Seg6Local) decodeFlavors(ad *netlink.AttributeDecoder) error {
	for ad.Next() {
		switch ad.Type() {
		case flavorOperation:
			e.Flavors = Flavors(ad.Uint32())
		case flavorBlock:
			e.BlockBits = ad.Uint8()
		case flavorFunction:
			e.FunctionBits = ad.Uint8()
		}
	}
	return ad.Err()
}

// UnknownEncap is an encapsulation that the agent never writes, and only has to distinguish from its own.
type UnknownEncap struct {
	Type uint16
	Data []byte
}

func (e UnknownEncap) kind() uint16 { return e.Type }

func (e UnknownEncap) String() string { return fmt.Sprintf("encap type %d %x", e.Type, e.Data) }

func (e UnknownEncap) encode(*netlink.AttributeEncoder) error {
	return fmt.Errorf("encapsulation type %d cannot be written", e.Type)
}

// decodeEncap reads RTA_ENCAP of the kind that RTA_ENCAP_TYPE gives.
func decodeEncap(kind uint16, b []byte) (Encap, error) {
	switch kind {
	case lwtSeg6:
		return decodeSeg6(b)
	case lwtSeg6Local:
		return decodeSeg6Local(b)
	default:
		return UnknownEncap{kind, slices.Clone(b)}, nil
	}
}

func addrOf(b []byte, size int) (netip.Addr, error) {
	a, ok := netip.AddrFromSlice(b)
	if !ok || len(b) != size {
		return netip.Addr{}, fmt.Errorf("%d bytes are no address of %d bytes", len(b), size)
	}
	return a, nil
}
