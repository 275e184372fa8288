// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
	"sextant/agent/internal/synthetic"
)

// others follows foreign changes in the namespace: the foreign routes, which the agent must not take over, and changes
// of the agent's objects. The routes are many, and finding those to a prefix needs a full dump; so the dump is kept,
// and read again only when a prefix is asked for that was changed since. The notifications wait in the socket's buffer
// until the next batch or read looks: no goroutine, and no moment at which a change that was finished before a batch
// began is not yet seen.
type others struct {
	events *netlink.Conn
	own    uint32 // the socket of the agent's writes

	known  bool
	routes map[tableDst]owner // of each prefix the one that goes first
	stale  map[tableDst]bool  // prefixes changed since

	touched   bool // the agent's objects, since the keeper looked
	addresses bool // of interfaces, since they were read
}

type tableDst struct {
	table uint32
	dst   netip.Prefix
}

// owner is a foreign route.
type owner struct {
	protocol uint8
	metric   uint32
	local    bool // an address of this node
}

// eventGroups are the groups of events about the agent's objects and the owners of prefixes, besides links.
func eventGroups() []uint32 {
	return []uint32{
		rtnl.GroupNeighbor, rtnl.GroupIPv4Address, rtnl.GroupIPv4Route, rtnl.GroupIPv4Rule,
		rtnl.GroupIPv6Address, rtnl.GroupIPv6Route, rtnl.GroupIPv6Rule,
	}
}

const (
	eventBufferBytes = 4 << 20
	maxStale         = 1 << 16 // prefixes; more are "all"
)

// follow opens a socket that receives notifications.
func follow(netns, family int, groups ...uint32) (*netlink.Conn, error) {
	events, err := netlink.Dial(family, &netlink.Config{NetNS: netns})
	if err != nil {
		return nil, fmt.Errorf("open notifications: %w", err)
	}
	err = events.SetReadBuffer(eventBufferBytes)
	for _, g := range groups {
		err = errors.Join(err, events.JoinGroup(g))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("follow changes: %w", err), events.Close())
	}
	return events, nil
}

func watchOthers(netns int, own *rtnl.Conn) (*others, error) {
	id, err := own.PortID()
	if err != nil {
		return nil, err
	}
	events, err := follow(netns, unix.NETLINK_ROUTE, eventGroups()...)
	if err != nil {
		return nil, err
	}
	return &others{events: events, own: id, stale: map[tableDst]bool{}, addresses: true}, nil
}

func (o *others) close() error { return o.events.Close() }

// drain reads the pending events, without waiting. More changes than fit are taken for a change of everything.
func (o *others) drain() error {
	raw, err := o.events.SyscallConn()
	if err != nil {
		return fmt.Errorf("read changes: %w", err)
	}
	buffer := make([]byte, 1<<16)
	var failure error
	err = raw.Control(func(fd uintptr) {
		for failure == nil {
			size, _, err := unix.Recvfrom(int(fd), buffer, unix.MSG_DONTWAIT)
			switch {
			case errors.Is(err, unix.EAGAIN):
				return
			case errors.Is(err, unix.ENOBUFS):
				o.everything()
			case err != nil:
				failure = err
			default:
				o.read(buffer[:size])
			}
		}
	})
	if err := errors.Join(err, failure); err != nil {
		return fmt.Errorf("read changes: %w", err)
	}
	return nil
}

func (o *others) everything() { o.known, o.touched, o.addresses = false, true, true }

func (o *others) read(b []byte) {
	changes, err := rtnl.Changes(b)
	for _, c := range changes {
		o.note(c)
	}
	if err != nil || len(o.stale) > maxStale {
		o.everything()
	}
}

func (o *others) note(c rtnl.Change) {
	switch {
	case c.Address != nil && c.Address.Prefix == passing(), c.Route != nil && c.Route.Dst == passing():
	case c.Address != nil:
		o.addresses, o.touched = true, true // the kernel drops routes with a last address, and does not say which
	case c.PortID == o.own:
	case c.Route != nil && c.Route.Protocol == Protocol, c.Rule != nil && c.Rule.Protocol == Protocol:
		o.touched = true
	case c.Route != nil:
		o.stale[tableDst{c.Route.Table, c.Route.Dst}] = true
	case c.Neighbor != nil && (c.Neighbor.Protocol == Protocol || synthetic.Is(c.Neighbor.Addr)):
		o.touched = true
	}
}

// of finds the foreign route to the destination of one of the agent's that goes first.
func (o *others) of(conn *rtnl.Conn, r rtnl.Route) (owner, bool, error) {
	places := []tableDst{{r.Table, r.Dst}}
	if r.Table == mainTable {
		places = append(places, tableDst{unix.RT_TABLE_LOCAL, r.Dst}) // is asked before the main table
	}
	var first owner
	found := false
	for _, place := range places {
		if !o.known || o.stale[place] {
			if err := o.load(conn); err != nil {
				return owner{}, false, err
			}
		}
		if other, ok := o.routes[place]; ok && (!found || other.local) {
			first, found = other, true
		}
	}
	return first, found, nil
}

func (o *others) load(conn *rtnl.Conn) error {
	routes := map[tableDst]owner{}
	for _, family := range []byte{unix.AF_INET6, unix.AF_INET} {
		all, err := conn.Routes(family, rtnl.Filter{})
		if err != nil {
			return err
		}
		for _, r := range all {
			if r.Protocol == Protocol {
				continue
			}
			id := tableDst{r.Table, r.Dst}
			if other, ok := routes[id]; !ok || r.Metric < other.metric {
				routes[id] = owner{r.Protocol, r.Metric, r.Table == unix.RT_TABLE_LOCAL}
			}
		}
	}
	o.routes, o.known = routes, true
	clear(o.stale)
	return nil
}

// refuse returns an error if a prefix has another owner. A route that the agent has already is only in question when
// the other one goes before it; a prefix that the agent does not have it does not take, whatever the metric: routing
// daemons withdraw routes that they find taken.
func (o *others) refuse(conn *rtnl.Conn, key contract.Key, r rtnl.Route, has bool) error {
	other, found, err := o.of(conn, r)
	if err != nil || !found || has && !other.local && other.metric > r.Metric {
		return err
	}
	if other.local {
		return &contract.Error{
			Code:    contract.FailedPrecondition,
			Message: fmt.Sprintf("%s: %s is an address of this node itself, which goes before every route", key, r.Dst.Addr()),
			Remedy:  "take the address away, or choose another prefix",
		}
	}
	return &contract.Error{
		Code: contract.FailedPrecondition,
		Message: fmt.Sprintf("%s: table %d has a route to %s that is not the agent's (protocol %s, metric %d)",
			key, r.Table, r.Dst, protocolName(other.protocol), other.metric),
		Remedy: "remove that route, or leave the prefix to it",
	}
}

// protocolName is the number of a route's owner and, where it has one, its name in iproute2.
func protocolName(number uint8) string {
	names := map[uint8]string{
		1: "redirect", 2: "kernel", 3: "boot", 4: "static", 8: "gated", 9: "ra", 10: "mrt", 11: "zebra", 12: "bird", 13: "dnrouted",
		14: "xorp", 15: "ntk", 16: "dhcp", 17: "mrouted", 18: "keepalived", 42: "babel", 84: "ovn", 99: "openr", 186: "bgp", 187: "isis",
		188: "ospf", 189: "rip", 192: "eigrp",
	}
	if name, ok := names[number]; ok {
		return fmt.Sprintf("%d, %s", number, name)
	}
	return fmt.Sprint(number)
}
