// SPDX-License-Identifier: Apache-2.0

package pfcp

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/wmnsk/go-pfcp/ie"
)

// Flags of SDF Filter (TS 29.244, 8.2.5).
const (
	filterFlow = 1 << iota
	filterTOS
	filterSPI
	filterLabel
	filterID
)

// A Filter is an SDF Filter (TS 29.244, 8.2.5). Without a flow it is the filter of the session that has its ID, in the opposite
// direction (5.2.1A.2A).
type Filter struct {
	Flow *Flow `json:",omitempty"`
	// TOS is the octet of the type of service or traffic class, and its mask.
	TOS *[2]uint8 `json:",omitempty"`
	// SPI of IPsec, and the flow label of IPv6.
	SPI   *uint32 `json:",omitempty"`
	Label *uint32 `json:",omitempty"`
	ID    *uint32 `json:",omitempty"`
}

// A Flow is a flow description: an IPFilterRule (RFC 6733, 4.3.1) within the limits of TS 29.212, 5.4.2, as for downlink packets.
type Flow struct {
	// Protocol is nil for any.
	Protocol *uint8 `json:",omitempty"`
	From, To End
}

// An End is one end of a flow.
type End struct {
	// Prefix is invalid for any address, and for the UE's.
	Prefix netip.Prefix
	// Assigned is the UE, whatever its address.
	Assigned bool `json:",omitempty"`
	// Ports are alternatives; none is any.
	Ports []Ports `json:",omitempty"`
}

// Ports are a range, both ends included.
type Ports struct{ First, Last uint16 }

// Everything reports whether the flow takes all packets to a UE with these prefixes.
func (f Flow) Everything(ue []netip.Prefix) bool {
	toUE := f.To.Assigned || f.To.any()
	for _, p := range ue {
		toUE = toUE || covers(f.To.Prefix, p)
	}
	return f.Protocol == nil && f.From.any() && len(f.From.Ports) == 0 && toUE && len(f.To.Ports) == 0
}

// any reports whether every address is meant.
func (e End) any() bool { return !e.Assigned && (!e.Prefix.IsValid() || e.Prefix.Bits() == 0) }

func covers(outer, inner netip.Prefix) bool {
	return outer.IsValid() && outer.Bits() <= inner.Bits() && outer.Contains(inner.Addr())
}

// String returns the flow as a flow description.
func (f Flow) String() string {
	protocol := "ip"
	if f.Protocol != nil {
		protocol = strconv.Itoa(int(*f.Protocol))
	}
	return fmt.Sprintf("permit out %s from %s to %s", protocol, f.From, f.To)
}

func (e End) String() string {
	out := "any"
	switch {
	case e.Assigned:
		out = "assigned"
	case e.Prefix.IsValid() && e.Prefix.IsSingleIP():
		out = e.Prefix.Addr().String()
	case e.Prefix.IsValid():
		out = e.Prefix.String()
	}
	for i, p := range e.Ports {
		separator := ","
		if i == 0 {
			separator = " "
		}
		out += separator + strconv.Itoa(int(p.First))
		if p.Last != p.First {
			out += "-" + strconv.Itoa(int(p.Last))
		}
	}
	return out
}

// ParseFlow reads a flow description. From IPFilterRule, TS 29.212 leaves out "deny", inverted addresses and options;
// "in" is of no use as descriptions are those of the downlink.
func ParseFlow(text string) (Flow, error) {
	words := strings.Fields(text)
	if len(words) < 3 || words[0] != "permit" || words[1] != "out" {
		return Flow{}, fmt.Errorf("it does not begin with \"permit out\" and a protocol (TS 29.212, 5.4.2)")
	}
	var f Flow
	var err error
	if f.Protocol, err = protocol(words[2]); err != nil {
		return Flow{}, err
	}
	rest := words[3:]
	if f.From, rest, err = end("from", rest); err != nil {
		return Flow{}, err
	}
	if f.To, rest, err = end("to", rest); err != nil {
		return Flow{}, err
	}
	switch {
	case len(rest) > 0:
		return Flow{}, fmt.Errorf("options such as %q are none of a flow description's (TS 29.212, 5.4.2)", rest[0])
	case f.From.Prefix.IsValid() && f.To.Prefix.IsValid() && f.From.Prefix.Addr().Is4() != f.To.Prefix.Addr().Is4():
		return Flow{}, fmt.Errorf("%s and %s are of two families", f.From.Prefix, f.To.Prefix)
	case (len(f.From.Ports) > 0 || len(f.To.Ports) > 0) && f.Protocol != nil && !hasPorts(*f.Protocol):
		return Flow{}, fmt.Errorf("protocol %d has no ports", *f.Protocol)
	}
	return f, nil
}

