// SPDX-License-Identifier: Apache-2.0

package upf

import (
	"encoding/binary"
	"math/bits"
	"net/netip"
	"slices"

	"github.com/wmnsk/go-pfcp/ie"

	"sextant/agent/internal/n4/fabric"
	"sextant/agent/internal/n4/pfcp"
)

// chooser chooses tunnels and addresses for one request. Its choice is the session's once the request is accepted, or
// is free again; numbers only go up, so that the packets of a session that is gone do not reach the next one.
type chooser struct {
	m       *Machine
	slice   fabric.Slice
	rules   Rules // that there are; the choices for them stay
	byID    map[uint8]fabric.Tunnel
	ue      []netip.Prefix
	created []pfcp.Created
}

// newChooser knows the tunnels that were chosen for the session before, as a CHOOSE ID is the session's (TS 29.244,
// 8.2.3). Rules that the request removes have none any more.
func newChooser(m *Machine, slice fabric.Slice, r Rules, changes pfcp.Changes) *chooser {
	c := &chooser{m: m, slice: slice, rules: r, byID: map[uint8]fabric.Tunnel{}}
	for id, p := range r.PDRs {
		if f := p.PDI.FTEID; f != nil && f.HasChooseID && !slices.Contains(changes.RemovePDR, id) {
			c.byID[f.ChooseID] = f.Tunnel
		}
	}
	return c
}

// create fills in the fields that new PDRs leave to the user plane.
func (c *chooser) create(patches []pfcp.PDRPatch) ([]pfcp.PDRPatch, *pfcp.Fault) {
	out := append([]pfcp.PDRPatch(nil), patches...)
	for i := range out {
		if out[i].PDI == nil {
			continue
		}
		pdi := *out[i].PDI
		c.keep(&pdi, c.rules.PDRs[out[i].ID].PDI)
		made := pfcp.Created{PDR: out[i].ID}
		if pdi.FTEID != nil && pdi.FTEID.Choose {
			t, f := c.tunnel(*pdi.FTEID)
			if f != nil {
				f.Rule = &pfcp.Rule{Kind: pfcp.KindPDR, ID: uint32(out[i].ID)}
				return nil, f
			}
			pdi.FTEID, made.Tunnel = &pfcp.FTEID{Tunnel: t, HasChooseID: pdi.FTEID.HasChooseID, ChooseID: pdi.FTEID.ChooseID}, &t
		}
		if pdi.UE.ChooseIPv4 || pdi.UE.ChooseIPv6 {
			prefixes, f := c.address(pdi.UE)
			if f != nil {
				return nil, f
			}
			pdi.UE.Prefixes = append(pdi.UE.Prefixes[:len(pdi.UE.Prefixes):len(pdi.UE.Prefixes)], prefixes...)
			pdi.UE.ChooseIPv4, pdi.UE.ChooseIPv6 = false, false
			made.UE = prefixes
		}
		if made.Tunnel != nil || made.UE != nil {
			c.created = append(c.created, made)
		}
		out[i].PDI = &pdi
	}
	return out, nil
}

// keep leaves an updated rule its choices.
func (c *chooser) keep(pdi *pfcp.PDI, old pfcp.PDI) {
	if pdi.FTEID != nil && pdi.FTEID.Choose && old.FTEID != nil {
		pdi.FTEID = old.FTEID
	}
	if (pdi.UE.ChooseIPv4 || pdi.UE.ChooseIPv6) && len(old.UE.Prefixes) > 0 {
		pdi.UE = old.UE
	}
}

func (c *chooser) tunnel(f pfcp.FTEID) (fabric.Tunnel, *pfcp.Fault) {
	if t, there := c.byID[f.ChooseID]; there && f.HasChooseID {
		if f.IPv4 && t.Endpoint.Is4() || f.IPv6 && t.Endpoint.Is6() {
			return t, nil
		}
		return fabric.Tunnel{}, refuse(ie.CauseInvalidFTEIDAllocationOption, ie.FTEID,
			"the tunnel of CHOOSE ID %d is at %s, and a rule asks for it in the other family", f.ChooseID, t.Endpoint)
	}
	endpoint, found := c.endpoint(f)
	if !found {
		return fabric.Tunnel{}, refuse(ie.CauseInvalidFTEIDAllocationOption, ie.FTEID,
			"there is no N3 address of the family that is to be chosen: --n3, or an address in core.upfs of slice %s", c.slice.Name)
	}
	t := fabric.Tunnel{Endpoint: endpoint, TEID: c.m.nextTEID}
	for len(c.m.tunnels[t]) > 0 || t.TEID == 0 {
		t.TEID++
	}
	c.m.nextTEID = t.TEID + 1
	if f.HasChooseID {
		c.byID[f.ChooseID] = t
	}
	return t, nil
}

func (c *chooser) endpoint(f pfcp.FTEID) (netip.Addr, bool) {
	candidates := c.m.N3
	if len(candidates) == 0 {
		candidates = c.slice.Endpoints()
	}
	for _, a := range candidates {
		if a.Is4() && f.IPv4 || a.Is6() && f.IPv6 {
			return a, true
		}
	}
	return netip.Addr{}, false
}

// address chooses once per request: all rules of a session are about the same UE.
func (c *chooser) address(u pfcp.UEAddress) ([]netip.Prefix, *pfcp.Fault) {
	if c.ue != nil {
		return c.ue, nil
	}
	for _, v4 := range []bool{true, false} {
		if v4 && !u.ChooseIPv4 || !v4 && !u.ChooseIPv6 {
			continue
		}
		p, found := c.m.freeAddress(v4)
		if !found {
			return nil, refuse(ie.CauseNoResourcesAvailable, ie.UEIPAddress, "no address is left in --ue-pool for a UE")
		}
		c.ue = append(c.ue, p)
	}
	return c.ue, nil
}

// freeAddress gives the next of a pool: of IPv4 an address, neither the first nor the last of the pool, of IPv6 a /64.
func (m *Machine) freeAddress(v4 bool) (netip.Prefix, bool) {
	for _, pool := range m.Pools {
		if pool.Addr().Is4() != v4 {
			continue
		}
		size := poolSize(pool)
		for range min(size, uint64(m.MaxSessions)+3) {
			n := m.nextUE[pool] % size
			m.nextUE[pool] = n + 1
			p := nth(pool, n)
			if v4 && size > 2 && (n == 0 || n == size-1) || m.ues.taken(p) {
				continue
			}
			return p, true
		}
	}
	return netip.Prefix{}, false
}

func poolSize(pool netip.Prefix) uint64 {
	unit := 64
	if pool.Addr().Is4() {
		unit = 32
	}
	return 1 << min(max(unit-pool.Bits(), 0), 62)
}

func nth(pool netip.Prefix, n uint64) netip.Prefix {
	if pool.Addr().Is4() {
		b := pool.Masked().Addr().As4()
		binary.BigEndian.PutUint32(b[:], binary.BigEndian.Uint32(b[:])+uint32(n))
		return netip.PrefixFrom(netip.AddrFrom4(b), 32)
	}
	b := pool.Masked().Addr().As16()
	high, _ := bits.Add64(binary.BigEndian.Uint64(b[:8]), n, 0)
	binary.BigEndian.PutUint64(b[:8], high)
	return netip.PrefixFrom(netip.AddrFrom16(b), 64)
}
