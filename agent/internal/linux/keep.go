// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/rows"
)

// keeper looks after the rows between the controller's visits: objects of the agent that another program deletes or
// changes are back within a second or so. Notifications wake it; the settings and the tunnel source, whose changes are
// not notified, it reads at every pulse. A foreign object that stands in the way stays as it is, and is the row's
// reason when the controller asks.
type keeper struct {
	events   *netlink.Conn // of routes, neighbours, addresses
	firewall *netlink.Conn // of nftables
	woken    chan struct{}
	nftables atomic.Bool // objects were removed
	trouble  string      // so that it is logged once; guarded by the node's mu
	stop     context.CancelFunc
}

const (
	pulse = 2 * time.Second
	// settling lets a foreign change come to its end: a flush is many deletions.
	settling = 50 * time.Millisecond
	// rest is the least time between two repairs, so that a program which deletes as often as the agent repairs has
	// a quarrel but not a busy machine.
	rest = time.Second
)

// Groups and messages of linux/netfilter/nfnetlink.h and nf_tables.h.
const (
	groupNftables    = 7
	subsystemNft     = 10
	nftDeleteTable   = 2
	nftDeleteChain   = 5
	nftDeleteRule    = 8
	nftDeleteSet     = 11
	nftDeleteElement = 14
)

// wake has the keeper look soon.
func (k *keeper) wake() {
	select {
	case k.woken <- struct{}{}:
	default:
	}
}

func (k *keeper) close() error {
	var errs []error
	if k.stop != nil {
		k.stop()
	}
	for _, c := range []*netlink.Conn{k.events, k.firewall} {
		if c != nil {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

func (n *Node) startKeeping() (err error) {
	if n.options.unattended {
		return nil
	}
	if n.keeper.events, err = follow(n.ns.fd(), unix.NETLINK_ROUTE, eventGroups()...); err != nil {
		return err
	}
	n.running.Go(func() { n.listen(n.keeper.events, func(netlink.HeaderType) bool { return true }) })
	if n.counters != nil {
		if n.keeper.firewall, err = follow(n.ns.fd(), unix.NETLINK_NETFILTER, groupNftables); err != nil {
			return err
		}
		n.running.Go(func() { n.listen(n.keeper.firewall, n.keeper.deletes) })
	}
	ctx, stop := context.WithCancel(context.Background())
	n.keeper.stop = stop
	n.running.Go(func() { n.keep(ctx) })
	return nil
}

// deletes: additions to nftables take nothing of the agent's away.
func (k *keeper) deletes(kind netlink.HeaderType) bool {
	if kind>>8 != subsystemNft {
		return false
	}
	switch kind & 0xff {
	case nftDeleteTable, nftDeleteChain, nftDeleteRule, nftDeleteSet, nftDeleteElement:
		k.nftables.Store(true)
		return true
	default:
		return false
	}
}

// listen wakes the keeper until the socket is closed. Too many events at once (ENOBUFS) are one, too.
func (n *Node) listen(events *netlink.Conn, matters func(netlink.HeaderType) bool) {
	for {
		messages, err := events.Receive()
		switch {
		case n.closing.Load():
			return
		case errors.Is(err, unix.ENOBUFS):
			n.keeper.nftables.Store(true)
			n.keeper.wake()
		case err != nil:
			n.options.Log("notifications of network namespace %s end, repairs wait for the audit: %v", n.ns.name, err)
			return
		}
		for _, m := range messages {
			if matters(m.Header.Type) {
				n.keeper.wake()
			}
		}
	}
}

func (n *Node) keep(ctx context.Context) {
	ticker := time.NewTicker(pulse)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			n.look()
		case <-n.keeper.woken:
			if !wait(ctx, settling) {
				return
			}
			n.look()
			if err := n.watch.Publish(n.Ports); err != nil { // addresses are theirs, too
				n.options.Log("ports: %v", err)
			}
		}
		if !wait(ctx, rest) {
			return
		}
	}
}

// wait says false if the context ended first.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// look detects foreign changes, and repairs them.
func (n *Node) look() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.removed {
		return
	}
	err := errors.Join(n.keepSettings(), n.keepRows(), n.keepPlanes())
	trouble := ""
	if err != nil {
		trouble = err.Error()
	}
	if trouble != "" && trouble != n.keeper.trouble {
		n.options.Log("not everything can be repaired: %v", err)
	}
	n.keeper.trouble = trouble
}

