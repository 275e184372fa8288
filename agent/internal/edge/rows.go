// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"net/netip"

	"sextant/agent/internal/contract"
)

// Limits of the program, bpf/edge.h.
const (
	maxPorts   = 512
	maxSIDs    = 4096
	maxSources = 16384
	maxPeers   = 4096
	// maxGateways bounds the destinations of GTP-U translation; the mobile session feature holds as many.
	maxGateways = 1024
)

// Interfaces that are no ports have the role of one that no row has; one without a link layer is marked. bpf/edge.h.
const (
	noPort = contract.PortID(0)
	bare   = uint32(1) << 31
)

// Words of a role, bpf/edge.h.
const (
	roleInternal = 1
	roleExternal = 2
	roleStrict   = 4
)

// wanted are the rows, as the maps hold them. A table whose rows have changed since they were written to the kernel is
// stale.
type wanted struct {
	roles   map[contract.PortID]uint32
	sids    map[bpfPrefix]uint32
	sources map[bpfPrefix]uint32
	peers   map[bpfPeer]bpfCounters // that begin at 0
	// gateways are destinations of GTP-U that this node decapsulates; the mobile session feature owns their rules.
	gateways map[bpfPrefix]uint32

	staleSIDs, staleSources, stalePeers, staleGateways bool
	renewed                                            map[bpfPeer]bool // peers that were deleted since; one that is there again counts anew
}

func newWanted() wanted {
	return wanted{
		roles: map[contract.PortID]uint32{}, sids: map[bpfPrefix]uint32{}, sources: map[bpfPrefix]uint32{},
		peers: map[bpfPeer]bpfCounters{}, gateways: map[bpfPrefix]uint32{}, renewed: map[bpfPeer]bool{},
	}
}

// stale has all of the kernel's compared.
func (w *wanted) stale() {
	w.staleSIDs, w.staleSources, w.stalePeers, w.staleGateways = true, true, true, true
}

// exchange a row for another of the same key; nil is none.
func (w *wanted) exchange(old, fresh contract.Entry) {
	if old != nil {
		w.remove(old)
	}
	if fresh != nil {
		w.add(fresh)
	}
}

func (w *wanted) remove(e contract.Entry) {
	switch e := e.(type) {
	case contract.EdgePort:
		delete(w.roles, e.Port)
	case contract.EdgeSID:
		delete(w.sids, prefixOf(e.Dst))
		w.staleSIDs = true
	case contract.EdgeSource:
		delete(w.sources, prefixOf(e.Src))
		w.staleSources = true
	case contract.EdgePeer:
		delete(w.peers, peerOf(e))
		w.renewed[peerOf(e)], w.stalePeers = true, true
	}
}

func (w *wanted) add(e contract.Entry) {
	switch e := e.(type) {
	case contract.EdgePort:
		w.roles[e.Port] = roleOf(e)
	case contract.EdgeSID:
		w.sids[prefixOf(e.Dst)] = reachable(e)
		w.staleSIDs = true
	case contract.EdgeSource:
		w.sources[prefixOf(e.Src)] = 0
		w.staleSources = true
	case contract.EdgePeer:
		w.peers[peerOf(e)] = bpfCounters{}
		w.stalePeers = true
	}
}

// fits refuses rows that exceed the maps, before anything is changed.
func (w *wanted) fits() error {
	for _, limit := range []struct {
		table     string
		have, max int
	}{
		{contract.TableEdgePort, len(w.roles), maxPorts},
		{contract.TableEdgeSID, len(w.sids), maxSIDs},
		{contract.TableEdgeSource, len(w.sources), maxSources},
		{contract.TableEdgePeer, len(w.peers), maxPeers},
	} {
		if limit.have > limit.max {
			return contract.Errorf(contract.ResourceExhausted, "%s is full: at most %d rows fit", limit.table, limit.max)
		}
	}
	return nil
}

// settled: the kernel holds all of it.
func (w *wanted) settled() {
	w.staleSIDs, w.staleSources, w.stalePeers, w.staleGateways = false, false, false, false
	clear(w.renewed)
}

// translate takes note of where GTP-U goes that is taken off here.
func (w *wanted) translate(rules []contract.GTPRule) {
	w.gateways = map[bpfPrefix]uint32{}
	for _, rule := range rules {
		if rule.Action == contract.GTPTranslate {
			w.gateways[gatewayOf(rule.Dst)] = 0
		}
	}
}

// gatewayOf is the shortest prefix that has all that a rule takes.
func gatewayOf(dst *contract.Ternary) bpfPrefix {
	bits := 0
	if dst == nil {
		return bpfPrefix{}
	}
	for bits < 128 && dst.Mask[bits/8]&(0x80>>(bits%8)) != 0 {
		bits++
	}
	masked := netip.PrefixFrom(netip.AddrFrom16(dst.Value), bits).Masked()
	return bpfPrefix{Bits: uint32(bits), Addr: masked.Addr().As16()}
}

func roleOf(e contract.EdgePort) uint32 {
	role := uint32(roleInternal)
	if e.External {
		role = roleExternal
	}
	if e.External && e.DropSRH || !e.External && e.KnownSources {
		role |= roleStrict
	}
	return role
}

func reachable(e contract.EdgeSID) uint32 {
	if e.Open {
		return 1
	}
	return 0
}

func prefixOf(p netip.Prefix) bpfPrefix {
	return bpfPrefix{Bits: uint32(p.Bits()), Addr: p.Addr().As16()}
}

// peerOf: all of the port's 32 bits stand before those of the prefix.
func peerOf(e contract.EdgePeer) bpfPeer {
	return bpfPeer{Bits: 32 + uint32(e.Src.Bits()), Port: uint32(e.Port), Addr: e.Src.Addr().As16()}
}
