// SPDX-License-Identifier: Apache-2.0

// Package fabric is n4's interface to the controller, as values: slices, the mobile sessions in them, and the outcome
// of a request. It is the meeting place of the state machine, which knows no REST, and of the client, which knows no
// PFCP.
package fabric

import (
	"cmp"
	"net/netip"
	"slices"
)

// A Tunnel is one end of a GTP-U tunnel.
type Tunnel struct {
	Endpoint netip.Addr `json:"endpoint"`
	TEID     uint32     `json:"teid"`
}

// A Session is a mobile session of the controller, as REST has it.
type Session struct {
	ID       string         `json:"id"`
	UE       []netip.Prefix `json:"ue,omitempty"`
	QFI      uint8          `json:"qfi"`
	RQI      bool           `json:"rqi"`
	Uplink   Tunnel         `json:"uplink"`
	Downlink *Tunnel        `json:"downlink,omitempty"`
	// Forwarding is the traffic that a gNB which the UE leaves sends on, nil: nothing.
	Forwarding *Forwarding `json:"forwarding,omitempty"`
}

// Forwarding leads the packets that the gNB which a UE leaves sends back by a tunnel of its own to the gNB that the UE reaches: indirect
// data forwarding of a handover over N2 (TS 23.502, 4.9.1.3).
type Forwarding struct {
	// From is where the source gNB sends to, To where the target gNB receives.
	From Tunnel `json:"from"`
	To   Tunnel `json:"to"`
	// QFIs are those of the flows that are forwarded, ascending.
	QFIs []int `json:"qfis"`
}

// Equal says whether both are the same but for the order of the UE's addresses.
func (s Session) Equal(o Session) bool {
	same := s.ID == o.ID && s.QFI == o.QFI && s.RQI == o.RQI && s.Uplink == o.Uplink && sameTunnel(s.Downlink, o.Downlink)
	return same && sameForwarding(s.Forwarding, o.Forwarding) && slices.Equal(sorted(s.UE), sorted(o.UE))
}

func sameForwarding(a, b *Forwarding) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.From == b.From && a.To == b.To && slices.Equal(a.QFIs, b.QFIs)
}

func sameTunnel(a, b *Tunnel) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func sorted(in []netip.Prefix) []netip.Prefix {
	out := slices.Clone(in)
	slices.SortFunc(out, func(a, b netip.Prefix) int {
		return cmp.Or(a.Addr().Compare(b.Addr()), cmp.Compare(a.Bits(), b.Bits()))
	})
	return out
}

// A Slice is the part of a slice that n4 needs to know.
type Slice struct {
	Name   string   `json:"name"`
	SNSSAI *SNSSAI  `json:"snssai,omitempty"`
	DNNs   []string `json:"dnns,omitempty"`
	Core   struct {
		Anchor string   `json:"anchor,omitempty"`
		UPFs   []string `json:"upfs,omitempty"`
	} `json:"core"`
	Default bool `json:"default,omitempty"`
}

// Endpoints are the addresses that gNBs may send GTP to; prefixes among them name none.
func (s Slice) Endpoints() []netip.Addr {
	var out []netip.Addr
	for _, text := range s.Core.UPFs {
		if a, err := netip.ParseAddr(text); err == nil {
			out = append(out, a)
		} else if p, err := netip.ParsePrefix(text); err == nil && p.IsSingleIP() {
			out = append(out, p.Addr())
		}
	}
	return out
}

// An SNSSAI names a slice; SD is six hexadecimal digits or empty.
type SNSSAI struct {
	SST uint8  `json:"sst"`
	SD  string `json:"sd,omitempty"`
}

// A Change is the change of one session.
type Change struct {
	ID string
	// Want is the session as it shall be, nil: not there.
	Want *Session
	// Before is the session that the controller is known to have, nil: nothing, or unknown.
	Before *Session
}

// Verdict is the outcome of a change.
type Verdict int

// Verdicts.
const (
	// Accepted: the controller has stored it, and will do it if it is not done yet.
	Accepted Verdict = iota
	// Refused: it says no, and would again.
	Refused
	// Unreachable: the result is unknown; to be tried again.
	Unreachable
)

// An Outcome of a change.
type Outcome struct {
	Verdict Verdict
	// Status of HTTP, Field (a JSON pointer into the session) and Text say why.
	Status int
	Field  string
	Text   string
}
