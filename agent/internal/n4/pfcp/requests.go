// SPDX-License-Identifier: Apache-2.0

package pfcp

import (
	"bytes"
	"net/netip"

	"github.com/wmnsk/go-pfcp/ie"
)

// Setup is an Association Setup Request.
type Setup struct {
	Node     string
	Recovery uint32 // seconds since 1900
	// Retains: sessions of the association before are kept, of all addresses of the SMF or of those named.
	Retains   bool
	Retention []netip.Addr
	// Alternatives and Set are those of Update.
	Alternatives []netip.Addr
	Set          string
}

// Update is an Association Update Request.
type Update struct {
	Node string
	// Alternatives are further source addresses of the SMF; nil: the message has none (TS 29.244, 5.22).
	Alternatives []netip.Addr
	// Set is the SMF Set ID, as text that is compared; empty: the message has none.
	Set string
}

// An FSEID is the name of a session at one side.
type FSEID struct {
	SEID    uint64     `json:"seid"`
	Address netip.Addr `json:"address"`
}

// An SNSSAI names a slice. Differentiator 0xffffff: there is none (TS 23.003, 28.4.2).
type SNSSAI struct {
	SST uint8
	SD  uint32
}

// NoSD is the slice differentiator of an S-NSSAI that has none.
const NoSD = 0xffffff

// Changes are a request's changes of a session's rules, in this order: removals, creations, updates.
type Changes struct {
	RemovePDR            []uint16
	RemoveFAR, RemoveQER []uint32
	CreatePDR, UpdatePDR []PDRPatch
	CreateFAR, UpdateFAR []FARPatch
	CreateQER, UpdateQER []QERPatch
}

// An Establishment is a Session Establishment Request.
type Establishment struct {
	Node    string
	CP      FSEID
	SNSSAI  *SNSSAI
	DNN     string
	Changes Changes
	Ignored Ignored
}

// A Modification is a Session Modification Request.
type Modification struct {
	// Node is that of the SMF that takes the session over, if one does (TS 29.244, 5.22.3).
	Node string
	// CP is there if the SMF gives the session another name.
	CP      *FSEID
	Changes Changes
	Ignored Ignored
}

// ParseHeartbeat reads the recovery time stamp of a Heartbeat Request or Response.
func ParseHeartbeat(body []byte) (uint32, *Fault) {
	in, failed := elements(body)
	if failed != nil {
		return 0, failed
	}
	return mandatory(in, ie.RecoveryTimeStamp, "Recovery Time Stamp", uint32Of)
}

// ParseUpdate reads an Association Update Request.
func ParseUpdate(body []byte) (Update, *Fault) {
	var u Update
	in, failed := elements(body)
	if failed != nil {
		return u, failed
	}
	if u.Node, failed = mandatory(in, ie.NodeID, "Node ID", nodeID); failed != nil {
		return u, failed
	}
	u.Alternatives, u.Set, failed = others(in)
	return u, failed
}

// others returns an SMF's further senders: Alternative SMF IP Address (TS 29.244, 8.2.123) and SMF Set ID.
func others(in []element) (alternatives []netip.Addr, set string, failed *Fault) {
	for _, e := range in {
		switch e.kind {
		case ie.AlternativeSMFIPAddress:
			fields, err := ie.ParseAlternativeSMFIPAddressFields(e.payload)
			if err != nil {
				return nil, "", short(e)
			}
			for _, ip := range [][]byte{fields.IPv4Address, fields.IPv6Address} {
				if len(ip) > 0 {
					alternatives = append(alternatives, address(ip))
				}
			}
		case ie.SMFSetID:
			set = name(bytes.TrimPrefix(e.payload, []byte{0})) // behind an octet that is spare
		}
	}
	return alternatives, set, nil
}

// ParseNode reads the Node ID of a message with no other IE that is needed: Association Release Request.
func ParseNode(body []byte) (string, *Fault) {
	in, failed := elements(body)
	if failed != nil {
		return "", failed
	}
	return mandatory(in, ie.NodeID, "Node ID", nodeID)
}

// ParseSetup reads an Association Setup Request.
func ParseSetup(body []byte) (Setup, *Fault) {
	var s Setup
	in, failed := elements(body)
	if failed != nil {
		return s, failed
	}
	if s.Node, failed = mandatory(in, ie.NodeID, "Node ID", nodeID); failed != nil {
		return s, failed
	}
	if s.Recovery, failed = mandatory(in, ie.RecoveryTimeStamp, "Recovery Time Stamp", uint32Of); failed != nil {
		return s, failed
	}
	for _, e := range in {
		if e.kind == ie.PFCPSessionRetentionInformation {
			s.Retains = true
			if s.Retention, failed = retention(e); failed != nil {
				return s, failed
			}
		}
	}
	s.Alternatives, s.Set, failed = others(in)
	return s, failed
}

// retention gives the addresses of CP PFCP Entity IP Address (TS 29.244, 8.2.129).
func retention(e element) ([]netip.Addr, *Fault) {
	in, failed := elements(e.payload)
	if failed != nil {
		return nil, failed
	}
	var out []netip.Addr
	for _, e := range in {
		if e.kind != ie.CPPFCPEntityIPAddress {
			continue
		}
		fields, err := ie.ParseCPPFCPEntityIPAddressFields(e.payload)
		if err != nil {
			return nil, short(e)
		}
		for _, ip := range [][]byte{fields.IPv4Address, fields.IPv6Address} {
			if len(ip) > 0 {
				out = append(out, address(ip))
			}
		}
	}
	return out, nil
}