// keepSettings restores settings that were switched off.
func (n *Node) keepSettings() error {
	settings := append(nodeSettings(), pairSettings(sidDevice)...)
	settings = append(settings, pairSettings(steeringDevice)...)
	for _, id := range slices.Sorted(maps.Keys(n.ports)) {
		if n.ports[id].Index != 0 {
			settings = append(settings, portSettings(n.options.Ports[id])...)
		}
	}
	changed, err := n.ns.enforce(settings)
	for _, s := range changed {
		n.options.Log("another program changed net.%s; it is %s again", strings.ReplaceAll(s.name, "/", "."), s.value)
	}
	return err
}

// keepRows looks at all rows where another program may have changed one, else only at those that were out of service.
func (n *Node) keepRows() error {
	if err := n.catchUp(); err != nil {
		return err
	}
	if n.others.touched || n.contested() {
		n.others.touched = false
		return errors.Join(n.each(func(p plane.Plane) error { return p.Keep(plane.Seen{Rows: true}) }), n.restore(n.rows.Keys()))
	}
	if len(n.outages) > 0 {
		return n.restore(rows.SortedKeys(n.outages))
	}
	return nil
}

// contested reports whether a foreign change affects a route to a prefix of the agent's.
func (n *Node) contested() bool {
	if len(n.others.stale) == 0 {
		return false
	}
	for _, r := range n.rows.All() {
		for _, route := range r.Objects.Routes {
			if n.others.stale[tableDst{route.Table, route.Dst}] || n.others.stale[tableDst{unix.RT_TABLE_LOCAL, route.Dst}] {
				return true
			}
		}
	}
	return false
}

func (n *Node) keepPlanes() error {
	seen := plane.Seen{Pulse: true, Firewall: n.keeper.nftables.Swap(false)}
	return n.each(func(p plane.Plane) error { return p.Keep(seen) })
}

// restore writes the rows again that the kernel does not hold as they are wanted now: it forgets routes and neighbours
// of an interface that goes down, and others delete things. A row whose prefix has another owner meanwhile is left
// alone. A row that is out of service is logged once, and missing from Entries.
func (n *Node) restore(keys []contract.Key) error {
	held, err := n.dump()
	if err != nil {
		return err
	}
	var repaired []string
	for _, key := range keys {
		r := n.rows.Get(key)
		if r == nil {
			continue
		}
		repair, err := n.restoreRow(held, key, r)
		n.note(key, err)
		if repair != "" {
			repaired = append(repaired, fmt.Sprintf("%s (%s)", key, repair))
		}
	}
	if count := len(repaired); count > 0 {
		n.options.Log("other programs changed %d entries, which are written again: %s", count, strings.Join(repaired[:min(count, 3)], ", "))
	}
	return nil
}

// restoreRow also returns the repairs of objects that only another program can have changed.
func (n *Node) restoreRow(held holdings, key contract.Key, r *row) (repair string, err error) {
	wanted, err := n.view().translate(r.Entry)
	if err != nil {
		return "", err
	}
	var obstacle error
	for _, route := range wanted.Routes {
		_, has := held.routes[idOf(route)]
		obstacle = n.others.refuse(n.conn, key, route, has)
		if obstacle != nil && !has {
			n.yielded[key] = true
			r.Objects = wanted
			return "", obstacle
		}
	}
	delete(n.yielded, key)
	if diff := held.differs(wanted); diff != "" || !sameObjects(r.Objects, wanted) {
		changes := changeSet{conn: n.conn}
		if err := changes.put(key, r.Objects, wanted); err != nil {
			return "", changes.undo(err)
		}
		changes.finish(n.options.Log)
		if sameObjects(r.Objects, wanted) {
			repair = diff
		}
		r.Objects = wanted
	}
	return repair, cmp.Or(obstacle, n.cutOff(r.Entry))
}

// note logs a reason once, and its end.
func (n *Node) note(key contract.Key, reason error) {
	before := n.outages[key]
	switch {
	case reason == nil && before != "":
		n.options.Log("%s is as it should be again", key)
		delete(n.outages, key)
	case reason != nil && before != reason.Error():
		n.options.Log("out of service: %v", reason)
		n.outages[key] = reason.Error()
	}
}
