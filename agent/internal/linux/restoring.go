// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"net/netip"
	"slices"
	"time"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/restoration"
	"sextant/agent/internal/rows"
)

// restoring is the plane of ports that wait when their carrier is back. A wait acts below the contract: routes are
// translated without the ports that are held (view.route), and no row is changed.
//
// The kernel uses a route again as soon as a port of it has its carrier. So the agent takes a lost port out of routes at once,
// while the kernel uses their other members or standbys already, and puts it in again when its wait is over.
type restoring struct {
	plane.Idle
	node   *Node
	step   plane.Step
	rows   map[contract.PortID]contract.Restoration
	ports  map[contract.PortID]restoration.Port
	egress egress
	timer  *time.Timer // at the end of the next wait; nil where no port waits
}

func newRestoring(n *Node) *restoring {
	return &restoring{
		node: n, rows: map[contract.PortID]contract.Restoration{}, ports: map[contract.PortID]restoration.Port{},
		egress: egress{via: map[egressKey][]contract.NextHopID{}, lengths: map[int]int{}},
	}
}

// Serves waits of ports.
func (p *restoring) Serves(e contract.Entry) bool {
	_, ok := e.(contract.Restoration)
	return ok
}

// Follow takes note of waits, and of the routes and SIDs that repairs leave by. A route that is written over a port that waits
// ends the wait: the controller that writes it knows of the port.
func (p *restoring) Follow(old, fresh contract.Entry) error {
	p.egress.replace(old, fresh)
	if e, was := old.(contract.Restoration); was {
		delete(p.rows, e.Port)
		p.step.Due()
	}
	switch e := fresh.(type) {
	case contract.Restoration:
		if _, ok := p.node.ports[e.Port]; !ok {
			return contract.Errorf(contract.InvalidArgument, "%s: port %d is not a port of this node", e.Key(), e.Port)
		}
		p.rows[e.Port] = e
		p.step.Due()
	case contract.Route:
		p.release(e)
	}
	return nil
}

func (p *restoring) release(e contract.Route) {
	if p.timer == nil {
		return
	}
	for _, m := range e.Members {
		nextHop, _ := rows.Lookup[contract.NextHop](p.node.rows, contract.NextHopKey(m.NextHop))
		port := p.ports[nextHop.Port]
		if _, waits := port.Due(); waits {
			p.ports[nextHop.Port] = port.Released(time.Now())
			p.node.options.Log("port %d is used again before its wait is over, as a route over it was written", nextHop.Port)
			p.step.Due()
		}
	}
}

// Sync has routes follow.
func (p *restoring) Sync() error { return p.step.Sync(p.node.refreshPorts) }

// lost takes note of interfaces that have lost their carrier. A port that has it again by now waits too: its loss may
// have been over before anything was looked at.
func (p *restoring) lost(interfaces []int) {
	for id, port := range p.ports {
		if row, waits := p.rows[id]; waits && slices.Contains(interfaces, p.node.ports[id].Index) {
			p.ports[id] = port.Next(false, time.Now(), row.Wait)
		}
	}
}

// look finds out which ports are held, of those that were found. Called before anything that depends on them is
// reconciled.
func (p *restoring) look(found map[contract.PortID]contract.Port, states map[contract.PortID]portState) {
	now := time.Now()
	var next time.Time
	for id := range p.ports {
		if _, waits := p.rows[id]; !waits {
			delete(p.ports, id)
		}
	}
	for id, row := range p.rows {
		state := states[id]
		state.Dark = !found[id].Up
		before, known := p.ports[id]
		if !known {
			before = restoration.Begin(!state.Dark, now)
		}
		after := before.Next(!state.Dark, now, row.Wait)
		p.ports[id], state.Held = after, !after.Used()
		states[id] = state
		if due, waits := after.Due(); waits && (next.IsZero() || due.Before(next)) {
			next = due
		}
	}
	p.wake(next, now)
}

// wake has the ports looked at when the next wait is over; never, for the zero time.
func (p *restoring) wake(next, now time.Time) {
	p.rest()
	if next.IsZero() {
		return
	}
	p.timer = time.AfterFunc(next.Sub(now), func() {
		n := p.node
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.closing.Load() || n.removed {
			return
		}
		if err := n.refreshPorts(); err != nil {
			n.options.Log("after the wait of a port: %v", err)
		}
	})
}

// rest has no port looked at any more.
func (p *restoring) rest() {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
}

// Adopt takes over the waits of a former agent. The former knowledge about ports is lost: those that are up are used.
func (p *restoring) Adopt() error {
	for _, e := range p.node.rows.Each() {
		p.egress.replace(nil, e)
		if wait, is := e.(contract.Restoration); is {
			p.rows[wait.Port] = wait
			p.step.Due()
		}
	}
	return nil
}