// nodeID reads a Node ID as text (TS 29.244, 8.2.38).
func nodeID(e element) (string, *Fault) {
	kind, failed := uint8Of(e)
	if failed != nil {
		return "", failed
	}
	rest := e.payload[1:]
	switch {
	case kind == ie.NodeIDIPv4Address && len(rest) == 4, kind == ie.NodeIDIPv6Address && len(rest) == 16:
		return address(rest).String(), nil
	case kind == ie.NodeIDFQDN && len(rest) > 0:
		return name(rest), nil
	}
	return "", incorrect(e.kind, "a Node ID of type %d cannot have %d bytes", kind, len(rest))
}

func fseid(e element) (FSEID, *Fault) {
	fields, err := ie.ParseFSEIDFields(e.payload)
	if err != nil {
		return FSEID{}, short(e)
	}
	out := FSEID{SEID: fields.SEID, Address: address(fields.IPv4Address)}
	if !out.Address.IsValid() {
		out.Address = address(fields.IPv6Address)
	}
	return out, nil
}

func snssai(e element) (SNSSAI, *Fault) {
	v, failed := uint32Of(e)
	return SNSSAI{SST: uint8(v >> 24), SD: v & NoSD}, failed
}

func text(e element) (string, *Fault) { return name(e.payload), nil }

// ParseEstablishment reads a Session Establishment Request.
func ParseEstablishment(body []byte, ignore Ignore) (Establishment, *Fault) {
	d := &decoder{ignore: ignore, ignored: Ignored{}}
	out := Establishment{Ignored: d.ignored}
	in, failed := elements(body)
	if failed != nil {
		return out, failed
	}
	if out.Node, failed = mandatory(in, ie.NodeID, "Node ID", nodeID); failed != nil {
		return out, failed
	}
	if out.CP, failed = mandatory(in, ie.FSEID, "CP F-SEID", fseid); failed != nil {
		return out, failed
	}
	if kind := only(in, ie.PDNType); len(kind) > 0 && kind[0]&7 > 3 {
		return out, fault(ie.CauseServiceNotSupported, ie.PDNType, "PDN Type %d is not IP", kind[0]&7)
	}
	for _, e := range in {
		switch e.kind {
		case ie.SNSSAI:
			out.SNSSAI, failed = read(e, snssai)
		case ie.APNDNN:
			out.DNN, failed = text(e)
		}
		if failed != nil {
			return out, failed
		}
	}
	out.Changes, failed = d.changes(in)
	return out, failed
}

// ParseModification reads a Session Modification Request.
func ParseModification(body []byte, ignore Ignore) (Modification, *Fault) {
	d := &decoder{ignore: ignore, ignored: Ignored{}}
	out := Modification{Ignored: d.ignored}
	in, failed := elements(body)
	if failed != nil {
		return out, failed
	}
	for _, e := range in {
		switch e.kind {
		case ie.FSEID:
			out.CP, failed = read(e, fseid)
		case ie.NodeID:
			out.Node, failed = nodeID(e)
		case ie.PFCPSMReqFlags:
			failed = d.flags(e)
		}
		if failed != nil {
			return out, failed
		}
	}
	out.Changes, failed = d.changes(in)
	return out, failed
}

func (d *decoder) flags(e element) *Fault {
	flags, failed := uint8Of(e)
	if failed == nil && flags&queryAllURRs != 0 {
		return d.allow(URR, e.kind, "QAURR in PFCPSMReq-Flags")
	}
	return failed
}

// changes reads all rules of a request.
func (d *decoder) changes(in []element) (Changes, *Fault) {
	var c Changes
	if failed := d.refuse(in, ofSession()); failed != nil {
		return c, failed
	}
	for _, e := range in {
		if failed := d.change(&c, e); failed != nil {
			return c, failed
		}
	}
	return c, nil
}

func (d *decoder) change(c *Changes, e element) *Fault {
	switch e.kind {
	case ie.CreatePDR:
		return add(&c.CreatePDR, e, true, d.pdr)
	case ie.UpdatePDR:
		return add(&c.UpdatePDR, e, false, d.pdr)
	case ie.CreateFAR:
		return add(&c.CreateFAR, e, true, d.far)
	case ie.UpdateFAR:
		return add(&c.UpdateFAR, e, false, d.far)
	case ie.CreateQER:
		return add(&c.CreateQER, e, true, d.qer)
	case ie.UpdateQER:
		return add(&c.UpdateQER, e, false, d.qer)
	case ie.RemovePDR:
		return remove(&c.RemovePDR, e, ie.PDRID, "PDR ID", uint16Of)
	case ie.RemoveFAR:
		return remove(&c.RemoveFAR, e, ie.FARID, "FAR ID", uint32Of)
	case ie.RemoveQER:
		return remove(&c.RemoveQER, e, ie.QERID, "QER ID", uint32Of)
	}
	return nil
}

func add[P any](to *[]P, e element, create bool, with func([]byte, bool) (P, *Fault)) *Fault {
	p, failed := with(e.payload, create)
	*to = append(*to, p)
	return failed
}

func remove[I any](to *[]I, e element, kind uint16, what string, with func(element) (I, *Fault)) *Fault {
	in, failed := elements(e.payload)
	if failed != nil {
		return failed
	}
	id, failed := mandatory(in, kind, what, with)
	*to = append(*to, id)
	return failed
}
