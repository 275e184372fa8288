// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"errors"
	"fmt"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
	"sextant/agent/internal/plane"
)

// adopt takes over the state of a former agent: see Open. A batch that it did not finish is finished first, over
// whatever part of it the kernel has already.
func (n *Node) adopt() error {
	identity, err := n.ns.identity()
	if err != nil {
		return err
	}
	unfinished, err := n.rows.Open(identity)
	if err != nil {
		return err
	}
	held, err := n.dump()
	if err != nil {
		return err
	}
	n.recallPrivateTables(held)
	n.recallFlowTables(held)
	n.recallSilent(held)
	n.rows.Recall()
	if err := n.each(plane.Plane.Adopt); err != nil {
		return err
	}
	if err := n.catchUp(); err != nil {
		return err
	}
	n.rows.Finish(unfinished)
	if err := n.restore(n.rows.Keys()); err != nil {
		return err
	}
	n.rows.Compact()
	all := map[contract.PortID]bool{}
	for id := range n.ports {
		all[id] = true
	}
	n.announce(all)
	n.settle(nil) // also where no row is left: then a feature removes the state of a former agent
	return n.sweep()
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

// recallFlowTables reads the tables of steered flows off their rules.
func (n *Node) recallFlowTables(held holdings) {
	for r := range held.rules {
		if r.Table > flowTableBase {
			n.flowTables[withoutTable(r)] = r.Table
		}
	}
}

// sweep deletes objects with the agent's protocol number that no row explains.
func (n *Node) sweep() error {
	held, err := n.dump()
	if err != nil {
		return err
	}
	for _, r := range n.rows.All() {
		for _, route := range r.Objects.Routes {
			delete(held.routes, idOf(route))
		}
		for _, neighbor := range r.Objects.Neighbors {
			delete(held.neighbors, idOfNeighbor(neighbor))
		}
		for _, rule := range r.Objects.Rules {
			delete(held.rules, rule)
		}
	}
	var left objects
	for _, r := range held.routes {
		left.Routes = append(left.Routes, r)
	}
	for _, nb := range held.neighbors {
		left.Neighbors = append(left.Neighbors, nb)
	}
	for rule := range held.rules {
		left.Rules = append(left.Rules, rule)
	}
	if k := len(left.Routes) + len(left.Neighbors) + len(left.Rules); k > 0 {
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
	_, forget := n.rows.Clear()
	clear(n.private)
	clear(n.flowTables)
	clear(n.yielded)
	if err := errors.Join(n.sweep(), n.each(plane.Plane.Reset), forget()); err != nil {
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
	errs = append(errs, n.each(plane.Plane.Remove))
	if l, err := n.links.LinkByName(sidDevice); err == nil {
		errs = append(errs, n.links.LinkDel(l))
	}
	return errors.Join(errs...)
}
