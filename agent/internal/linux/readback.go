// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
)

// holdings are the agent's objects in the kernel, from one dump.
type holdings struct {
	routes    map[routeID]rtnl.Route
	neighbors map[neighborID]rtnl.Neighbor
	rules     map[rtnl.Rule]bool
}

// dump reads everything with the agent's protocol number.
func (n *Node) dump() (holdings, error) {
	h := holdings{map[routeID]rtnl.Route{}, map[neighborID]rtnl.Neighbor{}, map[rtnl.Rule]bool{}}
	for _, family := range []byte{unix.AF_INET6, unix.AF_INET} {
		routes, err := n.conn.Routes(family, rtnl.Filter{Protocol: Protocol})
		if err != nil {
			return holdings{}, err
		}
		for _, r := range routes {
			h.routes[idOf(r)] = r
		}
		neighbors, err := n.conn.Neighbors(family)
		if err != nil {
			return holdings{}, err
		}
		for _, nb := range neighbors {
			if nb.Protocol == Protocol {
				h.neighbors[idOfNeighbor(nb)] = nb
			}
		}
		rules, err := n.conn.Rules(family)
		if err != nil {
			return holdings{}, err
		}
		for _, r := range rules {
			if r.Protocol == Protocol {
				h.rules[r] = true
			}
		}
	}
	return h, nil
}

// differs says how the kernel's objects differ from the wanted ones, or "".
func (h holdings) differs(wanted objects) string {
	for _, w := range wanted.Neighbors {
		got, ok := h.neighbors[idOfNeighbor(w)]
		if !ok {
			return fmt.Sprintf("neighbour %s is gone", w.Addr)
		}
		if got != w {
			return fmt.Sprintf("neighbour %s: want %+v, kernel has %+v", w.Addr, w, got)
		}
	}
	for _, w := range wanted.Routes {
		got, ok := h.routes[idOf(w)]
		if !ok {
			return fmt.Sprintf("route %s of table %d is gone", w.Dst, w.Table)
		}
		if diff := rtnl.Diff(w, serving(got, w)); diff != "" {
			return diff
		}
	}
	for _, w := range wanted.Rules {
		if !h.rules[w] {
			return fmt.Sprintf("rule %s is gone", w)
		}
	}
	return ""
}

// serving leaves out the hops that the kernel has taken out of service itself because their port is
// down, which the wanted route therefore does not have either. A hop without carrier is called dead as
// well (ignore_routes_with_linkdown), but stays wanted, and so do all hops of its port: one more beside
// it would come to life with the carrier.
func serving(got, wanted rtnl.Route) rtnl.Route {
	got.Hops = slices.DeleteFunc(slices.Clone(got.Hops), func(h rtnl.Hop) bool {
		return h.Dead && !slices.ContainsFunc(wanted.Hops, func(w rtnl.Hop) bool { return w.Dev == h.Dev })
	})
	return got
}

// counters of a SID's route.
func (h holdings) counters(wanted objects) *contract.Counters {
	if len(wanted.Routes) == 0 {
		return nil
	}
	sid := h.routes[idOf(wanted.Routes[len(wanted.Routes)-1])]
	for _, hop := range sid.Hops {
		if local, ok := hop.Encap.(rtnl.Seg6Local); ok && local.Counted {
			return &contract.Counters{Packets: local.Counters.Packets, Bytes: local.Counters.Bytes}
		}
	}
	return nil
}

// lostRows finds, among the rows that updates insert once more, those that are not in service as they
// were written. It reads the kernel once, however many there are, and not at all for none.
func (n *Node) lostRows(updates []contract.Update) (map[contract.Key]bool, error) {
	lost := map[contract.Key]bool{}
	var held holdings
	for _, u := range updates {
		if u.Op != contract.Insert || u.Entry == nil || n.rows.Get(u.Entry.Key()) == nil {
			continue
		}
		if held.routes == nil {
			var err error
			if held, err = n.dump(); err != nil {
				return nil, err
			}
		}
		key := u.Entry.Key()
		lost[key] = n.outage(held, n.rows.Get(key)) != nil
	}
	return lost, nil
}

