// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"go.fd.io/govpp/binapi/fib"
	"go.fd.io/govpp/binapi/interface_types"
	"go.fd.io/govpp/binapi/ip"
	"go.fd.io/govpp/binapi/ip_neighbor"
	"go.fd.io/govpp/binapi/ip_types"
	"go.fd.io/govpp/binapi/sr"
	"go.fd.io/govpp/binapi/sr_types"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/synthetic"
)

// holdings are the objects that VPP holds of the kinds the agent writes, foreign objects too, from one dump.
type holdings struct {
	tables    map[table]string
	neighbors map[netip.Addr]neighbor
	policies  map[netip.Addr]policy
	steering  map[objectID]steer
	sids      []heldSID
	// fib has the entries that the SRv6 code or the agent made; a route that something better hides has no paths.
	fib map[fibKey]fibEntry
}

// heldSID is a local SID as VPP lists it: without its length, which the FIB has.
type heldSID struct {
	localSID
	counters contract.Counters
}

type fibKey struct {
	table  uint32
	dst    netip.Prefix
	source uint8
}

type fibEntry struct {
	route      route
	best       uint8 // the source whose paths packets follow
	statsIndex uint32
}

// sources are the numbers of the two FIB sources in this VPP, and the names of all.
type sources struct {
	sr, own uint8
	names   map[uint8]string
}

// ownSource is the name of the agent's FIB source, the mark of its routes. Its priority is behind
// interfaces (3) and SRv6 (16), so that SIDs and steering go before routes to the same prefix, and ahead of
// VPP's API and command line (128).
const (
	ownSource         = "sextant"
	ownSourcePriority = 0x40
	srSource          = "SR"
)

// openSources finds the sources, and makes the agent's own if need be.
func (c *conn) openSources() (sources, error) {
	details, err := list[*fib.FibSourceDetails](c, &fib.FibSourceDump{})
	if err != nil {
		return sources{}, err
	}
	s := sources{names: map[uint8]string{}}
	for _, d := range details {
		name := strings.TrimRight(d.Src.Name, "\x00")
		s.names[d.Src.ID] = name
		switch name {
		case srSource:
			s.sr = d.Src.ID
		case ownSource:
			s.own = d.Src.ID
		}
	}
	if s.sr == 0 {
		return s, contract.Errorf(contract.FailedPrecondition, "this VPP (%s) has no SRv6", c.version)
	}
	if s.own != 0 {
		return s, nil
	}
	reply, err := call[*fib.FibSourceAddReply](c, &fib.FibSourceAdd{Src: fib.FibSource{Priority: ownSourcePriority, Name: ownSource}})
	if err == nil && reply.Retval != 0 {
		err = contract.Errorf(contract.Internal, "VPP gives the agent's routes no source (%d)", reply.Retval)
	}
	if err != nil {
		return s, err
	}
	s.own = reply.ID
	return s, nil
}

// dump reads everything. The tables are looked at first: VPP dies of listing a SID whose table is gone.
func (c *conn) dump(s sources) (holdings, error) {
	h := holdings{
		neighbors: map[netip.Addr]neighbor{}, policies: map[netip.Addr]policy{},
		steering: map[objectID]steer{}, fib: map[fibKey]fibEntry{},
	}
	var err error
	if h.tables, err = c.tables(); err != nil {
		return h, err
	}
	for _, read := range []func(*holdings) error{c.dumpNeighbors, c.dumpPolicies, c.dumpSteering, c.dumpSIDs} {
		if err := read(&h); err != nil {
			return h, err
		}
	}
	for t := range h.tables {
		for _, source := range []uint8{s.sr, s.own} {
			if err := c.dumpRoutes(&h, t, source); err != nil {
				return h, err
			}
		}
	}
	return h, nil
}

func (c *conn) dumpNeighbors(h *holdings) error {
	for _, af := range []ip_types.AddressFamily{ip_types.ADDRESS_IP6, ip_types.ADDRESS_IP4} {
		details, err := list[*ip_neighbor.IPNeighborDetails](c, &ip_neighbor.IPNeighborDump{SwIfIndex: interface_types.InterfaceIndex(^uint32(0)), Af: af})
		if err != nil {
			return err
		}
		for _, d := range details {
			addr := addressFrom(d.Neighbor.IPAddress)
			if synthetic.Is(addr) {
				h.neighbors[addr] = neighbor{uint32(d.Neighbor.SwIfIndex), addr, d.Neighbor.MacAddress}
			}
		}
	}
	return nil
}

func (c *conn) dumpPolicies(h *holdings) error {
	details, err := list[*sr.SrPoliciesV2Details](c, &sr.SrPoliciesV2Dump{})
	for _, d := range details {
		p := policy{bsid: netip.AddrFrom16(d.Bsid)}
		if source := netip.AddrFrom16(d.EncapSrc); !source.IsUnspecified() {
			p.source = source
		}
		for _, l := range d.SidLists {
			list := segmentList{weight: l.Weight}
			for _, s := range l.Sids[:min(int(l.NumSids), len(l.Sids))] {
				list.segments = append(list.segments, netip.AddrFrom16(s))
			}
			p.lists = append(p.lists, list)
		}
		slices.SortFunc(p.lists, compareLists)
		h.policies[p.bsid] = p
	}
	return err
}

