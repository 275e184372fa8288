// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"context"
	"errors"
	"slices"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/rows"
)

// A Plane is one namespace's gateway between GTP-U and SRv6. Nothing is loaded before a row needs it.
//
// There may be 100,000 sessions, so a batch costs only its changes: Follow remembers the changes, and Sync writes them.
// All is compared with the kernel only where a foreign change is possible, or a former agent has left it.
type Plane struct {
	plane.Idle
	step     plane.Step
	options  pair.Options
	programs programs
	held     census
	changed  map[contract.Key]contract.Entry // as it was before the batch; nil for none
	settings bool                            // SIDs, the source or ports have changed
	whole    bool                            // the kernel's maps are unknown
}

var (
	_ plane.Plane         = (*Plane)(nil)
	_ contract.CellReader = (*Plane)(nil)
)

// New makes a Plane; it touches nothing until Sync.
func New(options pair.Options) *Plane {
	return &Plane{
		step: plane.StepOf("GTP"), options: options, programs: newPrograms(options), held: newCensus(),
		changed: map[contract.Key]contract.Entry{}, whole: true,
	}
}

// Serves tunnels, rules, sessions, and the SIDs where GTP ends or begins.
func (p *Plane) Serves(e contract.Entry) bool {
	switch e := e.(type) {
	case contract.GTPTunnel, contract.GTPRule, contract.UE:
		return true
	case contract.MySID:
		return kindOf(e.Behavior.Action) != sidNone
	}
	return false
}

// Follow takes note of rows of its own, of lists that they travel, and of rows that may change the settings.
func (p *Plane) Follow(old, fresh contract.Entry) error {
	for _, e := range []contract.Entry{old, fresh} {
		switch e.(type) {
		case contract.MySID, contract.EncapSource:
			p.settings = true
		}
	}
	served := old != nil && p.Serves(old) || fresh != nil && p.Serves(fresh)
	list, isList := entryOf(old, fresh).(contract.SIDList)
	if !served && !isList {
		return nil
	}
	if isList && fresh != nil && p.held.users[list.ID] > 0 {
		if err := refuseList(fresh.(contract.SIDList)); err != nil {
			return err
		}
	}
	if fresh != nil && p.Serves(fresh) {
		if err := p.refuse(fresh); err != nil {
			return err
		}
	}
	if err := p.held.exchange(old, fresh); err != nil {
		return err
	}
	key := entryOf(old, fresh).Key()
	if _, known := p.changed[key]; !known {
		p.changed[key] = old
	}
	p.step.Due()
	return nil
}

func entryOf(old, fresh contract.Entry) contract.Entry {
	if fresh != nil {
		return fresh
	}
	return old
}

// refuse rejects entries that the program does not support.
func (p *Plane) refuse(e contract.Entry) error {
	switch e := e.(type) {
	case contract.GTPTunnel:
		return onlyMain(e.Key(), e.VRF)
	case contract.GTPRule:
		if err := errors.Join(onlyMain(e.Key(), e.VRF), wholeBytes(e.Key(), "args_at", e.ArgsAt), wholeBytes(e.Key(), "address_at", e.AddressAt),
			wholeBytes(e.Key(), "source_at", e.SourceAt)); err != nil {
			return err
		}
		return p.refuseUse(e.Key(), e.SIDList)
	case contract.UE:
		if err := errors.Join(onlyMain(e.Key(), e.VRF), wholeBytes(e.Key(), "args_at", e.ArgsAt)); err != nil {
			return err
		}
		return p.refuseUse(e.Key(), e.SIDList)
	case contract.MySID:
		return errors.Join(wholeBytes(e.Key(), "at", e.Behavior.GTP.At), wholeBytes(e.Key(), "source_at", e.Behavior.GTP.SourceAt))
	}
	return nil
}

func onlyMain(key contract.Key, vrf contract.VRF) error {
	if vrf != 0 {
		return contract.Errorf(contract.Unimplemented, "%s: only vrf 0 is served here, not vrf %d", key, vrf)
	}
	return nil
}

func wholeBytes(key contract.Key, field string, at uint8) error {
	if at%8 != 0 {
		return contract.Errorf(contract.Unimplemented, "%s: %s %d is no multiple of 8, a Linux node writes whole bytes", key, field, at)
	}
	return nil
}

func (p *Plane) refuseUse(user contract.Key, id contract.SIDListID) error {
	if list, ok := rows.Lookup[contract.SIDList](p.options.Rows, contract.SIDListKey(id)); ok && id != 0 {
		if err := refuseList(list); err != nil {
			return rows.UsedBy(user, err)
		}
	}
	return nil
}

// refuseList: a slice's path is one list of segments, which is exchanged at once.
func refuseList(list contract.SIDList) error {
	if len(list.Members) != 1 {
		err := contract.Errorf(contract.Unimplemented, "%s has %d members, GTP and sessions are sent over one", list.Key(), len(list.Members))
		err.Remedy = "give each path a list of its own, and rules that distinguish sessions"
		return err
	}
	if segments := len(list.Members[0].Segments); segments > maxSegments {
		return contract.Errorf(contract.Unimplemented, "%s has %d segments, a Linux node pushes up to %d", list.Key(), segments, maxSegments)
	}
	return nil
}

// Sync makes eBPF match the rows.
func (p *Plane) Sync() error {
	if p.settings && p.held.served > 0 {
		p.step.Due()
	}
	return p.step.Sync(func() error {
		err := p.sync()
		if err != nil {
			p.whole = true
		}
		return err
	})
}

func (p *Plane) sync() error {
	defer clear(p.changed)
	if p.held.served == 0 {
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
	if !slices.Equal(around.Own, p.programs.own) {
		p.programs.own, p.settings = around.Own, true
	}
	if p.whole {
		err = p.programs.compare(p.options.Rows)
	} else {
		err = p.programs.follow(p.options.Rows, p.changed, p.settings)
	}
	if err == nil {
		err = p.programs.settle(around, p.held)
	}
	if err == nil {
		p.whole, p.settings = false, false
	}
	return err
}

// Keep repairs foreign changes to the program, and follows ports, addresses and the source.
func (p *Plane) Keep(seen plane.Seen) error {
	if !seen.Ports && !seen.Rows || p.held.served == 0 {
		return nil
	}
	p.whole = p.whole || seen.Rows
	p.step.Due()
	if err := p.Sync(); err != nil {
		p.options.Log("%v; its rows will be missing", err)
	}
	return nil
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

// Close leaves the program attached.
func (p *Plane) Close() error { return p.programs.Close() }

// Counters of tunnels, rules, sessions and SIDs.
func (p *Plane) Counters(entries []contract.Entry) (map[contract.Key]*contract.Counters, error) {
	return p.programs.counters(entries)
}

// Cells reads counters that belong to no row.
func (p *Plane) Cells(_ context.Context, array string, from, count int) ([]contract.Counters, error) {
	return p.programs.cells(array, from, count)
}