// outage returns why a row is not in effect: its objects are gone or changed, or in the kernel to no avail.
func (n *Node) outage(held holdings, r *row) error {
	if diff := held.differs(r.Objects); diff != "" {
		return contract.Errorf(contract.Internal, "%s: %s", r.Entry.Key(), diff)
	}
	if p := n.servedBy(r.Entry); p != nil {
		if err := p.Outage(r.Entry); err != nil {
			return err
		}
	}
	return n.obstacle(r.Entry, r.Objects, true)
}

// obstacle returns the foreign state that stands in the way of a row, which the agent must not repair: a route to the
// same prefix, a lost address. has says that the row is in the kernel.
func (n *Node) obstacle(e contract.Entry, wanted objects, has bool) error {
	for _, r := range wanted.Routes {
		if err := n.others.refuse(n.conn, e.Key(), r, has); err != nil {
			return err
		}
	}
	return n.cutOff(e)
}

// catchUp takes note of foreign changes until now. Called with mu held.
func (n *Node) catchUp() error { return errors.Join(n.others.drain(), n.readGateways()) }

// Entries reads a table, or all of them for "", from the kernel, in the order of the keys. A row that is
// out of service is left out: writing it again repairs it, or is refused with the reason. A row that
// waits for its port to come up is in: it is as it should be.
func (n *Node) Entries(_ context.Context, table string) ([]contract.Stored, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var listed []contract.Key
	for _, key := range n.rows.Keys() {
		if table == "" || key.Table == table {
			listed = append(listed, key)
		}
	}
	list, err := n.read(listed)
	if err == nil && (table == "" || table == contract.TableEncapSource) {
		source, set, unread := n.readSource()
		if err = unread; set {
			list = append(list, contract.Stored{Entry: source})
		}
	}
	return list, err
}

// Rows reads a few of them, see contract.RowReader.
func (n *Node) Rows(_ context.Context, keys []contract.Key) ([]contract.Stored, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var there []contract.Key
	for _, key := range keys {
		if n.rows.Get(key) != nil {
			there = append(there, key)
		}
	}
	return n.read(there)
}

// read reads rows but the encapsulation source from the kernel. Called with mu held.
func (n *Node) read(keys []contract.Key) ([]contract.Stored, error) {
	if err := n.refreshPorts(); err != nil {
		return nil, err
	}
	var listed []contract.Key
	var held holdings // of rows that planes serve the kernel's routes say nothing: reading their counters costs no dump
	for _, key := range keys {
		if key.Table == contract.TableEncapSource {
			continue
		}
		listed = append(listed, key)
		if o := n.rows.Get(key).Objects; held.routes == nil && len(o.Routes)+len(o.Neighbors) > 0 {
			var err error
			if held, err = n.dump(); err != nil {
				return nil, err
			}
		}
	}
	if err := n.catchUp(); err != nil {
		return nil, err
	}
	return n.inService(listed, held)
}

// inService are the rows that are in effect, with their counters.
func (n *Node) inService(keys []contract.Key, held holdings) ([]contract.Stored, error) {
	var there []*row
	var entries []contract.Entry
	for _, key := range keys {
		if r := n.rows.Get(key); n.outage(held, r) == nil {
			there, entries = append(there, r), append(entries, r.Entry)
		}
	}
	counts, err := n.counts(entries)
	if err != nil {
		return nil, err
	}
	list := make([]contract.Stored, len(there))
	for i, r := range there {
		list[i] = contract.Stored{Entry: r.Entry, Counters: counts[r.Entry.Key()]}
		if list[i].Counters == nil {
			list[i].Counters = held.counters(r.Objects)
		}
	}
	return list, nil
}

// hangingOn lists the next hops on ports, then the routes that lead via them.
func (n *Node) hangingOn(ports map[contract.PortID]bool) []contract.Key {
	var nextHops, routes []contract.Key
	seen := map[contract.Key]bool{}
	for _, key := range n.rows.Keys() {
		nextHop, ok := n.rows.Get(key).Entry.(contract.NextHop)
		if !ok || !ports[nextHop.Port] {
			continue
		}
		nextHops = append(nextHops, key)
		for _, user := range n.rows.Users(key) {
			if _, ok := n.rows.Get(user).Entry.(contract.Route); ok && !seen[user] {
				seen[user] = true
				routes = append(routes, user)
			}
		}
	}
	return append(nextHops, routes...)
}