// Reset has no port wait.
func (p *restoring) Reset() error {
	if len(p.rows) > 0 {
		p.step.Due()
	}
	clear(p.rows)
	clear(p.egress.via)
	clear(p.egress.lengths)
	return p.Sync()
}

// Close leaves routes as they are: held ports come back with the next agent.
func (p *restoring) Close() error {
	p.rest()
	return nil
}

// newlyHeld are the ports that routes leave or come back to, and those that are held while another port has lost its
// carrier or has it back: the standbys of their routes may be dead, or alive again.
func newlyHeld(before, now map[contract.PortID]portState) map[contract.PortID]bool {
	changed := map[contract.PortID]bool{}
	for id, state := range now {
		if state.Held != before[id].Held {
			changed[id] = true
		}
		if state.Dark == before[id].Dark {
			continue
		}
		for other := range now {
			if other != id && now[other].Held {
				changed[other] = true
			}
		}
	}
	return changed
}

// routesOver lists the routes that a standby, or a list of one, stands in for: they may be without a port that is held.
func (p *restoring) routesOver(key contract.Key) []contract.Key {
	if !p.holds() {
		return nil
	}
	standbys := []contract.Key{key}
	if key.Table == contract.TableSIDList {
		standbys = p.node.rows.Users(key)
	}
	var routes []contract.Key
	for _, standby := range standbys {
		route := contract.Key{Table: contract.TableRouteV6, Match: standby.Match}
		if standby.Table == contract.TableStandbyV6 && p.node.rows.Get(route) != nil { // the standby itself may be about to go
			routes = append(routes, route)
		}
	}
	return routes
}

func (p *restoring) holds() bool {
	for id := range p.rows {
		if p.node.ports[id].Held {
			return true
		}
	}
	return false
}

// standsIn says whether packets to a route's destination get on without it: it has a standby, and none of the ports that the
// repair leaves by is known to be dead.
func (p *restoring) standsIn(e contract.Route) bool {
	standby, there := rows.Lookup[contract.Standby](p.node.rows, contract.Standby{VRF: e.VRF, Dst: e.Dst}.Key())
	if !there {
		return false
	}
	list, _ := rows.Lookup[contract.SIDList](p.node.rows, contract.SIDListKey(p.node.view().inUse(standby.SIDList)))
	for _, m := range list.Members {
		if len(m.Segments) > 0 && !p.dead(p.egress.of(m.Segments[0])) {
			return true
		}
	}
	return false
}

// dead says of next hops whether all of their ports are without carrier. Without any it is not known.
func (p *restoring) dead(via []contract.NextHopID) bool {
	return len(via) > 0 && !slices.ContainsFunc(via, func(id contract.NextHopID) bool {
		nextHop, _ := rows.Lookup[contract.NextHop](p.node.rows, contract.NextHopKey(id))
		state := p.node.ports[nextHop.Port]
		return state.Up && !state.Dark
	})
}

// egress finds the next hops by which the node sends packets to an address: SIDs of its own before routes to the same
// prefix.
type egress struct {
	via     map[egressKey][]contract.NextHopID
	lengths map[int]int // how many prefixes of each length
}

type egressKey struct {
	prefix netip.Prefix
	sid    bool
}

func (x egress) replace(old, fresh contract.Entry) {
	if key, _, is := egressOf(old); is && x.via[key] != nil {
		delete(x.via, key)
		if x.lengths[key.prefix.Bits()]--; x.lengths[key.prefix.Bits()] == 0 {
			delete(x.lengths, key.prefix.Bits())
		}
	}
	if key, via, is := egressOf(fresh); is {
		if x.via[key] == nil {
			x.lengths[key.prefix.Bits()]++
		}
		x.via[key] = via
	}
}

func egressOf(e contract.Entry) (egressKey, []contract.NextHopID, bool) {
	switch e := e.(type) {
	case contract.MySID:
		if e.Behavior.NextHop == 0 {
			return egressKey{e.SID, true}, []contract.NextHopID{}, true
		}
		return egressKey{e.SID, true}, []contract.NextHopID{e.Behavior.NextHop}, true
	case contract.Route:
		if e.VRF != 0 || !e.Dst.Addr().Is6() {
			return egressKey{}, nil, false
		}
		via := make([]contract.NextHopID, len(e.Members))
		for i, m := range e.Members {
			via[i] = m.NextHop
		}
		return egressKey{e.Dst, false}, via, true
	default:
		return egressKey{}, nil, false
	}
}

// of finds those of the longest prefix.
func (x egress) of(dst netip.Addr) []contract.NextHopID {
	longest, found := -1, []contract.NextHopID(nil)
	for length := range x.lengths {
		if length <= longest {
			continue
		}
		prefix := netip.PrefixFrom(dst, length).Masked()
		for _, sid := range []bool{true, false} {
			if via := x.via[egressKey{prefix, sid}]; via != nil {
				longest, found = length, via
				break
			}
		}
	}
	return found
}