func (c *conn) dumpSteering(h *holdings) error {
	details, err := list[*sr.SrSteeringPolDetails](c, &sr.SrSteeringPolDump{})
	for _, d := range details {
		dst := prefixFrom(d.Prefix)
		switch d.TrafficType {
		case sr_types.SR_STEER_API_IPV4: // VPP writes every prefix as if it were IPv6, the address first
			dst = netip.PrefixFrom(netip.AddrFrom4([4]byte(d.Prefix.Address.Un.XXX_UnionData[:4])), int(d.Prefix.Len))
		case sr_types.SR_STEER_API_IPV6: // and one whose first twelve bytes are 0, such as ::/0, as if it were IPv4
			if d.Prefix.Address.Af == ip_types.ADDRESS_IP4 {
				dst = netip.PrefixFrom(netip.AddrFrom16([16]byte(append(make([]byte, 12), d.Prefix.Address.Un.XXX_UnionData[:4]...))), int(d.Prefix.Len))
			}
		default:
			continue
		}
		s := steer{d.FibTable, dst, netip.AddrFrom16(d.Bsid)}
		h.steering[s.id()] = s
	}
	return err
}

func (c *conn) dumpSIDs(h *holdings) error {
	details, err := list[*sr.SrLocalsidsWithPacketStatsDetails](c, &sr.SrLocalsidsWithPacketStatsDump{})
	for _, d := range details {
		sid := localSID{
			prefix:   netip.PrefixFrom(netip.AddrFrom16(d.Addr), 128),
			behavior: d.Behavior, psp: d.EndPsp, argument: d.XconnectIfaceOrVrfTable,
		}
		if next := addressFrom(d.XconnectNhAddr); !next.IsUnspecified() {
			sid.nextHop = next
		}
		h.sids = append(h.sids, heldSID{sid, contract.Counters{Packets: d.GoodTrafficPktCount, Bytes: d.GoodTrafficBytes}})
	}
	return err
}

func (c *conn) dumpRoutes(h *holdings, t table, source uint8) error {
	details, err := list[*ip.IPRouteV2Details](c, &ip.IPRouteV2Dump{Src: source, Table: ip.IPTable{TableID: t.number, IsIP6: t.six}})
	for _, d := range details {
		r := route{table: t.number, dst: prefixFrom(d.Route.Prefix)}
		e := fibEntry{best: d.Route.Src, statsIndex: d.Route.StatsIndex}
		for _, p := range d.Route.Paths {
			via := ip_types.Address{Af: ip_types.ADDRESS_IP4, Un: p.Nh.Address}
			if t.six {
				via.Af = ip_types.ADDRESS_IP6
			}
			r.paths = append(r.paths, path{p.SwIfIndex, addressFrom(via), p.Weight})
		}
		slices.SortFunc(r.paths, comparePaths)
		if len(r.paths) == 1 {
			r.paths[0].weight = 1
		}
		e.route = r
		h.fib[fibKey{t.number, r.dst, source}] = e
	}
	return err
}

// differs returns how the objects in VPP differ from the wanted ones, or "".
func (h holdings) differs(wanted []object, s sources) string {
	for _, w := range wanted {
		if text := h.differsOne(w, s); text != "" {
			return text
		}
	}
	return ""
}

func (h holdings) differsOne(wanted object, s sources) string {
	var held object
	found := false
	switch w := wanted.(type) {
	case table:
		_, found = h.tables[w]
		held = w
	case neighbor:
		held, found = h.neighbors[w.addr]
	case policy:
		held, found = h.policies[w.bsid]
		if p := h.policies[w.bsid]; found && !w.source.IsValid() { // the source is VPP's own then
			p.source = w.source
			held = p
		}
	case steer:
		held, found = h.steering[w.id()]
	case localSID:
		held, found = h.sid(w, s)
	case route:
		entry, there := h.fib[fibKey{w.table, w.dst, s.own}]
		if there && entry.best == s.sr {
			return "" // steering or a SID has the same prefix, and VPP shows that one's paths
		}
		if there && entry.best != s.own {
			return hidden(w.dst, entry.best, s)
		}
		held, found = entry.route, there
	}
	switch {
	case !found:
		return fmt.Sprintf("%s is gone", wanted.id())
	case !equal(held, wanted):
		return fmt.Sprintf("%s: wanted %+v, VPP has %+v", wanted.id(), wanted, held)
	}
	if at, ok := placeOf(wanted); ok {
		if entry, there := h.fib[fibKey{at.table, at.dst, s.sr}]; there && entry.best != s.sr {
			return hidden(at.dst, entry.best, s)
		}
	}
	return ""
}

func hidden(dst netip.Prefix, by uint8, s sources) string {
	return fmt.Sprintf("an entry of the source %q has the prefix %s and goes before it", s.names[by], dst)
}

// place is where in the FIB an object is.
type place struct {
	table uint32
	dst   netip.Prefix
}

// placeOf says where in the FIB packets find an object; not all are there.
func placeOf(o object) (place, bool) {
	switch o := o.(type) {
	case steer:
		return place{o.table, o.dst}, true
	case localSID:
		return place{0, o.prefix}, true
	case route:
		return place{o.table, o.dst}, true
	}
	return place{}, false
}

// couldBe reports whether a listed SID may be the wanted one: the list has no lengths.
func (h heldSID) couldBe(w localSID) bool {
	listed := h.localSID
	if listed.prefix.Addr() != w.prefix.Addr() {
		return false
	}
	listed.prefix, listed.blockBits, listed.usidBits = w.prefix, w.blockBits, w.usidBits
	return listed == w
}

// sid finds the listed SID that could be the wanted one, if the FIB has its prefix.
func (h holdings) sid(w localSID, s sources) (object, bool) {
	if _, ok := h.fib[fibKey{0, w.prefix, s.sr}]; !ok {
		return w, false
	}
	var near object = w
	found := false
	for _, held := range h.sids {
		if held.prefix.Addr() != w.prefix.Addr() {
			continue
		}
		if held.couldBe(w) {
			return w, true
		}
		if !found {
			other := held.localSID
			other.prefix = w.prefix
			near, found = other, true
		}
	}
	return near, found
}
