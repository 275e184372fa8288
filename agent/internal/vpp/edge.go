// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/rows"
)

// The edge of the SR domain (docs/reference/edge.md) is an ACL at the input of each port that has a role: the first rule
// that matches decides, so the order of the rules is that of the contract's decisions, and longer prefixes come first.

// edgeReason is why the edge drops a packet, as pipeconfs/p4src/fixed/edge.p4 numbers the reasons. VPP drops frames with
// tags by itself, and its ACLs step over any number of headers: none of them is dropped as unreadable.
type edgeReason int

const (
	edgeSID edgeReason = iota
	edgeSRH
	edgeSource
	edgeUnknownSource
	edgeUnreadable
	edgeInternal
	edgeReasons
	edgePasses // no reason: matching packets pass
)

// aclRule is one rule, and the reason that a match of it counts for.
type aclRule struct {
	src, dst netip.Prefix
	protocol uint8 // 0: any
	reason   edgeReason
	peer     netip.Prefix // whose row counts it; the zero value for no one's
}

// Protocols as VPP's ACLs see them: the last header of the chain that they step over. The agent has them stop at a
// routing header (stopAtRouting); an authentication header they cannot step over, so the bytes behind it are not known.
const (
	protoRouting        = 43
	protoAuthentication = 51
)

//nolint:gochecknoglobals // constants
var (
	any6 = netip.MustParsePrefix("::/0")
	any4 = netip.MustParsePrefix("0.0.0.0/0")
	// Next hops, probes and policies of nodes (docs/reference/edge.md): VPP has a neighbor or an SR policy at each of their
	// addresses, which any packet to it would use.
	internal6 = netip.MustParsePrefix("fd5e:7e00::/31")
	internal4 = netip.MustParsePrefix("169.254.0.0/16")
)

// edgeRows are the rows of the four tables, prefixes with the longest first.
type edgeRows struct {
	ports   []contract.EdgePort
	sids    []contract.EdgeSID
	sources []netip.Prefix
	peers   map[contract.PortID][]netip.Prefix
}

func edgeRowsOf(r rows.Reader) edgeRows {
	e := edgeRows{ports: rows.Of[contract.EdgePort](r), sids: rows.Of[contract.EdgeSID](r), peers: map[contract.PortID][]netip.Prefix{}}
	for _, s := range rows.Of[contract.EdgeSource](r) {
		e.sources = append(e.sources, s.Src)
	}
	for _, p := range rows.Of[contract.EdgePeer](r) {
		e.peers[p.Port] = append(e.peers[p.Port], p.Src)
	}
	slices.SortFunc(e.sids, func(a, b contract.EdgeSID) int { return longestFirst(a.Dst, b.Dst) })
	slices.SortFunc(e.sources, longestFirst)
	for _, peers := range e.peers {
		slices.SortFunc(peers, longestFirst)
	}
	return e
}

func longestFirst(a, b netip.Prefix) int {
	return cmp.Or(cmp.Compare(b.Bits(), a.Bits()), a.Addr().Compare(b.Addr()))
}

// isEdge says of an entry that it is of one of the four tables.
func isEdge(e contract.Entry) bool {
	switch e.(type) {
	case contract.EdgePort, contract.EdgeSID, contract.EdgeSource, contract.EdgePeer:
		return true
	}
	return false
}

// rules of a port; packets that match none of the reasons to drop pass, IPv4 too.
func (e edgeRows) rules(role contract.EdgePort) []aclRule {
	list := []aclRule{
		{src: any6, dst: internal6, reason: edgeInternal},
		{src: any4, dst: internal4, reason: edgeInternal},
	}
	switch {
	case role.External:
		list = append(list, e.external(role)...)
	case role.KnownSources:
		list = append(list, e.internal()...)
	}
	return append(list, pass(any6, any6), pass(any4, any4))
}

func (e edgeRows) external(role contract.EdgePort) []aclRule {
	var list []aclRule
	for _, src := range e.peers[role.Port] {
		list = append(list, aclRule{src: src, dst: any6, reason: edgePasses, peer: src})
	}
	for _, src := range e.sources {
		list = append(list, aclRule{src: src, dst: any6, reason: edgeSource})
	}
	for _, sid := range e.sids {
		if !sid.Open {
			list = append(list, aclRule{src: any6, dst: sid.Dst, reason: edgeSID})
			continue
		}
		if role.DropSRH {
			list = append(list, dropSRH(sid.Dst)...)
		}
		list = append(list, pass(any6, sid.Dst))
	}
	if role.DropSRH {
		list = append(list, dropSRH(any6)...)
	}
	return list
}

func (e edgeRows) internal() []aclRule {
	var list []aclRule
	for _, src := range e.sources {
		list = append(list, pass(src, any6))
	}
	for _, sid := range e.sids {
		rule := aclRule{src: any6, dst: sid.Dst, reason: edgeUnknownSource}
		if sid.Open {
			rule.reason = edgePasses
		}
		list = append(list, rule)
	}
	return list
}

func pass(src, dst netip.Prefix) aclRule { return aclRule{src: src, dst: dst, reason: edgePasses} }

func dropSRH(dst netip.Prefix) []aclRule {
	return []aclRule{
		{src: any6, dst: dst, protocol: protoRouting, reason: edgeSRH},
		{src: any6, dst: dst, protocol: protoAuthentication, reason: edgeSRH},
	}
}

// edgeObjects are none: an ACL has the rows of all four tables, and is written at the end of a batch (edge_sync.go). Ports are
// looked at here, so that a row that means none is refused.
func (v view) edgeObjects(e contract.Entry) ([]object, error) {
	if !v.acls {
		return nil, &contract.Error{
			Code: contract.Unimplemented, Message: fmt.Sprintf("%s: this VPP has no ACLs, so there is no edge", e.Key()),
			Remedy: fmt.Sprintf(noPlugin, aclPlugin),
		}
	}
	var port contract.PortID
	switch e := e.(type) {
	case contract.EdgePort:
		port = e.Port
	case contract.EdgePeer:
		port = e.Port
	default:
		return nil, nil
	}
	if _, ok := v.port(port); !ok {
		return nil, contract.Errorf(contract.InvalidArgument, "%s: port %d is not a port of this node", e.Key(), port)
	}
	return nil, nil
}
