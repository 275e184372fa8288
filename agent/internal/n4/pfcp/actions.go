// SPDX-License-Identifier: Apache-2.0

package pfcp

import (
	"encoding/binary"
	"net"

	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/fabric"
)

// Flags of Apply Action (TS 29.244, 8.2.26).
const (
	actionDrop = 1 << iota
	actionForward
	actionBuffer
	actionNotify
)

// Flags of PFCPSMReq-Flags (TS 29.244, 8.2.34).
const (
	dropBuffered = 1 << iota // nothing is buffered, so nothing is to be dropped
	sendEndMarker
	queryAllURRs
)

// far reads Create FAR or Update FAR.
func (d *decoder) far(b []byte, create bool) (FARPatch, *Fault) {
	var p FARPatch
	in, failed := elements(b)
	if failed != nil {
		return p, failed
	}
	if p.ID, failed = mandatory(in, ie.FARID, "FAR ID", uint32Of); failed != nil {
		return p, failed
	}
	if failed = d.refuse(in, ofFAR()); failed == nil {
		failed = d.farFields(&p, in)
	}
	if failed == nil && create {
		failed = p.whole(in)
	}
	return p, failed.in(KindFAR, p.ID)
}

func (p FARPatch) whole(in []element) *Fault {
	switch {
	case p.Forwards == nil:
		return missing(ie.ApplyAction, "Apply Action")
	case *p.Forwards && !has(in, ie.ForwardingParameters):
		return fault(ie.CauseConditionalIEMissing, ie.ForwardingParameters, "Forwarding Parameters are missing")
	}
	return nil
}

func (d *decoder) farFields(p *FARPatch, in []element) *Fault {
	for _, e := range in {
		var failed *Fault
		switch e.kind {
		case ie.ApplyAction:
			p.Forwards, failed = read(e, d.applyAction)
		case ie.ForwardingParameters, ie.UpdateForwardingParameters:
			failed = d.forwarding(p, e)
		}
		if failed != nil {
			return failed
		}
	}
	return nil
}

// applyAction says whether packets are forwarded. One action of DROP, FORW, BUFF is set; NOCP goes with BUFF.
func (d *decoder) applyAction(e element) (bool, *Fault) {
	flags, failed := uint8Of(e)
	if failed != nil {
		return false, failed
	}
	switch {
	case flags&(actionBuffer|actionNotify) != 0:
		if failed := d.allow(Buffering, e.kind, "BUFF and NOCP in Apply Action"); failed != nil {
			return false, failed
		}
		return false, nil
	case flags == actionDrop:
		return false, nil
	case flags == actionForward:
		return true, nil
	}
	return false, fault(ie.CauseServiceNotSupported, e.kind, "Apply Action %#x is not supported", flags)
}

func (d *decoder) forwarding(p *FARPatch, e element) *Fault {
	in, failed := elements(e.payload)
	if failed != nil {
		return failed
	}
	if failed := d.refuse(in, ofForwarding()); failed != nil {
		return failed
	}
	if e.kind == ie.ForwardingParameters && !has(in, ie.DestinationInterface) {
		return missing(ie.DestinationInterface, "Destination Interface")
	}
	for _, e := range in {
		switch e.kind {
		case ie.DestinationInterface:
			p.Destination, failed = read(e, destination)
		case ie.OuterHeaderCreation:
			p.Tunnel, failed = read(e, outerHeaderCreation)
		case ie.PFCPSMReqFlags:
			p.EndMarker, failed = endMarker(e)
		}
		if failed != nil {
			return failed
		}
	}
	return nil
}

func destination(e element) (uint8, *Fault) {
	v, failed := uint8Of(e)
	return v & 0xf, failed
}

func endMarker(e element) (bool, *Fault) {
	flags, failed := uint8Of(e)
	return flags&sendEndMarker != 0, failed
}

// outerHeaderCreation takes GTP-U over IPv4 or IPv6 (TS 29.244, 8.2.56). Endpoint 0.0.0.0 or TEID 0 says that the gNB's end is
// not known yet. It is read here, as go-pfcp 0.0.24 panics at tags of three bytes.
func outerHeaderCreation(e element) (*fabric.Tunnel, *Fault) {
	const gtp4, gtp6 = 0x0100, 0x0200
	description, failed := uint16Of(e)
	if failed != nil {
		return nil, failed
	}
	if description&(gtp4|gtp6) == 0 || description&^(gtp4|gtp6) != 0 {
		return nil, fault(ie.CauseServiceNotSupported, e.kind, "Outer Header Creation %#04x is not GTP-U over IPv4 or IPv6", description)
	}
	size, rest := net.IPv6len, e.payload[2:]
	if description&gtp4 != 0 { // of both, IPv4
		size = net.IPv4len
	}
	if len(rest) < 4+size {
		return nil, short(e)
	}
	t := fabric.Tunnel{TEID: binary.BigEndian.Uint32(rest), Endpoint: address(rest[4 : 4+size])}
	if t.TEID == 0 || t.Endpoint.IsUnspecified() {
		return nil, nil
	}
	return &t, nil
}

// qer reads Create QER or Update QER.
func (d *decoder) qer(b []byte, create bool) (QERPatch, *Fault) {
	var p QERPatch
	in, failed := elements(b)
	if failed != nil {
		return p, failed
	}
	if p.ID, failed = mandatory(in, ie.QERID, "QER ID", uint32Of); failed != nil {
		return p, failed
	}
	if failed = d.refuse(in, ofQER()); failed == nil {
		failed = p.fields(in)
	}
	if failed == nil && create && p.ULClosed == nil {
		failed = missing(ie.GateStatus, "Gate Status")
	}
	return p, failed.in(KindQER, p.ID)
}

func (p *QERPatch) fields(in []element) *Fault {
	for _, e := range in {
		v, failed := uint8(0), (*Fault)(nil)
		switch e.kind {
		case ie.QFI, ie.RQI, ie.GateStatus:
			v, failed = uint8Of(e)
		}
		if failed != nil {
			return failed
		}
		switch e.kind {
		case ie.QFI:
			if v > 63 {
				return incorrect(e.kind, "QFI %d is more than 63", v)
			}
			p.QFI = &v
		case ie.RQI:
			set := v&1 != 0
			p.RQI = &set
		case ie.GateStatus: // DL in bits 1 and 2, UL in 3 and 4; 0 is open
			dl, ul := v&3 != 0, v>>2&3 != 0
			p.DLClosed, p.ULClosed = &dl, &ul
		}
	}
	return nil
}
