// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"fmt"
	"net/netip"
)

// The tables of the edge of the SR domain (docs/reference/edge.md).
const (
	TableEdgePort   = "edge_port"
	TableEdgeSID    = "edge_sid"
	TableEdgeSource = "edge_source"
	TableEdgePeer   = "edge_peer"
)

const (
	actionExternal     = "external"
	actionInternal     = "internal"
	actionProtect      = "protect"
	actionReachable    = "reachable"
	actionDomainSource = "domain_source"
	actionPeer         = "peer"
)

func edgePortKind() Kind { return kindOf("edge_port", decodeEdgePort, EdgePort.row, TableEdgePort) }

func edgeSIDKind() Kind { return kindOf("edge_sid", decodeEdgeSID, EdgeSID.row, TableEdgeSID) }

func edgeSourceKind() Kind {
	return kindOf("edge_source", decodeEdgeSource, EdgeSource.row, TableEdgeSource)
}

func edgePeerKind() Kind { return kindOf("edge_peer", decodeEdgePeer, EdgePeer.row, TableEdgePeer) }

// EdgePort is the role of a port. A port without this row takes everything.
type EdgePort struct {
	Port PortID
	// External: no node of the domain is behind the port.
	External bool
	// DropSRH has an external port drop packets with an SRH, whatever their destination.
	DropSRH bool
	// KnownSources has an internal port drop packets to SIDs whose source is not the domain's.
	KnownSources bool
}

// Key of a port's role is the port.
func (e EdgePort) Key() Key { return Key{TableEdgePort, fmt.Sprintf("in_port %d", e.Port)} }

// References is nothing.
func (e EdgePort) References() []Key { return nil }

func (e EdgePort) problem() string { return edgePortProblem(e.Port) }

func edgePortProblem(port PortID) string {
	if port == 0 || port > MaxPort {
		return fmt.Sprintf("in_port %d is outside 1..%d", port, MaxPort)
	}
	return ""
}

func decodeEdgePort(r Row) EdgePort {
	e := EdgePort{Port: PortID(r.number("in_port"))}
	for _, c := range r.Actions {
		switch c.Action {
		case actionExternal:
			e.External, e.DropSRH = true, c.number("drop_srh") == 1
		case actionInternal:
			e.KnownSources = c.number("known_sources") == 1
		}
	}
	return e
}

func (e EdgePort) row() Row {
	call := Call{Action: actionInternal, Args: map[string]Bits{"known_sources": flag(e.KnownSources)}}
	if e.External {
		call = Call{Action: actionExternal, Args: map[string]Bits{"drop_srh": flag(e.DropSRH)}}
	}
	return Row{Table: TableEdgePort, Match: map[string]Match{"in_port": exact(e.Port)}, Actions: []Call{call}}
}

// EdgeSID is a prefix of SIDs of the domain: Open ones may be reached from outside, as those of a longer prefix may be kept
// from it.
type EdgeSID struct {
	Dst  netip.Prefix
	Open bool
}

// Key of a prefix of SIDs is the prefix.
func (e EdgeSID) Key() Key { return Key{TableEdgeSID, e.Dst.String()} }

// References is nothing.
func (e EdgeSID) References() []Key { return nil }

func (e EdgeSID) problem() string { return edgePrefixProblem("dst", e.Dst) }

func edgePrefixProblem(field string, p netip.Prefix) string {
	if problem := prefixProblem(field, p); problem != "" {
		return problem
	}
	if !p.Addr().Is6() {
		return fmt.Sprintf("%s must be IPv6, not %s", field, p)
	}
	return ""
}

func decodeEdgeSID(r Row) EdgeSID {
	e := EdgeSID{Dst: r.prefix("dst")}
	for _, c := range r.Actions {
		e.Open = c.Action == actionReachable
	}
	return e
}

func (e EdgeSID) row() Row {
	action := actionProtect
	if e.Open {
		action = actionReachable
	}
	return Row{Table: TableEdgeSID, Match: map[string]Match{"dst": lpm(e.Dst)}, Actions: []Call{{Action: action}}}
}

// EdgeSource is a prefix of source addresses of the domain's nodes, which external packets may not have.
type EdgeSource struct {
	Src netip.Prefix
}

// Key of a prefix of sources is the prefix.
func (e EdgeSource) Key() Key { return Key{TableEdgeSource, e.Src.String()} }

// References is nothing.
func (e EdgeSource) References() []Key { return nil }

func (e EdgeSource) problem() string { return edgePrefixProblem("src", e.Src) }

func decodeEdgeSource(r Row) EdgeSource { return EdgeSource{Src: r.prefix("src")} }

func (e EdgeSource) row() Row {
	return Row{
		Table: TableEdgeSource, Match: map[string]Match{"src": lpm(e.Src)},
		Actions: []Call{{Action: actionDomainSource}},
	}
}

// EdgePeer opens the edge at one external port for sources of one prefix.
type EdgePeer struct {
	Port PortID
	Src  netip.Prefix
}

// Key of a peer is its port and prefix.
func (e EdgePeer) Key() Key {
	return Key{TableEdgePeer, fmt.Sprintf("in_port %d %s", e.Port, e.Src)}
}

// References is nothing.
func (e EdgePeer) References() []Key { return nil }

func (e EdgePeer) problem() string {
	return firstOf(edgePortProblem(e.Port), edgePrefixProblem("src", e.Src))
}

func decodeEdgePeer(r Row) EdgePeer {
	return EdgePeer{Port: PortID(r.number("in_port")), Src: r.prefix("src")}
}

func (e EdgePeer) row() Row {
	return Row{
		Table: TableEdgePeer, Match: map[string]Match{"in_port": exact(e.Port), "src": lpm(e.Src)},
		Actions: []Call{{Action: actionPeer}},
	}
}
