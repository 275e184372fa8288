// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"encoding/binary"
	"net/netip"

	"sextant/agent/internal/contract"
)

// State is the desired state of the kernel. The zero State is nothing at all: no program, no device.
type State struct {
	Ports  []int
	Source netip.Addr
	Flows  []contract.Flow
	Copies []Copy
	SIDs   []SID
	Ends   []contract.DedupFlow
	// Own are addresses and SIDs that the kernel takes itself: packets for them are not copied.
	Own        []netip.Prefix
	StackIndex int
	StackMAC   [6]byte
}

// Copy is a path of a group and the segments it travels.
type Copy struct {
	Group    contract.GroupID
	Path     contract.PathID
	Segments []netip.Addr
}

// SID is a my_sid row with action dedup in the main table.
type SID struct {
	Prefix netip.Prefix
	Path   contract.PathID
}

func (s State) empty() bool {
	return len(s.Flows)+len(s.Copies)+len(s.SIDs)+len(s.Ends) == 0
}

// Offsets and numbers of the header, docs/reference/livelive.md.
const (
	ipv6Bytes   = 40
	srhBytes    = 8
	tlvBytes    = 16
	protoRoute  = 43
	routingSRH  = 4
	tlvType     = 124
	tlvLength   = 14
	linuxEpoch  = 1 // a namespace that is made anew starts its sequences at the clock instead
	wordsPerSID = 2
)

// header is everything in front of the inner packet but for the fields that differ from packet to packet: traffic
// class, flow label, lengths, hop limit, flow id, sequence, and the next header of the SRH.
func header(source netip.Addr, segments []netip.Addr) []byte {
	listed := segments[1:]
	if len(segments) == 1 {
		listed = segments
	}
	h := make([]byte, ipv6Bytes+srhBytes, ipv6Bytes+srhBytes+16*len(listed)+tlvBytes)
	h[0], h[6] = 6<<4, protoRoute
	copy(h[8:], source.AsSlice())
	copy(h[24:], segments[0].AsSlice())
	srh := h[ipv6Bytes:]
	srh[1] = byte(wordsPerSID*len(listed) + tlvBytes/8)
	srh[2] = routingSRH
	srh[3] = byte(len(segments) - 1)
	srh[4] = byte(len(listed) - 1)
	for i := len(listed) - 1; i >= 0; i-- {
		h = append(h, listed[i].AsSlice()...)
	}
	h = append(h, tlvType, tlvLength)
	h = binary.BigEndian.AppendUint16(h, linuxEpoch)
	return append(h, make([]byte, tlvBytes-4)...)
}

// sidKey is a prefix as the map of SIDs has it: IPv4 is mapped (RFC 4291, 2.5.5.2).
func sidKey(p netip.Prefix) bpfPrefix {
	return bpfPrefix{Bits: uint32(p.Bits() + 128 - p.Addr().BitLen()), Addr: p.Addr().As16()}
}

// key is a flow row's match as the programs compare it, without the index of its mask.
func key(f contract.Flow) (value, mask bpfFlowKey) {
	value.Family, mask.Family = 6, 0xff
	if f.Dst.Addr().Is4() {
		value.Family = 4
	}
	copy(value.Src[:], f.Src.Addr().AsSlice())
	copy(value.Dst[:], f.Dst.Addr().AsSlice())
	copy(mask.Src[:], maskOf(f.Src))
	copy(mask.Dst[:], maskOf(f.Dst))
	if f.IPProto != nil {
		value.Protocol, mask.Protocol = uint8(f.IPProto.Value.Uint64()), uint8(f.IPProto.Mask.Uint64())
	}
	value.SrcPort, mask.SrcPort = wirePort(f.SrcPort)
	value.DstPort, mask.DstPort = wirePort(f.DstPort)
	return value, mask
}

func maskOf(p netip.Prefix) []byte {
	m := make([]byte, p.Addr().BitLen()/8)
	for i := range p.Bits() {
		m[i/8] |= 0x80 >> (i % 8)
	}
	return m
}

// wirePort is a port and its mask in the order of the wire, whatever the CPU's is.
func wirePort(t *contract.Ternary) (value, mask uint16) {
	if t == nil {
		return 0, 0
	}
	swap := func(v contract.Bits) uint16 { return binary.NativeEndian.Uint16(v[14:]) }
	return swap(t.Value), swap(t.Mask)
}
