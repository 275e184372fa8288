// SPDX-License-Identifier: Apache-2.0

package rtnl

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// A Route is one unicast route of a table. Table, Dst and Metric identify it; the metric of an IPv6
// route is at least 1, as the kernel reads 0 as 1024.
type Route struct {
	Table    uint32
	Dst      netip.Prefix
	Metric   uint32
	Protocol uint8
	// Scope is 0 (universe) in all routes of the agent; foreign IPv4 ones may differ.
	Scope uint8
	// Type is RTN_UNICAST in the agent's routes, but for those that drop; foreign ones may differ.
	Type uint8
	Hops []Hop
}

// Hop is where a route leads. Weight is 1 to 256 among several hops and 1 for a single one.
type Hop struct {
	Dev    int
	Via    netip.Addr // optional; OnLink says that it is on the link whatever the routes say
	OnLink bool
	Weight int
	Encap  Encap // optional
	// Dead is set by reading: the kernel has taken the hop out because its device is down.
	Dead bool
}

// String is canonical; Dead is left out, as it is no part of a request.
func (h Hop) String() string {
	s := fmt.Sprintf("dev %d", h.Dev)
	if h.Via.IsValid() {
		s = fmt.Sprintf("via %s %s", h.Via, s)
	}
	if h.OnLink {
		s += " onlink"
	}
	if h.Encap != nil {
		s = h.Encap.String() + " " + s
	}
	return fmt.Sprintf("%s weight %d", s, h.Weight)
}

func (r Route) String() string {
	hops := make([]string, len(r.Hops))
	for i, h := range r.Hops {
		hops[i] = h.String()
	}
	return fmt.Sprintf("%s table %d metric %d proto %d scope %d type %d [%s]",
		r.Dst, r.Table, r.Metric, r.Protocol, r.Scope, r.Type, strings.Join(hops, "; "))
}

// Diff says how two routes differ, or "" when they do not. The order of hops does not count.
func Diff(want, got Route) string {
	if same(want, got) {
		return ""
	}
	var diffs []string
	note := func(what string, want, got any) {
		if want != got {
			diffs = append(diffs, fmt.Sprintf("%s: want %v, kernel has %v", what, want, got))
		}
	}
	note("table", want.Table, got.Table)
	note("destination", want.Dst, got.Dst)
	note("metric", want.Metric, got.Metric)
	note("protocol", want.Protocol, got.Protocol)
	note("scope", want.Scope, got.Scope)
	note("type", want.Type, got.Type)
	if wanted, got := sortedHops(want.Hops), sortedHops(got.Hops); !slices.EqualFunc(wanted, got, sameHop) {
		diffs = append(diffs, fmt.Sprintf("hops: want %s, kernel has %s", text(wanted), text(got)))
	}
	return strings.Join(diffs, "; ")
}

// same is the fast way to find nothing: equal, and the hops in the same order. The Encap types that
// are read by the thousand are compared without writing them out.
func same(a, b Route) bool {
	return a.Table == b.Table && a.Dst == b.Dst && a.Metric == b.Metric && a.Protocol == b.Protocol &&
		a.Scope == b.Scope && a.Type == b.Type && slices.EqualFunc(a.Hops, b.Hops, sameHop)
}

func sameHop(a, b Hop) bool {
	if a.Dev != b.Dev || a.Via != b.Via || a.OnLink != b.OnLink || a.Weight != b.Weight {
		return false
	}
	switch x := a.Encap.(type) {
	case nil:
		return b.Encap == nil
	case Seg6:
		y, ok := b.Encap.(Seg6)
		return ok && x.Mode == y.Mode && slices.Equal(x.Segments, y.Segments)
	case Seg6Local:
		y, ok := b.Encap.(Seg6Local)
		x.Counters, y.Counters = Counters{}, Counters{}
		return ok && x == y
	}
	return false
}

func sortedHops(hops []Hop) []Hop {
	return slices.SortedFunc(slices.Values(hops), func(a, b Hop) int { return strings.Compare(a.String(), b.String()) })
}

func text(hops []Hop) string {
	lines := make([]string, len(hops))
	for i, h := range hops {
		lines[i] = h.String()
	}
	return strings.Join(lines, " | ")
}

