// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/journal"
	"sextant/agent/internal/linux/rtnl"
)

// adopt takes over what a former agent left: see Open. A batch that it did not finish is finished
// first, over whatever part of it the kernel has already.
func (n *Node) adopt() error {
	identity, err := n.ns.identity()
	if err != nil {
		return err
	}
	opened, remembered, unfinished, err := journal.Open(n.options.StateDir, identity, n.options.Log)
	if err != nil {
		return err
	}
	n.journal = opened
	held, err := n.dump()
	if err != nil {
		return err
	}
	n.recallPrivateTables(held)
	n.recall(remembered)
	n.forgetOrphans()
	for _, r := range n.rows {
		if e, ok := r.entry.(contract.Steering); ok && n.counters != nil {
			n.counters.set(e, true)
		}
	}
	if err := n.catchUp(); err != nil {
		return err
	}
	if len(unfinished) > 0 {
		n.finish(unfinished)
	}
	if err := n.restore(sortedKeys(n.rows)); err != nil {
		return err
	}
	if err := n.journal.Compact(n.entries()); err != nil { // the old file says the same; Begin tries again
		n.options.Log("%v; writes are refused until there is room in %s", err, n.options.StateDir)
	}
	if n.counters != nil {
		if err := n.counters.flush(); err != nil {
			n.options.Log("steering counters: %v", err)
		}
	}
	if err := n.syncEnds(); err != nil {
		n.options.Log("decapsulating SIDs: %v", err)
	}
	if err := n.punts.Sync(n.puntRows(), indexes(n.ports)); err != nil {
		return err
	}
	all := map[contract.PortID]bool{}
	for id := range n.ports {
		all[id] = true
	}
	n.announce(all)
	source, err := n.seg6.TunnelSource()
	if err != nil {
		return err
	}
	n.relay.setSource(source)
	if err := n.syncLive(); err != nil { // also where no row is left: then it takes away what a former agent did
		n.options.Log("%v; its rows will be missing", err)
	}
	return n.sweep()
}

// recall translates the remembered rows; what is referred to comes before its users.
func (n *Node) recall(entries []contract.Entry) {
	for _, users := range []bool{false, true} {
		for _, e := range entries {
			if (len(e.References()) > 0) != users {
				continue
			}
			n.rows[e.Key()] = &row{entry: e}
			n.link(e)
		}
	}
	for _, key := range sortedKeys(n.rows) {
		wanted, err := n.view().translate(n.rows[key].entry)
		if err != nil {
			n.options.Log("a remembered row is forgotten: %v", err)
			n.unlink(n.rows[key].entry)
			delete(n.rows, key)
			continue
		}
		n.rows[key].objects = wanted
	}
}

// forgetOrphans drops the rows whose next hop or list was forgotten.
func (n *Node) forgetOrphans() {
	for _, key := range sortedKeys(n.rows) {
		r := n.rows[key]
		if slices.ContainsFunc(r.entry.References(), func(ref contract.Key) bool { return n.rows[ref] == nil }) {
			n.unlink(r.entry)
			delete(n.rows, key)
		}
	}
}

// finish carries an interrupted batch out again. An insert of it may be in the kernel already; that
// is then a leftover of the agent's own, which a write may replace.
func (n *Node) finish(unfinished []journal.Noted) {
	n.options.Log("finishing a batch of %d updates that the former agent was interrupted in", len(unfinished))
	var inserts []contract.Update
	for _, u := range unfinished {
		if u.Op == contract.Insert {
			inserts = append(inserts, contract.Update{Op: u.Op, Entry: u.Entry.Entry})
		}
	}
	var err error
	if n.lost, err = n.lostRows(inserts); err != nil {
		n.options.Log("finishing: %v", err)
	}
	for _, u := range unfinished {
		entry := u.Entry.Entry
		if old := n.rows[u.Key]; u.Op == contract.Delete && old != nil {
			entry = old.entry
		}
		if entry == nil {
			continue
		}
		if err := n.applyOne(contract.Update{Op: u.Op, Entry: entry}); err != nil {
			n.options.Log("finishing: %v", err)
		}
	}
}

// recallPrivateTables reads the tables of binding SIDs off their routes.
func (n *Node) recallPrivateTables(held holdings) {
	for _, r := range held.routes {
		for _, hop := range r.Hops {
			if local, ok := hop.Encap.(rtnl.Seg6Local); ok && local.Action == rtnl.ActionEndT && local.Table > privateTableBase {
				n.private[r.Dst] = local.Table
			}
		}
	}
}

// sweep deletes objects with the agent's protocol number that no row explains.
func (n *Node) sweep() error {
	held, err := n.dump()
	if err != nil {
		return err
	}
	for _, r := range n.rows {
		for _, route := range r.objects.Routes {
			delete(held.routes, idOf(route))
		}
		for _, neighbor := range r.objects.Neighbors {
			delete(held.neighbors, idOfNeighbor(neighbor))
		}
	}
	var left objects
	for _, r := range held.routes {
		left.Routes = append(left.Routes, r)
	}
	for _, nb := range held.neighbors {
		left.Neighbors = append(left.Neighbors, nb)
	}
	if k := len(left.Routes) + len(left.Neighbors); k > 0 {
		n.options.Log("removing %d objects with the agent's protocol number that no row explains", k)
	}
	changes := changeSet{conn: n.conn, stale: left}
	if err := changes.drop(); err != nil {
		return fmt.Errorf("remove leftovers: %w", err)
	}
	return nil
}

// Reset deletes every row and all that it made the kernel hold. The prepared namespace stays
// prepared: sysctls and the device pair.
func (n *Node) Reset(context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.rows, n.users = map[contract.Key]*row{}, map[contract.Key]map[contract.Key]bool{}
	clear(n.private)
	n.endsChanged = true
	n.relay.setSource(netip.IPv6Unspecified())
	errs := []error{n.sweep(), n.syncLive(), n.punts.Sync(nil, indexes(n.ports))}
	if n.counters != nil {
		errs = append(errs, n.counters.reset(), n.syncEnds())
	}
	source, err := n.seg6.TunnelSource()
	if err == nil && source.IsValid() && !source.IsUnspecified() {
		err = n.seg6.SetTunnelSource(netip.IPv6Unspecified())
	}
	errs = append(errs, err, n.dropAddresses(netip.IPv6Unspecified()), n.journal.Compact(nil))
	if err := errors.Join(errs...); err != nil {
		return &contract.Error{Code: contract.Internal, Message: "not everything could be removed", Err: err}
	}
	return nil
}

// Uninstall is Reset, and removes the device pair and the counters' table as well. The node serves
// nothing afterwards; Close it.
func (n *Node) Uninstall(ctx context.Context) error {
	errs := []error{n.Reset(ctx)}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.removed = true
	if n.counters != nil {
		errs = append(errs, n.counters.remove())
	}
	if l, err := n.links.LinkByName(sidDevice); err == nil {
		errs = append(errs, n.links.LinkDel(l))
	}
	return errors.Join(errs...)
}
