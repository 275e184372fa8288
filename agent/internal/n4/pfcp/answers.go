// SPDX-License-Identifier: Apache-2.0

package pfcp

import (
	"net"
	"net/netip"

	"github.com/wmnsk/go-pfcp/ie"
	"github.com/wmnsk/go-pfcp/message"

	"sextant/agent/internal/n4/fabric"
)

// Features that a user plane announces (TS 29.244, 8.2.25).
type Features struct {
	// Tunnels: F-TEIDs are allocated here (FTUP). Addresses: those of UEs, too (UEIP). EndMarkers are sent (EMPU).
	Tunnels, Addresses, EndMarkers bool
}

// octets 5 to 8. UE prefixes other than /64 are always understood (IP6PL).
func (f Features) octets() []uint8 {
	const ftup, empu, ueip, ip6pl = 1 << 4, 1 << 0, 1 << 2, 1 << 5
	out := []uint8{0, 0, 0, ip6pl}
	if f.Tunnels {
		out[0] |= ftup
	}
	if f.EndMarkers {
		out[1] |= empu
	}
	if f.Addresses {
		out[2] |= ueip
	}
	return out
}

// A Speaker writes the messages of a user plane.
type Speaker struct {
	// Address is the Node ID and that of the F-SEIDs.
	Address  netip.Addr
	Recovery uint32 // seconds since 1900
	Features Features
}

// A Created is the user plane's choice for a new PDR.
type Created struct {
	PDR    uint16
	Tunnel *fabric.Tunnel
	UE     []netip.Prefix
}

// Seconds from 1900, where PFCP's time begins, to 1970.
const epochOffset = 2208988800

// Recovery gives the recovery time stamp of a Unix time.
func Recovery(unixSeconds int64) uint32 { return uint32(unixSeconds + epochOffset) }

func recovery(stamp uint32) *ie.IE { return ie.NewUint32IE(ie.RecoveryTimeStamp, stamp) }

func (s Speaker) node() *ie.IE { return ie.NewNodeIDHeuristic(s.Address.String()) }

// families gives an address as IPv4 or as IPv6.
func families(a netip.Addr) (v4, v6 net.IP) {
	if a.Is4() {
		return a.AsSlice(), nil
	}
	return nil, a.AsSlice()
}

// outcome is a cause, and the offending IE.
func outcome(f *Fault) []*ie.IE {
	if f == nil {
		return []*ie.IE{ie.NewCause(ie.CauseRequestAccepted)}
	}
	out := []*ie.IE{ie.NewCause(f.Cause)}
	if f.Offending != 0 {
		out = append(out, ie.NewOffendingIE(f.Offending))
	}
	return out
}

// sessionOutcome can name a rule, too.
func sessionOutcome(f *Fault) []*ie.IE {
	out := outcome(f)
	if f != nil && f.Rule != nil {
		out = append(out, ie.NewFailedRuleID(f.Rule.Kind, f.Rule.ID))
	}
	return out
}

// HeartbeatRequest asks whether a peer is there.
func (s Speaker) HeartbeatRequest(sequence uint32) []byte {
	return marshal(message.NewHeartbeatRequest(sequence, recovery(s.Recovery), nil))
}

// Heartbeat answers one.
func (s Speaker) Heartbeat(sequence uint32) []byte {
	return marshal(message.NewHeartbeatResponse(sequence, recovery(s.Recovery)))
}

// Setup answers an Association Setup Request; retained says that the sessions of before are there.
func (s Speaker) Setup(sequence uint32, f *Fault, retained bool) []byte {
	parts := append([]*ie.IE{s.node()}, outcome(f)...)
	parts = append(parts, recovery(s.Recovery), ie.NewUPFunctionFeatures(s.Features.octets()...))
	if retained {
		parts = append(parts, ie.NewPFCPASRspFlags(1))
	}
	return marshal(message.NewAssociationSetupResponse(sequence, parts...))
}

// Update answers an Association Update Request.
func (s Speaker) Update(sequence uint32, f *Fault) []byte {
	parts := append([]*ie.IE{s.node()}, outcome(f)...)
	return marshal(message.NewAssociationUpdateResponse(sequence, append(parts, ie.NewUPFunctionFeatures(s.Features.octets()...))...))
}

// Release answers an Association Release Request.
func (s Speaker) Release(sequence uint32, f *Fault) []byte {
	parts := outcome(f)
	return marshal(message.NewAssociationReleaseResponse(sequence, s.node(), parts[0], parts[1:]...))
}

// Unsupported answers requests of nodes that are not served: PFD Management, Session Set Deletion.
func (s Speaker) Unsupported(kind uint8, sequence uint32) []byte {
	cause := ie.NewCause(ie.CauseServiceNotSupported)
	if kind == message.MsgTypePFDManagementRequest {
		return marshal(message.NewPFDManagementResponse(sequence, cause, nil))
	}
	return marshal(message.NewSessionSetDeletionResponse(sequence, s.node(), cause, nil))
}

// OtherVersion answers a message of a PFCP that is not spoken.
func OtherVersion(sequence uint32) []byte {
	return marshal(message.NewVersionNotSupportedResponse(sequence))
}

// Establishment answers a Session Establishment Request, to the SMF's name of the session; seid is ours.
func (s Speaker) Establishment(sequence uint32, cp, seid uint64, f *Fault, created []Created) []byte {
	parts := append([]*ie.IE{s.node()}, sessionOutcome(f)...)
	if f == nil {
		v4, v6 := families(s.Address)
		parts = append(parts, ie.NewFSEID(seid, v4, v6))
	}
	return marshal(message.NewSessionEstablishmentResponse(0, 0, cp, sequence, 0, append(parts, createdPDRs(created)...)...))
}

// Modification answers a Session Modification Request.
func (s Speaker) Modification(sequence uint32, cp uint64, f *Fault, created []Created) []byte {
	return marshal(message.NewSessionModificationResponse(0, 0, cp, sequence, 0, append(sessionOutcome(f), createdPDRs(created)...)...))
}

// Deletion answers a Session Deletion Request.
func (s Speaker) Deletion(sequence uint32, cp uint64, f *Fault) []byte {
	return marshal(message.NewSessionDeletionResponse(0, 0, cp, sequence, 0, outcome(f)...))
}

func createdPDRs(created []Created) []*ie.IE {
	var out []*ie.IE
	for _, c := range created {
		parts := []*ie.IE{ie.NewPDRID(c.PDR)}
		if c.Tunnel != nil {
			v4, v6 := families(c.Tunnel.Endpoint)
			flags := uint8(1)
			if v4 == nil {
				flags = 2
			}
			parts = append(parts, ie.NewFTEID(flags, c.Tunnel.TEID, v4, v6, 0))
		}
		for _, p := range c.UE {
			parts = append(parts, ueIPAddress(p))
		}
		out = append(out, ie.NewCreatedPDR(parts...))
	}
	return out
}

func ueIPAddress(p netip.Prefix) *ie.IE {
	if p.Addr().Is4() {
		return ie.NewUEIPAddress(ueV4, p.Addr().String(), "", 0, 0)
	}
	return ie.NewUEIPAddress(ueV6|uePrefixLength, "", p.Addr().String(), 0, uint8(p.Bits()))
}

// marshal writes a message of ours, whose parts fit by construction.
func marshal(m message.Message) []byte {
	b := make([]byte, m.MarshalLen())
	if err := m.MarshalTo(b); err != nil {
		panic(err)
	}
	return b
}
