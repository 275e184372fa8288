// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"context"
	"errors"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
	"sextant/agent/internal/plane"
)

// A Plane is one namespace's firewalls. Nothing is loaded before a row needs it.
type Plane struct {
	plane.Idle
	step     plane.Step
	options  pair.Options
	programs programs
	held     census
	whole    bool // the kernel's maps are unknown
}

var (
	_ plane.Plane         = (*Plane)(nil)
	_ contract.CellReader = (*Plane)(nil)

	_ contract.FirewallTeller = (*Plane)(nil)
)

// New makes a Plane; it touches nothing until Sync, or until a SID needs the Device.
func New(options pair.Options) *Plane {
	return &Plane{step: plane.StepOf("firewalls"), options: options, programs: newPrograms(options), held: newCensus(), whole: true}
}

// Serves rules and the SIDs of firewalls.
func (p *Plane) Serves(e contract.Entry) bool {
	switch e := e.(type) {
	case contract.Firewall:
		return true
	case contract.MySID:
		return e.Behavior.IsFirewall()
	}
	return false
}

// Device is where the kernel's routes of SIDs lead: an end of the pair, which is made if it is not there.
func (p *Plane) Device() (int, error) {
	if err := p.programs.makePair(); err != nil {
		return 0, err
	}
	p.step.Due() // it is taken away again where no row stays
	return p.programs.pair.NearIndex, nil
}

// Follow takes note of rows of its own, and of other SIDs, which are not to be taken for a firewall's.
func (p *Plane) Follow(old, fresh contract.Entry) error {
	if rule, ok := fresh.(contract.Firewall); ok {
		if err := refuse(rule); err != nil {
			return err
		}
	}
	if err := p.held.exchange(old, fresh); err != nil {
		return err
	}
	for _, e := range []contract.Entry{old, fresh} {
		switch e := e.(type) {
		case contract.Firewall:
			p.step.Due()
		case contract.MySID:
			if e.Behavior.IsFirewall() || len(p.held.sids) > 0 {
				p.step.Due()
			}
		case contract.EncapSource:
			p.step.Due()
		}
	}
	return nil
}

// Sync makes eBPF match the rows.
func (p *Plane) Sync() error {
	return p.step.Sync(func() error {
		err := p.sync()
		if err != nil {
			p.whole = true
		}
		return err
	})
}

func (p *Plane) sync() error {
	if len(p.held.sids) == 0 {
		p.whole = true
		return p.programs.remove()
	}
	around, err := p.options.Around()
	if err != nil {
		return err
	}
	if err := p.programs.load(); err != nil {
		return err
	}
	if p.whole {
		if err := p.programs.recall(&p.held); err != nil {
			return err
		}
	}
	for _, step := range []func() error{
		func() error { return p.programs.install(&p.held) },
		func() error { return p.programs.syncSIDs(p.options.Rows, around.Own) },
		func() error { return p.programs.forget(&p.held) },
		func() error { return p.programs.settle(around) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	p.whole = false
	return nil
}

// Keep repairs foreign changes, also of the programs, which the kernel does not report; and closes flows.
func (p *Plane) Keep(seen plane.Seen) error {
	if len(p.held.sids) == 0 {
		return nil
	}
	if seen.Ports || seen.Rows || seen.Pulse && p.step.Failure() != nil {
		p.whole = p.whole || seen.Rows
		p.step.Due()
		if err := p.Sync(); err != nil {
			p.options.Log("%v; its rows will be missing", err)
			return nil
		}
	}
	if seen.Pulse && p.step.Failure() == nil {
		return p.mend()
	}
	return nil
}

func (p *Plane) mend() error {
	around, err := p.options.Around()
	if err != nil {
		return err
	}
	if err := p.programs.load(); err != nil {
		return err
	}
	return errors.Join(p.programs.settle(around), p.programs.sweepFlows(&p.held))
}

// Outage is that of all rows: they are brought in step together.
func (p *Plane) Outage(e contract.Entry) error {
	if !p.Serves(e) {
		return nil
	}
	return p.step.Outage(e)
}

// Adopt has the next Sync compare all, also where no row is left: then it removes the state of a former agent.
func (p *Plane) Adopt() error {
	p.held = newCensus()
	for _, e := range p.options.Rows.Each() {
		if err := p.held.exchange(nil, e); err != nil {
			return err
		}
	}
	p.whole = true
	p.step.Due()
	return nil
}

// Reset takes the program away.
func (p *Plane) Reset() error {
	p.held = newCensus()
	p.step.Due()
	return p.Sync()
}

// FirewallEvents has its argument called for each packet that a rule logs, also of programs that are loaded later.
func (p *Plane) FirewallEvents(tell func(contract.FirewallEvent)) (stop func()) {
	return p.programs.listeners.add(tell)
}

// Close leaves the program attached.
func (p *Plane) Close() error { return p.programs.Close() }

// Counters of rules and SIDs.
func (p *Plane) Counters(entries []contract.Entry) (map[contract.Key]*contract.Counters, error) {
	return p.programs.counters(entries)
}

// Cells reads counters that belong to no row.
func (p *Plane) Cells(_ context.Context, array string, from, count int) ([]contract.Counters, error) {
	return p.programs.cells(array, from, count)
}