const (
	rtmsgBytes = 12
	rtnhBytes  = 8
)

func family(a netip.Addr) byte {
	if a.Is4() {
		return unix.AF_INET
	}
	return unix.AF_INET6
}

// marshal writes struct rtmsg and its attributes.
func (r Route) marshal() ([]byte, error) {
	msg := make([]byte, rtmsgBytes)
	msg[0], msg[1] = family(r.Dst.Addr()), byte(r.Dst.Bits())
	msg[4], msg[5], msg[6], msg[7] = unix.RT_TABLE_UNSPEC, r.Protocol, r.Scope, r.Type
	ae := netlink.NewAttributeEncoder()
	ae.Uint32(rtaTable, r.Table)
	if r.Dst.Bits() > 0 {
		ae.Bytes(rtaDst, r.Dst.Addr().AsSlice())
	}
	if r.Metric != 0 {
		ae.Uint32(rtaPriority, r.Metric)
	}
	switch len(r.Hops) {
	case 0:
	case 1:
		if r.Hops[0].OnLink {
			binary.NativeEndian.PutUint32(msg[8:], rtnhOnLink)
		}
		ae.Uint32(rtaOIF, uint32(r.Hops[0].Dev))
		if err := r.Hops[0].encode(ae); err != nil {
			return nil, err
		}
	default:
		b, err := marshalHops(r.Hops)
		if err != nil {
			return nil, err
		}
		ae.Bytes(rtaMultipath, b)
	}
	attrs, err := ae.Encode()
	if err != nil {
		return nil, fmt.Errorf("encode route %s: %w", r.Dst, err)
	}
	return append(msg, attrs...), nil
}

func (h Hop) encode(ae *netlink.AttributeEncoder) error {
	if h.Via.IsValid() {
		ae.Bytes(rtaGateway, h.Via.AsSlice())
	}
	if h.Encap == nil {
		return nil
	}
	nested := netlink.NewAttributeEncoder()
	if err := h.Encap.encode(nested); err != nil {
		return err
	}
	b, err := nested.Encode()
	if err != nil {
		return fmt.Errorf("encode %s: %w", h.Encap, err)
	}
	ae.Uint16(rtaEncapType, h.Encap.kind())
	ae.Bytes(rtaEncap|netlink.Nested, b)
	return nil
}

// marshalHops writes a struct rtnexthop per hop, each followed by its attributes.
func marshalHops(hops []Hop) ([]byte, error) {
	var out []byte
	for _, h := range hops {
		if h.Weight < 1 || h.Weight > 256 {
			return nil, fmt.Errorf("a weight is 1 to 256, not %d", h.Weight)
		}
		ae := netlink.NewAttributeEncoder()
		if err := h.encode(ae); err != nil {
			return nil, err
		}
		attrs, err := ae.Encode()
		if err != nil {
			return nil, fmt.Errorf("encode hop %s: %w", h, err)
		}
		if rtnhBytes+len(attrs) > 0xffff {
			return nil, fmt.Errorf("hop %s does not fit into a message", h)
		}
		out = binary.NativeEndian.AppendUint16(out, uint16(rtnhBytes+len(attrs)))
		flags := byte(0)
		if h.OnLink {
			flags = rtnhOnLink
		}
		out = append(out, flags, byte(h.Weight-1))
		out = binary.NativeEndian.AppendUint32(out, uint32(h.Dev))
		out = append(out, attrs...)
	}
	if len(out) > 0xffff-4 {
		return nil, fmt.Errorf("%d hops with their segment lists need %d bytes, a netlink attribute holds 65531", len(hops), len(out))
	}
	return out, nil
}

