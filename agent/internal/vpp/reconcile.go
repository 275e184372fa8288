// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"context"
	"strings"

	"sextant/agent/internal/contract"
)

// reconcile makes VPP match the rows, from any state: after a start of the agent, a restart of VPP, or ports that came,
// went or have other numbers. An object that is as it should be is not written. Orphaned objects that carry a mark of
// the agent go; a row that VPP refuses, or whose prefix has another owner by now, is missing, so that the controller
// gets the reason. Called with mu held.
func (n *Node) reconcile() error {
	held, err := n.conn.dump(n.sources)
	if err != nil {
		return err
	}
	n.owners = map[objectID]map[contract.Key]bool{}
	wanted := n.translateAll()
	for _, o := range ascending(wanted) {
		if held.differsOne(o, n.sources) == "" {
			continue
		}
		err := n.foreign(held, o)
		if err == nil {
			err = n.restore(held, o)
		}
		if n.conn.lost != nil {
			return n.conn.lost
		}
		if err != nil { // the row is missing until it can be had
			n.options.Log("out of service: %v", err)
			n.outages[o.id()] = err.Error()
		}
	}
	if err := n.sweep(held); err != nil {
		return err
	}
	n.edge.due = true
	if err := n.syncEdge(); err != nil {
		if n.conn.lost != nil {
			return n.conn.lost
		}
		n.options.Log("out of service: %v", err)
	}
	return nil
}

// translateAll gives every row its objects, and forgets the rows that cannot be had any more.
func (n *Node) translateAll() []object {
	n.rows.Recall()
	for key, r := range n.rows.All() {
		n.own(key, r.Objects)
	}
	return objectsOf(n.rows.All())
}

func (n *Node) restore(held holdings, o object) error {
	return n.conn.put(held.standing(o, n.sources), o, n.sources.own)
}

// standing is the object that VPP holds under the id of another one, or nil: it has to go before that can be written.
func (h holdings) standing(o object, s sources) object {
	switch o := o.(type) {
	case localSID:
		if held, ok := h.sid(o, s); ok {
			return held
		}
	case neighbor:
		if held, ok := h.neighbors[o.addr]; ok {
			return held
		}
	}
	return nil
}

// sweep deletes objects that carry a mark of the agent and belong to no row: steering into its policies, the policies,
// routes of its source, its neighbours and tables. A local SID carries no mark and stays.
func (n *Node) sweep(held holdings) error {
	explained := func(o object) bool { return len(n.owners[o.id()]) > 0 }
	var left []object
	for _, s := range held.steering {
		if ownPolicies().Contains(s.bsid) && !explained(s) {
			left = append(left, s)
		}
	}
	for bsid, p := range held.policies {
		if ownPolicies().Contains(bsid) && !explained(p) {
			left = append(left, p)
		}
	}
	for key, e := range held.fib {
		if key.source == n.sources.own && !explained(e.route) {
			left = append(left, e.route)
		}
	}
	for _, nb := range held.neighbors {
		if !explained(nb) {
			left = append(left, nb)
		}
	}
	for t, name := range held.tables {
		if strings.HasPrefix(name, tablePrefix) && !explained(t) {
			left = append(left, t)
		}
	}
	for _, o := range descending(left) {
		if err := n.conn.remove(o, n.sources.own); err != nil {
			if n.conn.lost != nil {
				return n.conn.lost
			}
			n.options.Log("leftover: %v", err)
		}
	}
	return nil
}

// Entries reads a table, or all of them for "", in the order of the keys. A row whose objects VPP has lost
// or shows otherwise is left out: writing it again repairs it.
func (n *Node) Entries(_ context.Context, table string) ([]contract.Stored, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.reachableNow(); err != nil {
		return nil, err
	}
	held, err := n.conn.dump(n.sources)
	if err != nil {
		return nil, err
	}
	edgeOut, err := n.edgeOut()
	if err != nil {
		return nil, err
	}
	steered, edges := n.stats.routes(), n.edgeCounts()
	var out []contract.Stored
	for _, key := range n.rows.Keys() {
		r := n.rows.Get(key)
		if (table != "" && key.Table != table) || held.differs(r.Objects, n.sources) != "" || n.cutOff(r.Entry) != nil || edgeOut.has(r.Entry) {
			continue
		}
		if peer, ok := r.Entry.(contract.EdgePeer); ok {
			counts := edges.peers[peer.Key()]
			out = append(out, contract.Stored{Entry: r.Entry, Counters: &counts})
			continue
		}
		out = append(out, contract.Stored{Entry: r.Entry, Counters: held.counters(r, n.sources, steered)})
	}
	return out, nil
}

// counters of a SID are those of its entries in VPP; those of a steering come with the statistics.
func (h holdings) counters(r *row, s sources, steered map[uint32]contract.Counters) *contract.Counters {
	sum, counted := contract.Counters{}, false
	for _, o := range r.Objects {
		switch o := o.(type) {
		case localSID:
			for _, held := range h.sids {
				if held.couldBe(o) {
					sum.Packets += held.counters.Packets
					sum.Bytes += held.counters.Bytes
					counted = true
				}
			}
		case steer:
			entry := h.fib[fibKey{o.table, o.dst, s.sr}]
			if c, ok := steered[entry.statsIndex]; ok {
				sum, counted = c, true
			}
		}
	}
	if !counted {
		return nil
	}
	return &sum
}
