// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
)

// A changeSet takes the kernel from one set of objects to another: first everything new is written and read back, an
// object that existed before being exchanged atomically; only then (finish or drop) the stale objects are deleted.
// Until then undo restores the former ones.
type changeSet struct {
	conn  *rtnl.Conn
	undos []func() error
	stale objects
}

type routeID struct {
	tableDst
	metric uint32
}

func idOf(r rtnl.Route) routeID { return routeID{tableDst{r.Table, r.Dst}, r.Metric} }

type neighborID struct {
	dev  int
	addr string
}

func idOfNeighbor(n rtnl.Neighbor) neighborID { return neighborID{n.Dev, n.Addr.String()} }

// put writes the wanted objects and remembers which old ones they leave over.
func (c *changeSet) put(key contract.Key, old, wanted objects) error {
	oldNeighbors := map[neighborID]rtnl.Neighbor{}
	for _, o := range old.Neighbors {
		oldNeighbors[idOfNeighbor(o)] = o
	}
	for _, w := range wanted.Neighbors {
		before, existed := oldNeighbors[idOfNeighbor(w)]
		delete(oldNeighbors, idOfNeighbor(w))
		if err := c.putNeighbor(key, w, before, existed); err != nil {
			return err
		}
	}
	oldRoutes := map[routeID]rtnl.Route{}
	for _, o := range old.Routes {
		oldRoutes[idOf(o)] = o
	}
	for _, w := range wanted.Routes {
		before, existed := oldRoutes[idOf(w)]
		delete(oldRoutes, idOf(w))
		if err := c.putRoute(key, w, before, existed); err != nil {
			return err
		}
	}
	for _, w := range wanted.Rules {
		if err := c.putRule(key, w); err != nil {
			return err
		}
	}
	for _, o := range old.Rules {
		if !slices.Contains(wanted.Rules, o) {
			c.stale.Rules = append(c.stale.Rules, o)
		}
	}
	for _, o := range old.Routes {
		if _, left := oldRoutes[idOf(o)]; left {
			c.stale.Routes = append(c.stale.Routes, o)
		}
	}
	for _, o := range old.Neighbors {
		if _, left := oldNeighbors[idOfNeighbor(o)]; left {
			c.stale.Neighbors = append(c.stale.Neighbors, o)
		}
	}
	return nil
}

func (c *changeSet) putNeighbor(key contract.Key, w, before rtnl.Neighbor, existed bool) error {
	got, err := c.conn.SetNeighbor(w)
	if err != nil {
		return refused(key, fmt.Sprintf("neighbour %s", w.Addr), err)
	}
	c.undos = append(c.undos, func() error {
		if existed {
			_, err := c.conn.SetNeighbor(before)
			return err
		}
		return c.conn.DeleteNeighbor(w)
	})
	if got != w {
		return ignored(key, fmt.Sprintf("neighbour: want %+v, kernel has %+v", w, got))
	}
	return nil
}

func (c *changeSet) putRoute(key contract.Key, w, before rtnl.Route, existed bool) error {
	got, err := c.conn.SetRoute(w, existed)
	if errors.Is(err, unix.EEXIST) {
		if err := c.claim(key, w); err != nil {
			return err
		}
		got, err = c.conn.SetRoute(w, true)
	}
	if err != nil {
		return refused(key, fmt.Sprintf("route %s in table %d", w.Dst, w.Table), err)
	}
	c.undos = append(c.undos, func() error {
		if existed {
			_, err := c.conn.SetRoute(before, true)
			return err
		}
		return c.conn.DeleteRoute(w)
	})
	if diff := rtnl.Diff(w, got); diff != "" {
		return ignored(key, diff)
	}
	return nil
}

// putRule has a rule that is there stay.
func (c *changeSet) putRule(key contract.Key, w rtnl.Rule) error {
	added, held, err := c.conn.AddRule(w)
	if added {
		c.undos = append(c.undos, func() error { return c.conn.DeleteRule(w) })
	}
	if err != nil {
		return refused(key, fmt.Sprintf("rule %s", w), err)
	}
	if !held {
		return ignored(key, fmt.Sprintf("no rule %s", w))
	}
	return nil
}

// claim says whether the route that stands where one of the agent's shall go is the agent's own (a
// leftover), which may be replaced.
func (c *changeSet) claim(key contract.Key, w rtnl.Route) error {
	family := byte(unix.AF_INET6)
	if w.Dst.Addr().Is4() {
		family = unix.AF_INET
	}
	routes, err := c.conn.Routes(family, rtnl.Filter{Table: w.Table})
	if err != nil {
		return err
	}
	for _, r := range routes {
		if idOf(r) == idOf(w) && r.Protocol != Protocol {
			return contract.Errorf(contract.FailedPrecondition, "%s: route %s of table %d belongs to protocol %s; remove it first",
				key, r.Dst, r.Table, protocolName(r.Protocol))
		}
	}
	return nil
}

