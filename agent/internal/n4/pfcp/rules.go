// SPDX-License-Identifier: Apache-2.0

package pfcp

import (
	"net"
	"net/netip"
	"strings"

	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/fabric"
)

// Interfaces that packets come from and go to (TS 29.244, 8.2.2 and 8.2.24).
const (
	Access uint8 = iota
	Core
	SGiLAN
	CPFunction3GPP
)

// An FTEID is the tunnel by which packets come, or the wish that one be chosen.
type FTEID struct {
	fabric.Tunnel
	// Choose asks the user plane for a tunnel, over IPv4 or IPv6 or whichever of both; rules of one session with the same
	// ChooseID get the same one (TS 29.244, 8.2.3). A tunnel that was chosen keeps its ChooseID.
	Choose, IPv4, IPv6 bool
	HasChooseID        bool
	ChooseID           uint8
}

// A UEAddress is where a UE's packets come from and go to.
type UEAddress struct {
	Prefixes               []netip.Prefix
	ChooseIPv4, ChooseIPv6 bool
}

// A PDI says which packets a rule is about.
type PDI struct {
	Source          uint8
	FTEID           *FTEID
	UE              UEAddress
	NetworkInstance string
	// Filters take a part of the UE's packets, each by itself; none: all of them.
	Filters []Filter `json:",omitempty"`
	// QFIs are those of the packets, none: any.
	QFIs []uint8 `json:",omitempty"`
	// Filtered: it is about a part of the UE's packets that is not described, an application's.
	Filtered bool
}

// A PDR is a packet detection rule.
type PDR struct {
	ID         uint16
	Precedence uint32
	PDI        PDI
	// RemovesHeader: GTP-U is taken off.
	RemovesHeader bool
	FAR           uint32
	QERs          []uint32
}

// A FAR is a forwarding action rule.
type FAR struct {
	ID       uint32
	Forwards bool
	// Destination is an interface; of a FAR that does not forward it says nothing.
	Destination uint8
	// Tunnel is where GTP-U goes to, nil: none is made, or not known yet.
	Tunnel *fabric.Tunnel
}

// A QER is a QoS enforcement rule, of which the fabric writes QFI and RQI, and shuts gates.
type QER struct {
	ID                 uint32
	QFI                *uint8
	RQI                bool
	ULClosed, DLClosed bool
}

// A PDRPatch creates a PDR (all there is) or updates one (the fields that are not nil).
type PDRPatch struct {
	ID            uint16
	Precedence    *uint32
	PDI           *PDI
	RemovesHeader *bool
	FAR           *uint32
	QERs          *[]uint32
}

// Apply gives the rule with the patch.
func (p PDRPatch) Apply(to PDR) PDR {
	to.ID = p.ID
	set(&to.Precedence, p.Precedence)
	set(&to.PDI, p.PDI)
	set(&to.RemovesHeader, p.RemovesHeader)
	set(&to.FAR, p.FAR)
	set(&to.QERs, p.QERs)
	return to
}

// A FARPatch is the same for a FAR.
type FARPatch struct {
	ID          uint32
	Forwards    *bool
	Destination *uint8
	Tunnel      **fabric.Tunnel
	// EndMarker: an End Marker is to be sent to the tunnel that it had.
	EndMarker bool
}

// Apply gives the rule with the patch.
func (p FARPatch) Apply(to FAR) FAR {
	to.ID = p.ID
	set(&to.Forwards, p.Forwards)
	set(&to.Destination, p.Destination)
	set(&to.Tunnel, p.Tunnel)
	return to
}

// A QERPatch is the same for a QER.
type QERPatch struct {
	ID                 uint32
	QFI                *uint8
	RQI                *bool
	ULClosed, DLClosed *bool
}