// protocol reads a number, "ip" for any, or one of the names that SMFs write beside RFC 6733, which has numbers.
func protocol(word string) (*uint8, error) {
	names := map[string]uint8{"icmp": 1, "tcp": 6, "udp": 17, "esp": 50, "ah": 51, "icmpv6": 58, "sctp": 132}
	if word == "ip" {
		return nil, nil
	}
	if n, there := names[word]; there {
		return &n, nil
	}
	n, err := strconv.ParseUint(word, 10, 8)
	if err != nil {
		return nil, fmt.Errorf("%q is no protocol: a number from 0 to 255, or \"ip\"", word)
	}
	v := uint8(n)
	return &v, nil
}

func hasPorts(protocol uint8) bool { return protocol == 6 || protocol == 17 || protocol == 132 }

// end reads "from" or "to", an address, and ports if there are any; it returns the words behind.
func end(keyword string, words []string) (End, []string, error) {
	if len(words) < 2 || words[0] != keyword {
		return End{}, nil, fmt.Errorf("%q and an address are missing", keyword)
	}
	e, err := endAddress(words[1])
	if err != nil {
		return End{}, nil, err
	}
	words = words[2:]
	if len(words) == 0 || words[0] == "" || words[0][0] < '0' || words[0][0] > '9' {
		return e, words, nil
	}
	for _, part := range strings.Split(words[0], ",") {
		p, err := ports(part)
		if err != nil {
			return End{}, nil, err
		}
		e.Ports = append(e.Ports, p)
	}
	return e, words[1:], nil
}

func endAddress(word string) (End, error) {
	switch {
	case word == "any":
		return End{}, nil
	case word == "assigned":
		return End{Assigned: true}, nil
	case strings.HasPrefix(word, "!"):
		return End{}, fmt.Errorf("an inverted address such as %q is none of a flow description's (TS 29.212, 5.4.2)", word)
	}
	if a, err := netip.ParseAddr(word); err == nil && a.Zone() == "" {
		return End{Prefix: netip.PrefixFrom(a, a.BitLen())}, nil
	}
	p, err := netip.ParsePrefix(word)
	if err != nil {
		return End{}, fmt.Errorf("%q is no address, no prefix, and neither \"any\" nor \"assigned\"", word)
	}
	return End{Prefix: p.Masked()}, nil
}

func ports(text string) (Ports, error) {
	first, last, ranged := strings.Cut(text, "-")
	a, err := strconv.ParseUint(first, 10, 16)
	b := a
	if err == nil && ranged {
		b, err = strconv.ParseUint(last, 10, 16)
	}
	if err != nil || b < a {
		return Ports{}, fmt.Errorf("%q is no port and no range of ports", text)
	}
	return Ports{uint16(a), uint16(b)}, nil
}

// filter reads an SDF Filter. A flow description that is not understood is of the class of filters.
func (d *decoder) filter(p *PDI, e element) *Fault {
	flags, failed := uint8Of(e)
	if failed != nil {
		return failed
	}
	if flags&(filterFlow|filterTOS|filterSPI|filterLabel|filterID) == 0 {
		return nil // it says nothing
	}
	if len(e.payload) < 2 {
		return short(e)
	}
	var f Filter
	left := octets{of: e, rest: e.payload[2:]}
	description := ""
	if flags&filterFlow != 0 {
		description = string(left.take(int(binary.BigEndian.Uint16(left.take(2)))))
	}
	if flags&filterTOS != 0 {
		f.TOS = (*[2]uint8)(append([]byte(nil), left.take(2)...))
	}
	if flags&filterSPI != 0 {
		f.SPI = number(left.take(4))
	}
	if flags&filterLabel != 0 {
		f.Label = number(append([]byte{0}, left.take(3)...))
	}
	if flags&filterID != 0 {
		f.ID = number(left.take(4))
	}
	if left.failed != nil {
		return left.failed
	}
	if flags&filterFlow != 0 {
		flow, err := ParseFlow(description)
		if err != nil {
			p.Filtered = true
			return d.allow(SDFFilters, ie.SDFFilter, fmt.Sprintf("the flow description %.200q (%v)", description, err))
		}
		f.Flow = &flow
	}
	p.Filters = append(p.Filters, f)
	return nil
}

func number(b []byte) *uint32 {
	v := binary.BigEndian.Uint32(b)
	return &v
}
