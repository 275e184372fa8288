// SPDX-License-Identifier: Apache-2.0

// Package contract holds the entries of Sextant's logical SRv6 pipeline as Go values, and what a
// data plane must offer to serve them. It knows neither P4Runtime messages nor a kernel: package
// p4rt turns messages into these values, a back end turns these values into its own state.
package contract

import "net/netip"

// An Entry is one row of a contract table. The concrete types below are the only ones.
// Two entries with equal Key are the same row; the rest is what an update may modify.
type Entry interface {
	// Key identifies the row within all tables; it is comparable and usable as a map key.
	Key() Key
}

// Key names a row: its table and the canonical text of its match, for example "my_sid fcbb:bbbb:100::/48".
type Key struct {
	Table string
	Match string
}

// MySID says that this node owns a SID, and how it behaves there (RFC 8986, 4; RFC 9800, 4).
type MySID struct {
	SID      netip.Prefix
	Behavior Behavior
}

// A Behavior is what the node does with a packet whose destination is one of its SIDs.
type Behavior struct {
	Action Action
	// BlockLength and CSIDLength are in bits, for UN and UA: LBL and LNFL of RFC 9800, 4.1.
	// The node shifts by CSIDLength, which is 32 for a fused node+function SID.
	BlockLength, CSIDLength uint8
	// NextHop is for UA, EndX, UDX6, UDX4.
	NextHop NextHopID
	// VRF is for UDT6, UDT4, UDT46. 0 is the main table.
	VRF VRF
	// SIDList is for B6EncapsRed.
	SIDList SIDListID
	// Path is for Dedup, which has a VRF as well.
	Path PathID
}

// Action is the name of a my_sid action of the contract, as P4Info spells it.
type Action string

// The my_sid actions.
const (
	UN          Action = "un"
	UA          Action = "ua"
	End         Action = "end"
	EndPSP      Action = "end_psp"
	EndX        Action = "end_x"
	UDT6        Action = "udt6"
	UDT4        Action = "udt4"
	UDT46       Action = "udt46"
	UDX6        Action = "udx6"
	UDX4        Action = "udx4"
	B6EncapsRed Action = "b6_encaps_red"
	Dedup       Action = "dedup"
)

// Identifiers of the contract; all are chosen by the controller.
type (
	NextHopID uint16
	SIDListID uint32
	VRF       uint16
	PortID    uint16 // 1 to 510
	FlowID    uint32 // of a Live-Live flow, unique in the network
	GroupID   uint16 // 1 or more: a sequence and a set of paths
	PathID    uint8  // 1 to 15
)

// Steering sends packets to a destination prefix into an SR policy (RFC 8986, 5.1, 5.2). The
// family of Dst tells steering_v6 from steering_v4.
type Steering struct {
	VRF     VRF
	Dst     netip.Prefix
	SIDList SIDListID
	// Reduced is H.Encaps.Red, otherwise H.Encaps.
	Reduced bool
}

// SIDList is a weighted set of segment lists.
type SIDList struct {
	ID      SIDListID
	Members []SIDListMember
}

// SIDListMember is one segment list: containers or SIDs in travel order, at least one.
type SIDListMember struct {
	Weight   uint32
	Segments []netip.Addr
}

// EncapSource is the source address of the outer header of everything this node encapsulates.
// It is the default entry of a table without a key, so it is always there: Modify sets it, Delete
// puts it back to none, neither fails because nothing was set before.
type EncapSource struct {
	Source netip.Addr
}

// Route is an underlay route; more than one member is ECMP.
type Route struct {
	VRF     VRF
	Dst     netip.Prefix
	Members []RouteMember
}

// RouteMember is a weighted next hop of a route.
type RouteMember struct {
	Weight  uint32
	NextHop NextHopID
}

// NextHop is an adjacency: the port to leave by and the two MAC addresses of the frame.
type NextHop struct {
	ID             NextHopID
	Port           PortID
	SrcMAC, DstMAC [6]byte
}

// Punt sends matching packets to the controller as packet-in. A nil field matches anything.
type Punt struct {
	Priority  int32
	InPort    *Ternary
	EtherType *Ternary
	IPProto   *Ternary
	ICMPv6    *Ternary
}

// Flow numbers the packets of a Live-Live flow and copies them over the paths of a group
// (docs/reference/livelive.md). Src and Dst are of one family, which tells flow_v6 from flow_v4; no
// bits match any. A nil field matches anything.
type Flow struct {
	Priority         int32
	VRF              VRF
	Src, Dst         netip.Prefix
	IPProto          *Ternary
	SrcPort, DstPort *Ternary
	FlowID           FlowID
	Group            GroupID
	// Copies is the highest path number of the group.
	Copies PathID
}

// Copy is the segment list of one path of a group. The list has one member.
type Copy struct {
	Group   GroupID
	Path    PathID
	SIDList SIDListID
}

// DedupFlow says that a Live-Live flow ends at this node, and where it is remembered and counted.
type DedupFlow struct {
	FlowID FlowID
	Window uint8 // 0 to 63
}

// Ternary is a value under a mask; bits outside of the mask are zero in Value.
type Ternary struct{ Value, Mask uint16 }
