// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
	"sextant/agent/internal/liveness"
	"sextant/agent/internal/rows"
)

// A list that is silent is not touched, and neither are the rows that refer to it: they are translated with its
// substitute. So reads return the written rows, and repairs, restarts and changes of rows know no other form.

// inUse is the list that is used in the place of another one.
func (n *Node) inUse(silent map[contract.SIDListID]bool) func(contract.SIDListID) contract.SIDListID {
	if len(silent) == 0 {
		return func(id contract.SIDListID) contract.SIDListID { return id }
	}
	row := func(id contract.SIDListID) (contract.Liveness, bool) {
		return rows.Lookup[contract.Liveness](n.rows, contract.LivenessKey(id))
	}
	return func(id contract.SIDListID) contract.SIDListID {
		return liveness.InUse(id,
			func(id contract.SIDListID) bool { _, watched := row(id); return watched && silent[id] },
			func(id contract.SIDListID) (contract.SIDListID, bool) {
				e, _ := row(id)
				return e.Backup, e.Backup != 0
			})
	}
}

// followsList says of an entry that refers to a list whether it is translated with it: all are but those that planes serve.
func (n *Node) followsList(e contract.Entry) bool { return n.servedBy(e) == nil }

// affected lists the rows that show a list or a liveness row without referring to it: those of lists in whose place it is
// used, or was. While nothing is silent there are none.
func (n *Node) affected(key contract.Key) []contract.Key {
	if len(n.watching.silent) == 0 {
		return nil
	}
	inUse := n.view().inUse
	keys := map[contract.Key]bool{}
	switch e := n.rows.Entry(key).(type) {
	case contract.SIDList:
		for id := range n.watching.silent {
			if id != e.ID && inUse(id) == e.ID {
				n.usersOf(id, keys)
			}
		}
	default:
		if key.Table != contract.TableLiveness {
			return nil
		}
		for id := range n.watching.silent {
			n.usersOf(id, keys)
		}
	}
	return rows.SortedKeys(keys)
}

func (n *Node) usersOf(id contract.SIDListID, keys map[contract.Key]bool) {
	for _, key := range n.rows.Users(contract.SIDListKey(id)) {
		if e := n.rows.Entry(key); e != nil && n.followsList(e) { // one that is about to go is among the users still
			keys[key] = true
		}
	}
}

// followLiveness switches when the prober has news, until ctx ends.
func (n *Node) followLiveness(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.watching.prober.Changed():
		}
		n.mu.Lock()
		if !n.removed {
			n.switchLists()
		}
		n.mu.Unlock()
		n.tellLiveness()
	}
}

// switchLists brings the kernel in step with which lists are silent. Called with mu held.
func (n *Node) switchLists() {
	silent := map[contract.SIDListID]bool{}
	for id, r := range n.watching.prober.Reports() {
		if r.Silent {
			silent[id] = true
		}
	}
	before, after := n.view().inUse, n.inUse(silent)
	moved := map[contract.Key]bool{}
	for _, id := range slices.Sorted(maps.Keys(n.watching.rows)) {
		was, is := before(id), after(id)
		switch {
		case was != is:
			n.usersOf(id, moved)
			n.options.Log("in the place of %s, list %d is used from now on, and %d no longer", contract.SIDListKey(id), is, was)
		case silent[id] && !n.watching.silent[id]:
			n.options.Log("%s is silent, and sid_list %d stays in use", contract.SIDListKey(id), is)
		}
	}
	n.watching.silent = silent
	if err := n.moveAll(rows.SortedKeys(moved)); err != nil {
		n.options.Log("not all of a silent list could be switched: %v", err)
	}
	if len(moved) > 0 {
		n.others.touched = true // the keeper reads the kernel's present state
		n.keeper.wake()
	}
}

// moveAll writes the present objects of rows, all of it in as few calls as possible.
func (n *Node) moveAll(keys []contract.Key) error {
	var failure error
	var routes []rtnl.Route
	for _, key := range keys {
		r := n.rows.Get(key)
		wanted, err := n.view().translate(r.Entry)
		if err != nil {
			failure = fmt.Errorf("%s: %w", key, err)
			continue
		}
		if !n.yielded[key] {
			routes = append(routes, differing(r.Objects, wanted)...)
		}
		r.Objects = wanted
	}
	for i, err := range n.conn.ReplaceRoutes(routes) {
		if err != nil {
			failure = fmt.Errorf("route %s of table %d: %w", routes[i].Dst, routes[i].Table, err)
		}
	}
	return failure
}

// differing are the routes of the wanted objects that are not as they were.
func differing(old, wanted objects) []rtnl.Route {
	was := map[routeID]rtnl.Route{}
	for _, r := range old.Routes {
		was[idOf(r)] = r
	}
	var routes []rtnl.Route
	for _, r := range wanted.Routes {
		if o, there := was[idOf(r)]; !there || rtnl.Diff(o, r) != "" {
			routes = append(routes, r)
		}
	}
	return routes
}

// recallSilent finds which lists were silent for a former agent: the kernel holds rows that refer to them as they are
// with another list. A list without references was not switched, and begins anew.
func (n *Node) recallSilent(held holdings) {
	for _, e := range rows.Of[contract.Liveness](n.rows) {
		keys := map[contract.Key]bool{}
		n.usersOf(e.SIDList, keys)
		for _, key := range rows.SortedKeys(keys) {
			if chain := n.chainInUse(held, key, e); chain != nil {
				for _, id := range chain {
					n.watching.silent[id] = true
				}
				break
			}
		}
	}
}

// chainInUse are the lists that must be silent for the kernel to hold a row as it does; none if it holds the row as
// it was written, or in no such form.
func (n *Node) chainInUse(held holdings, user contract.Key, first contract.Liveness) []contract.SIDListID {
	holds := func(id contract.SIDListID) bool {
		v := n.view()
		v.inUse = func(contract.SIDListID) contract.SIDListID { return id }
		wanted, err := v.translate(n.rows.Entry(user))
		return err == nil && held.differs(wanted) == ""
	}
	if holds(first.SIDList) {
		return nil
	}
	var chain []contract.SIDListID
	seen := map[contract.SIDListID]bool{}
	for at := first; at.Backup != 0 && !seen[at.SIDList]; {
		seen[at.SIDList] = true
		chain = append(chain, at.SIDList)
		if holds(at.Backup) {
			return chain
		}
		next, watched := rows.Lookup[contract.Liveness](n.rows, contract.LivenessKey(at.Backup))
		if !watched {
			return nil
		}
		at = next
	}
	return nil
}

// LivenessChanges has its argument called after each change, see contract.LivenessTeller.
func (n *Node) LivenessChanges(tell func()) (stop func()) {
	n.listeners.Lock()
	defer n.listeners.Unlock()
	if n.listeners.tell == nil {
		n.listeners.tell = map[int]func(){}
	}
	n.listeners.next++
	id := n.listeners.next
	n.listeners.tell[id] = tell
	return func() {
		n.listeners.Lock()
		defer n.listeners.Unlock()
		delete(n.listeners.tell, id)
	}
}

func (n *Node) tellLiveness() {
	n.listeners.Lock()
	defer n.listeners.Unlock()
	for _, tell := range n.listeners.tell {
		tell()
	}
}