// finish deletes the objects that the new ones replaced. That cannot fail a row which is already in service, so it is
// only reported.
func (c *changeSet) finish(log func(string, ...any)) {
	if err := c.drop(); err != nil {
		log("objects of a former entry stay behind: %v", err)
	}
}

// drop deletes the stale objects, rules before the routes they choose, these before the neighbours they lead to. An
// object that is gone already is as wanted.
func (c *changeSet) drop() error {
	var errs []error
	for _, r := range c.stale.Rules {
		err := c.conn.DeleteRule(r)
		if err == nil {
			c.undos = append(c.undos, func() error { _, _, err := c.conn.AddRule(r); return err })
		} else if !gone(err) {
			errs = append(errs, fmt.Errorf("delete rule %s: %w", r, err))
		}
	}
	for _, r := range slices.Backward(c.stale.Routes) {
		err := c.conn.DeleteRoute(r)
		if err == nil {
			c.undos = append(c.undos, func() error { _, err := c.conn.SetRoute(r, false); return err })
		} else if !gone(err) {
			errs = append(errs, fmt.Errorf("delete route %s of table %d: %w", r.Dst, r.Table, err))
		}
	}
	for _, nb := range c.stale.Neighbors {
		err := c.conn.DeleteNeighbor(nb)
		if err == nil {
			c.undos = append(c.undos, func() error { _, err := c.conn.SetNeighbor(nb); return err })
		} else if !gone(err) {
			errs = append(errs, fmt.Errorf("delete neighbour %s: %w", nb.Addr, err))
		}
	}
	c.stale = objects{}
	return errors.Join(errs...)
}

func gone(err error) bool {
	return errors.Is(err, unix.ESRCH) || errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENODEV) || errors.Is(err, unix.ENXIO)
}

// undo restores the objects from before the first put, newest change first, and gives the reason back.
func (c *changeSet) undo(reason error) error {
	for _, u := range slices.Backward(c.undos) {
		if err := u(); err != nil && !gone(err) {
			reason = errors.Join(reason, fmt.Errorf("and the former state could not be restored: %w", err))
		}
	}
	return reason
}

// refused explains an errno of the kernel.
func refused(key contract.Key, what string, err error) error {
	e := &contract.Error{Code: contract.Internal, Message: fmt.Sprintf("%s: the kernel refuses %s", key, what), Err: err}
	switch {
	case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.EINVAL), errors.Is(err, unix.EPROTONOSUPPORT):
		e.Code, e.Remedy = contract.Unimplemented, "`sextant-agent check` says what this kernel can do"
	case errors.Is(err, unix.ENETDOWN), errors.Is(err, unix.ENODEV), errors.Is(err, unix.EHOSTUNREACH), errors.Is(err, unix.ENETUNREACH):
		e.Code, e.Remedy = contract.FailedPrecondition, "bring its interface up"
	case errors.Is(err, unix.ENOMEM), errors.Is(err, unix.ENOBUFS), errors.Is(err, unix.ENOSPC):
		e.Code, e.Remedy = contract.ResourceExhausted, "remove rows, or raise net.ipv6.route.max_size"
	case errors.Is(err, unix.EACCES):
		e.Code, e.Remedy = contract.FailedPrecondition, "let its interface have IPv6 (sysctl -w net.ipv6.conf.INTERFACE.disable_ipv6=0)"
	case errors.Is(err, unix.EPERM):
		e.Code, e.Remedy = contract.FailedPrecondition, "run the agent as root, or with CAP_NET_ADMIN"
	}
	return e
}

// ignored is the error for attributes that the kernel accepted and then did not keep.
func ignored(key contract.Key, diff string) error {
	return &contract.Error{
		Code:    contract.Unimplemented,
		Message: fmt.Sprintf("%s: the kernel accepted the row and holds another (%s), so it was removed again", key, diff),
		Remedy:  "`sextant-agent check` says what this kernel can do",
	}
}

func sameObjects(a, b objects) bool {
	return slices.Equal(a.Neighbors, b.Neighbors) && slices.Equal(a.Rules, b.Rules) &&
		slices.EqualFunc(a.Routes, b.Routes, func(x, y rtnl.Route) bool { return rtnl.Diff(x, y) == "" })
}