// unmarshalRoute reads the attributes that marshal writes, and those that the kernel adds.
func unmarshalRoute(b []byte) (Route, error) {
	if len(b) < rtmsgBytes {
		return Route{}, fmt.Errorf("decode route: %d bytes are no rtmsg", len(b))
	}
	r := Route{Table: uint32(b[4]), Protocol: b[5], Scope: b[6], Type: b[7]}
	if b[0] != unix.AF_INET && b[0] != unix.AF_INET6 {
		return Route{}, fmt.Errorf("decode route: family %d is not IP", b[0])
	}
	dst, single := unspecified(b[0]), Hop{Weight: 1}
	single.setFlags(binary.NativeEndian.Uint32(b[8:]))
	ad, err := netlink.NewAttributeDecoder(b[rtmsgBytes:])
	if err != nil {
		return Route{}, fmt.Errorf("decode route attributes: %w", err)
	}
	var attrs hopAttrs
	for ad.Next() {
		switch ad.Type() {
		case rtaTable:
			r.Table = ad.Uint32()
		case rtaPriority:
			r.Metric = ad.Uint32()
		case rtaDst:
			dst, err = addrOf(ad.Bytes(), len(dst.AsSlice()))
		case rtaOIF:
			single.Dev = int(ad.Uint32())
		case rtaMultipath:
			r.Hops, err = unmarshalHops(ad.Bytes())
		default:
			err = attrs.read(ad)
		}
		if err != nil {
			return Route{}, fmt.Errorf("decode route: %w", err)
		}
	}
	if err := ad.Err(); err != nil {
		return Route{}, fmt.Errorf("decode route: %w", err)
	}
	if r.Dst = netip.PrefixFrom(dst, int(b[1])).Masked(); !r.Dst.IsValid() {
		return Route{}, fmt.Errorf("decode route: length %d does not fit %s", b[1], dst)
	}
	if r.Hops == nil && single.Dev != 0 {
		if err := attrs.fill(&single); err != nil {
			return Route{}, fmt.Errorf("decode route %s: %w", r.Dst, err)
		}
		r.Hops = []Hop{single}
	}
	return r, nil
}

func unspecified(family byte) netip.Addr {
	if family == unix.AF_INET {
		return netip.IPv4Unspecified()
	}
	return netip.IPv6Unspecified()
}

func (h *Hop) setFlags(flags uint32) {
	h.OnLink, h.Dead = flags&rtnhOnLink != 0, flags&rtnhDead != 0
}

func unmarshalHops(b []byte) ([]Hop, error) {
	var hops []Hop
	for len(b) > 0 {
		if len(b) < rtnhBytes {
			return nil, fmt.Errorf("%d bytes are no rtnexthop", len(b))
		}
		size := int(binary.NativeEndian.Uint16(b))
		if size < rtnhBytes || size > len(b) {
			return nil, fmt.Errorf("rtnexthop of %d bytes in %d", size, len(b))
		}
		h := Hop{Weight: int(b[3]) + 1, Dev: int(int32(binary.NativeEndian.Uint32(b[4:])))}
		h.setFlags(uint32(b[2]))
		ad, err := netlink.NewAttributeDecoder(b[rtnhBytes:size])
		if err != nil {
			return nil, fmt.Errorf("hop attributes: %w", err)
		}
		var attrs hopAttrs
		for ad.Next() {
			if err := attrs.read(ad); err != nil {
				return nil, err
			}
		}
		if err := ad.Err(); err != nil {
			return nil, err
		}
		if err := attrs.fill(&h); err != nil {
			return nil, err
		}
		hops = append(hops, h)
		b = b[min((size+3)&^3, len(b)):]
	}
	return hops, nil
}

// hopAttrs collects the attributes of a hop, as the type of an encapsulation may follow its data.
type hopAttrs struct {
	via   netip.Addr
	kind  uint16
	encap []byte
}

func (a *hopAttrs) read(ad *netlink.AttributeDecoder) (err error) {
	switch ad.Type() {
	case rtaGateway:
		a.via, err = addrOf(ad.Bytes(), len(ad.Bytes()))
	case rtaVia: // struct rtvia: the family, then a gateway of another family than the route's
		if b := ad.Bytes(); len(b) > 2 {
			a.via, err = addrOf(b[2:], len(b)-2)
		}
	case rtaEncapType:
		a.kind = ad.Uint16()
	case rtaEncap:
		a.encap = ad.Bytes()
	}
	return err
}

func (a *hopAttrs) fill(h *Hop) (err error) {
	h.Via = a.via
	if a.encap != nil {
		h.Encap, err = decodeEncap(a.kind, a.encap)
	}
	return err
}
