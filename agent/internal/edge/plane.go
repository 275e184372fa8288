// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"context"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/rows"
)

// A Plane is one namespace's edge. Nothing is loaded before a port has a role.
type Plane struct {
	plane.Idle
	step     plane.Step
	options  Options
	programs programs
	wanted   wanted
	ports    map[contract.PortID]int // as they were last
}

// Options says where an edge is.
type Options struct {
	pair.Options
	// Ports gives each port of the node its interface's index, 0 while it has none.
	Ports func() map[contract.PortID]int
	// Own says of a device's name whether it is one of the agent's own pairs.
	Own func(device string) bool
}

var (
	_ plane.Plane         = (*Plane)(nil)
	_ contract.CellReader = (*Plane)(nil)
)

// New makes a Plane; it touches nothing until Sync.
func New(options Options) *Plane {
	return &Plane{step: plane.StepOf("the edge"), options: options, programs: newPrograms(options.Options, options.Own), wanted: newWanted()}
}

// Serves the rows of the edge.
func (p *Plane) Serves(e contract.Entry) bool {
	switch e.(type) {
	case contract.EdgePort, contract.EdgeSID, contract.EdgeSource, contract.EdgePeer:
		return true
	}
	return false
}

// Follow takes note of rows of its own.
func (p *Plane) Follow(old, fresh contract.Entry) error {
	if isRule(old) || isRule(fresh) {
		p.wanted.staleGateways = true
		p.step.Due()
	}
	if !p.servesAny(old, fresh) {
		return nil
	}
	if err := p.refuse(fresh); err != nil {
		return err
	}
	p.wanted.exchange(old, fresh)
	p.step.Due()
	if err := p.wanted.fits(); err != nil {
		p.wanted.exchange(fresh, old)
		return err
	}
	return nil
}

// isRule reports whether an entry may decapsulate GTP-U, which the mobile session feature does.
func isRule(e contract.Entry) bool {
	_, is := e.(contract.GTPRule)
	return is
}

func (p *Plane) servesAny(entries ...contract.Entry) bool {
	for _, e := range entries {
		if e != nil && p.Serves(e) {
			return true
		}
	}
	return false
}

// refuse rejects an entry that has no port: a role that is applied to no packets would look like a filter.
func (p *Plane) refuse(fresh contract.Entry) error {
	var port contract.PortID
	switch e := fresh.(type) {
	case contract.EdgePort:
		port = e.Port
	case contract.EdgePeer:
		port = e.Port
	default:
		return nil
	}
	if _, there := p.options.Ports()[port]; !there {
		return contract.Errorf(contract.InvalidArgument, "%s: port %d is not a port of this node", fresh.Key(), port)
	}
	return nil
}

// Sync makes eBPF match the rows.
func (p *Plane) Sync() error {
	return p.step.Sync(func() error {
		err := p.sync()
		if err == nil {
			p.wanted.settled()
			return nil
		}
		p.wanted.stale()
		return err
	})
}

// sync: new prefixes are written before the ports that use them, each port by one write, and stale ones are deleted
// after.
func (p *Plane) sync() error {
	p.ports = p.options.Ports()
	if len(p.wanted.roles) == 0 {
		p.wanted.stale() // for the next program
		return p.programs.remove()
	}
	fresh, err := p.programs.load()
	if err != nil {
		return err
	}
	if fresh {
		p.wanted.stale()
	}
	if p.wanted.staleGateways {
		p.wanted.translate(rows.Of[contract.GTPRule](p.options.Rows))
	}
	for _, step := range []func() error{
		func() error { return p.programs.learn(&p.wanted) },
		func() error { return p.programs.attachProbes(p.wanted.roles, p.ports) },
		func() error { return p.programs.assign(p.wanted.roles, p.ports) },
		func() error { return p.programs.forget(&p.wanted) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// Keep repairs foreign changes to the program and its maps, which the kernel does not report, and follows the ports.
func (p *Plane) Keep(seen plane.Seen) error {
	if len(p.wanted.roles) == 0 {
		return nil
	}
	if seen.Rows {
		p.wanted.stale()
	}
	if !seen.Rows && !seen.Pulse && !seen.Ports {
		return nil
	}
	p.step.Due()
	before := p.step.Failure()
	if err := p.Sync(); err != nil && before == nil {
		p.options.Log("%v; its rows will be missing", err)
	}
	return nil
}

// Outage is that of all rows: they are brought in step together; or that of a port which a former agent had.
func (p *Plane) Outage(e contract.Entry) error {
	if !p.Serves(e) {
		return nil
	}
	if p.step.Failure() == nil {
		return p.refuse(e)
	}
	return p.step.Outage(e)
}

// Adopt reconciles the edge at once, before the node looks at its routes: a detached program is attached first. Where
// no row is left it removes the edge of a former agent.
func (p *Plane) Adopt() error {
	p.wanted = newWanted()
	for _, e := range p.options.Rows.Each() {
		if p.Serves(e) {
			p.wanted.add(e)
		}
	}
	p.wanted.stale()
	p.step.Due()
	if err := p.Sync(); err != nil {
		p.options.Log("%v; its rows will be missing", err)
	}
	return nil
}

// Reset takes the program away.
func (p *Plane) Reset() error {
	p.wanted = newWanted()
	p.step.Due()
	return p.Sync()
}

// Close leaves the program attached.
func (p *Plane) Close() error { return p.programs.Close() }

// Counters of peers.
func (p *Plane) Counters(entries []contract.Entry) (map[contract.Key]*contract.Counters, error) {
	counts := map[contract.Key]*contract.Counters{}
	for _, e := range entries {
		peer, ok := e.(contract.EdgePeer)
		if !ok {
			continue
		}
		c, err := p.programs.counter(peer)
		if err != nil {
			return nil, err
		}
		counts[e.Key()] = &c
	}
	return counts, nil
}

// Probes reads the probes that an internal port received and sent; nil for another port, and while nothing is loaded. It
// is safe for concurrent use.
func (p *Plane) Probes(port contract.PortID) (*contract.ProbeCounters, error) {
	return p.programs.probes.of(port)
}

// Cells reads the drop counters, by port and reason.
func (p *Plane) Cells(_ context.Context, array string, from, count int) ([]contract.Counters, error) {
	return p.programs.cells(array, from, count)
}