// Apply gives the rule with the patch.
func (p QERPatch) Apply(to QER) QER {
	to.ID = p.ID
	if p.QFI != nil {
		to.QFI = p.QFI
	}
	set(&to.RQI, p.RQI)
	set(&to.ULClosed, p.ULClosed)
	set(&to.DLClosed, p.DLClosed)
	return to
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// pdr reads Create PDR or Update PDR.
func (d *decoder) pdr(b []byte, create bool) (PDRPatch, *Fault) {
	var p PDRPatch
	in, failed := elements(b)
	if failed != nil {
		return p, failed
	}
	if p.ID, failed = mandatory(in, ie.PDRID, "PDR ID", uint16Of); failed != nil {
		return p, failed
	}
	if failed = d.refuse(in, ofPDR()); failed == nil {
		failed = d.pdrFields(&p, in)
	}
	if failed == nil && create {
		failed = p.whole()
	}
	return p, failed.in(KindPDR, uint32(p.ID))
}

// whole returns the missing parts of a new rule (TS 29.244, table 7.5.2.2-1). Without MARs it must have a FAR.
func (p PDRPatch) whole() *Fault {
	switch {
	case p.Precedence == nil:
		return missing(ie.Precedence, "Precedence")
	case p.PDI == nil:
		return missing(ie.PDI, "PDI")
	case p.FAR == nil:
		return fault(ie.CauseConditionalIEMissing, ie.FARID, "FAR ID is missing")
	}
	return nil
}

func (d *decoder) pdrFields(p *PDRPatch, in []element) *Fault {
	var qers []uint32
	for _, e := range in {
		var failed *Fault
		switch e.kind {
		case ie.Precedence:
			p.Precedence, failed = read(e, uint32Of)
		case ie.FARID:
			p.FAR, failed = read(e, uint32Of)
		case ie.PDI:
			p.PDI, failed = read(e, d.pdi)
		case ie.OuterHeaderRemoval:
			p.RemovesHeader, failed = read(e, outerHeaderRemoval)
		case ie.QERID:
			var id uint32
			id, failed = uint32Of(e)
			qers = append(qers, id)
			p.QERs = &qers
		}
		if failed != nil {
			return failed
		}
	}
	return nil
}

// outerHeaderRemoval takes GTP-U over IPv4, IPv6, or either (TS 29.244, table 8.2.64-1).
func outerHeaderRemoval(e element) (bool, *Fault) {
	description, failed := uint8Of(e)
	if failed != nil {
		return false, failed
	}
	if description != 0 && description != 1 && description != 6 {
		return false, fault(ie.CauseServiceNotSupported, e.kind, "Outer Header Removal %d is not GTP-U", description)
	}
	return true, nil
}

func (d *decoder) pdi(e element) (PDI, *Fault) {
	in, failed := elements(e.payload)
	if failed != nil {
		return PDI{}, failed
	}
	if failed := d.refuse(in, ofPDI()); failed != nil {
		return PDI{}, failed
	}
	var p PDI
	if p.Source, failed = mandatory(in, ie.SourceInterface, "Source Interface", uint8Of); failed != nil {
		return PDI{}, failed
	}
	p.Source &= 0xf
	p.Filtered = has(in, ie.ApplicationID)
	for _, e := range in {
		switch e.kind {
		case ie.FTEID:
			p.FTEID, failed = read(e, fteid)
		case ie.UEIPAddress:
			failed = p.UE.add(e)
		case ie.NetworkInstance:
			p.NetworkInstance = name(e.payload)
		case ie.SDFFilter:
			failed = d.filter(&p, e)
		case ie.QFI:
			var qfi uint8
			qfi, failed = uint8Of(e)
			p.QFIs = append(p.QFIs, qfi&0x3f)
		}
		if failed != nil {
			return PDI{}, failed
		}
	}
	return p, nil
}

func fteid(e element) (FTEID, *Fault) {
	fields, err := ie.ParseFTEIDFields(e.payload)
	if err != nil {
		return FTEID{}, short(e)
	}
	f := FTEID{Choose: fields.HasCh(), IPv4: fields.HasIPv4(), IPv6: fields.HasIPv6(), HasChooseID: fields.HasCh() && fields.HasChID(), ChooseID: fields.ChooseID}
	switch {
	case f.Choose:
		return f, nil
	case f.IPv4:
		f.Endpoint = address(fields.IPv4Address)
	case f.IPv6:
		f.Endpoint = address(fields.IPv6Address)
	}
	f.TEID = fields.TEID
	if !f.Endpoint.IsValid() || f.Endpoint.IsUnspecified() || f.TEID == 0 {
		return FTEID{}, incorrect(e.kind, "F-TEID %d at %v is no tunnel", f.TEID, f.Endpoint)
	}
	return f, nil
}

func address(ip net.IP) netip.Addr {
	a, _ := netip.AddrFromSlice(ip)
	return a.Unmap()
}

// Flags of UE IP Address (TS 29.244, 8.2.62).
const (
	ueV6 = 1 << iota
	ueV4
	_
	ueDelegation
	ueChooseV4
	ueChooseV6
	uePrefixLength
)

// add reads one UE IP Address. IPv6 is a /64, as TS 23.401 has it, unless IP6PL or delegated bits say otherwise.
func (u *UEAddress) add(e element) *Fault {
	flags, failed := uint8Of(e)
	if failed != nil {
		return failed
	}
	left := octets{of: e, rest: e.payload[1:]}
	u.ChooseIPv4 = u.ChooseIPv4 || flags&ueChooseV4 != 0
	u.ChooseIPv6 = u.ChooseIPv6 || flags&ueChooseV6 != 0
	if flags&ueV4 != 0 && flags&ueChooseV4 == 0 {
		u.Prefixes = append(u.Prefixes, netip.PrefixFrom(netip.AddrFrom4([4]byte(left.take(4))), 32))
	}
	if flags&ueV6 != 0 && flags&ueChooseV6 == 0 {
		a, bits := netip.AddrFrom16([16]byte(left.take(16))), 64
		if flags&ueDelegation != 0 {
			bits -= int(left.take(1)[0])
		}
		if flags&uePrefixLength != 0 {
			bits = int(left.take(1)[0])
		}
		p, err := a.Prefix(bits)
		if err != nil {
			return incorrect(e.kind, "a UE cannot have %v with %d bits", a, bits)
		}
		u.Prefixes = append(u.Prefixes, p)
	}
	return left.failed
}

// name reads an APN, DNN or Network Instance: labels as in DNS, with or without the empty one of the root, or text as it is. Names of
// DNNs know no case.
func name(b []byte) string {
	var labels []string
	for rest := b; len(rest) > 0; {
		size := int(rest[0])
		if size == 0 && len(rest) == 1 && len(labels) > 0 {
			break
		}
		if size == 0 || size > len(rest)-1 {
			return strings.ToLower(string(b))
		}
		labels = append(labels, string(rest[1:1+size]))
		rest = rest[1+size:]
	}
	return strings.ToLower(strings.Join(labels, "."))
}

// read gives a pointer, so that a patch can say that something was there.
func read[T any](e element, with func(element) (T, *Fault)) (*T, *Fault) {
	v, failed := with(e)
	if failed != nil {
		return nil, failed
	}
	return &v, nil
}

func mandatory[T any](in []element, kind uint16, what string, with func(element) (T, *Fault)) (T, *Fault) {
	for _, e := range in {
		if e.kind == kind {
			return with(e)
		}
	}
	var none T
	return none, missing(kind, what)
}
