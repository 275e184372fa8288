// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"go.fd.io/govpp/binapi/ip"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/gateways"
	"sextant/agent/internal/rows"
)

// VPP does not notify of changes of its FIB, so foreign changes are found by looking: every keepEvery, and not so often
// that reading VPP takes more than a twentieth of the time.
const (
	keepEvery = 3 * time.Second
	keepShare = 20
)

// keep writes again the objects that another program has deleted or changed. A prefix that has another owner meanwhile
// is left alone: its row is missing, and its writer gets the reason. Called with mu held.
func (n *Node) keep() error {
	start := time.Now()
	if start.Before(n.keepNext) {
		return nil
	}
	held, err := n.conn.dump(n.sources)
	n.keepNext = time.Now().Add(max(n.options.keepEvery, keepShare*time.Since(start)))
	if err != nil {
		return err
	}
	lost := map[objectID]object{}
	for _, r := range n.rows.All() {
		for _, o := range r.Objects {
			if held.differsOne(o, n.sources) != "" {
				lost[o.id()] = o
			}
		}
	}
	var repaired []string
	outages := map[objectID]string{}
	for _, o := range ascending(slices.Collect(maps.Values(lost))) {
		reason := held.differsOne(o, n.sources)
		err := n.foreign(held, o)
		if err == nil {
			err = n.restore(held, o)
		}
		if n.conn.lost != nil {
			return n.conn.lost
		}
		if err == nil {
			repaired = append(repaired, reason)
			continue
		}
		if outages[o.id()] = err.Error(); n.outages[o.id()] != err.Error() {
			n.options.Log("out of service: %v", err)
		}
	}
	n.outages = outages
	repaired = append(repaired, n.keepEdge()...)
	n.keepNext = time.Now().Add(max(n.options.keepEvery, keepShare*time.Since(start))) // with many rows ACLs are long
	if n.conn.lost != nil {
		return n.conn.lost
	}
	if count := len(repaired); count > 0 {
		n.options.Log("other programs changed %d objects, which are written again: %s", count, strings.Join(repaired[:min(count, 3)], ", "))
	}
	return nil
}

// foreign refuses an object whose prefix has another owner: it would replace foreign steering silently, stand behind a
// foreign entry, or before it.
func (n *Node) foreign(held holdings, o object) error {
	at, ok := placeOf(o)
	if !ok {
		return nil
	}
	if s, steers := o.(steer); steers {
		if other, there := held.steering[s.id()]; there && !ownPolicies().Contains(other.bsid) {
			return &contract.Error{
				Code:    contract.FailedPrecondition,
				Message: fmt.Sprintf("%s: VPP steers this prefix into %s already, a policy that is not the agent's", o.id(), other.bsid),
				Remedy:  "delete that steering, or choose another prefix",
			}
		}
	}
	best, there, err := n.conn.best(at)
	if err != nil || !there || best == n.sources.own || best == n.sources.sr || follows(n.sources.names[best]) {
		return err
	}
	return &contract.Error{
		Code:    contract.FailedPrecondition,
		Message: fmt.Sprintf("%s: VPP has an entry for %s in table %d that is not the agent's (source %q)", o.id(), at.dst, at.table, n.sources.names[best]),
		Remedy:  "delete that entry (`vppctl show ip6 fib` lists it), or choose another prefix",
	}
}

// follows reports whether the entries of a source are VPP's own bookkeeping, derived from entries of others.
func follows(source string) bool {
	switch source {
	case "adjacency", "recursive-resolution", "urpf-exempt", "default-route", "attached_export", "interpose":
		return true
	}
	return false
}

// best asks whose entry is the one that packets follow at exactly a prefix.
func (c *conn) best(at place) (source uint8, there bool, err error) {
	request := &ip.IPRouteLookupV2{TableID: at.table, Exact: 1, Prefix: prefix(at.dst)}
	if _, err := c.core.GetMessageID(request); err != nil {
		return 0, false, nil //nolint:nilerr // a VPP that cannot be asked
	}
	reply, err := call[*ip.IPRouteLookupV2Reply](c, request)
	if err != nil || reply.Retval != 0 {
		return 0, false, err
	}
	return reply.Route.Src, true, nil
}

// obstacle returns the foreign state that stands in the way of an entry that is new, or that VPP has lost.
func (b *effects) obstacle(c rows.Change[[]object]) error {
	if err := b.cutOff(c.New.Entry); err != nil {
		return err
	}
	for _, o := range c.New.Objects {
		if held := own(c.Old, o); held != nil && b.held.differsOne(held, b.sources) == "" {
			continue // it is the agent's
		}
		if err := b.foreign(b.held, o); err != nil {
			var known *contract.Error
			if errors.As(err, &known) {
				known.Message = fmt.Sprintf("%s: %s", c.Key, known.Message)
			}
			return err
		}
	}
	return nil
}

// cutOff says of a route to hosts that its port has lost the address they send to.
func (n *Node) cutOff(e contract.Entry) error {
	return n.gateways.CutOff(e, func(id contract.NextHopID) gateways.Port {
		nextHop, _ := rows.Lookup[contract.NextHop](n.rows, contract.NextHopKey(id))
		return gateways.Port{ID: nextHop.Port, Name: n.options.Ports[nextHop.Port], Up: n.ports[nextHop.Port].present}
	})
}

// own is the object of a row under the id of an object, or nil.
func own(r *row, o object) object {
	if r == nil {
		return nil
	}
	for _, held := range r.Objects {
		if held.id() == o.id() {
			return held
		}
	}
	return nil
}
