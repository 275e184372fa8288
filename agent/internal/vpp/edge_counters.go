// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"context"
	"fmt"
	"net/netip"

	"go.fd.io/govpp/adapter"

	"sextant/agent/internal/contract"
)

var _ contract.CellReader = (*Node)(nil)

// edgeArray is the counter array of the contract: 4 cells for each port, one per reason, and behind those of all ports as
// many for further reasons.
const (
	edgeArray     = "edge_dropped"
	reasonsAtOnce = 4
	edgePorts     = 512
)

// cellOf is the port and the reason of a cell; the reason may be one that there is not yet.
func cellOf(at int) (contract.PortID, edgeReason) {
	block, rest := at/(reasonsAtOnce*edgePorts), at%(reasonsAtOnce*edgePorts)
	return contract.PortID(rest / reasonsAtOnce), edgeReason(reasonsAtOnce*block + rest%reasonsAtOnce)
}

// noPort has the cells of frames that VPP attributes to no port, as interfaces have on Linux that are no ports.
const noPort = contract.PortID(0)

// growth sums up a counter that begins anew with VPP; the first reading is where it begins.
type growth struct {
	begun     bool
	last, sum uint64
}

func (g growth) next(now uint64) growth {
	switch {
	case !g.begun:
		return growth{true, now, g.sum}
	case now < g.last:
		return growth{true, now, g.sum + now}
	}
	return growth{true, now, g.sum + now - g.last}
}

// countTagged counts the frames that VPP drops for their tags before any ACL, while a port has a role. Called with mu
// held.
func (n *Node) countTagged() {
	if len(n.edge.placed) == 0 {
		n.edge.tagged.begun = false
		return
	}
	if now, known := n.stats.unknownVLANs(); known {
		n.edge.tagged = n.edge.tagged.next(now)
	}
}

// counted are the matches of rules: by port and reason, and by peer.
type counted struct {
	dropped map[contract.PortID][edgeReasons]contract.Counters
	peers   map[contract.Key]contract.Counters
}

func newCounted() counted {
	return counted{map[contract.PortID][edgeReasons]contract.Counters{}, map[contract.Key]contract.Counters{}}
}

func peerKey(port contract.PortID, src netip.Prefix) contract.Key {
	return contract.EdgePeer{Port: port, Src: src}.Key()
}

// add adds the matches of the rules of a port's ACL.
func (c counted) add(port contract.PortID, rules []aclRule, matches []contract.Counters) {
	cells := c.dropped[port]
	for i, r := range rules[:min(len(rules), len(matches))] {
		switch {
		case r.reason < edgeReasons:
			cells[r.reason] = plus(cells[r.reason], matches[i])
		case r.peer.IsValid():
			key := peerKey(port, r.peer)
			c.peers[key] = plus(c.peers[key], matches[i])
		}
	}
	c.dropped[port] = cells
}

func plus(a, b contract.Counters) contract.Counters {
	return contract.Counters{Packets: a.Packets + b.Packets, Bytes: a.Bytes + b.Bytes}
}

// forget drops the counts of peers that have no row any more: a row counts since it was written.
func (c counted) forget(now edgeRows) {
	there := map[contract.Key]bool{}
	for port, peers := range now.peers {
		for _, src := range peers {
			there[peerKey(port, src)] = true
		}
	}
	for key := range c.peers {
		if !there[key] {
			delete(c.peers, key)
		}
	}
}

// bank keeps the counts of a port's ACL, before VPP forgets them.
func (n *Node) bank(port contract.PortID) {
	if placed, there := n.edge.placed[port]; there {
		n.edge.before.add(port, placed.rules, n.stats.acls()[placed.index])
	}
}

// edgeCounts is all that was counted up to now.
func (n *Node) edgeCounts() counted {
	sum := newCounted()
	for port, cells := range n.edge.before.dropped {
		sum.dropped[port] = cells
	}
	for key, c := range n.edge.before.peers {
		sum.peers[key] = c
	}
	if len(n.edge.placed) > 0 {
		matches := n.stats.acls()
		for port, placed := range n.edge.placed {
			sum.add(port, placed.rules, matches[placed.index])
		}
	}
	n.countTagged()
	cells := sum.dropped[noPort]
	cells[edgeUnreadable].Packets += n.edge.tagged.sum
	sum.dropped[noPort] = cells
	return sum
}

// Cells reads counters that belong to no row, see contract.CellReader.
func (n *Node) Cells(_ context.Context, array string, from, count int) ([]contract.Counters, error) {
	if array != edgeArray {
		return nil, contract.Errorf(contract.Unimplemented, "%s is no counter array of this node", array)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.reachableNow(); err != nil {
		return nil, err
	}
	counts := n.edgeCounts()
	cells := make([]contract.Counters, count)
	for i := range cells {
		if port, reason := cellOf(from + i); reason < edgeReasons {
			cells[i] = counts.dropped[port][reason]
		}
	}
	return cells, nil
}

// unknownVLANs are the frames with tags that no interface of VPP takes, of all ports; false where VPP shares no statistics.
func (s *statistics) unknownVLANs() (frames uint64, known bool) {
	const name = "/err/ethernet-input/unknown vlan"
	threads, known := s.dump("^" + name + "$")[name].(adapter.SimpleCounterStat)
	for _, thread := range threads {
		for _, c := range thread {
			frames += uint64(c)
		}
	}
	return frames, known
}

// acls are the matches of each rule, by the number of the ACL.
func (s *statistics) acls() map[uint32][]contract.Counters {
	out := map[uint32][]contract.Counters{}
	for name, stat := range s.dump("^/acl/[0-9]+/matches$") {
		var index uint32
		combined, ok := stat.(adapter.CombinedCounterStat)
		if _, err := fmt.Sscanf(name, "/acl/%d/matches", &index); err != nil || !ok {
			continue
		}
		for _, thread := range combined {
			for i, c := range thread {
				if i == len(out[index]) {
					out[index] = append(out[index], contract.Counters{})
				}
				out[index][i] = plus(out[index][i], contract.Counters{Packets: c.Packets(), Bytes: c.Bytes()})
			}
		}
	}
	return out
}
