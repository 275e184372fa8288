// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"context"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/rows"
)

// A Plane is one namespace's Live-Live: flows are numbered and copied, and copies end. Nothing is loaded before a row
// needs it.
type Plane struct {
	plane.Idle
	step     plane.Step
	served   int  // rows of its own
	behind   bool // SIDs or the source have changed, which matter only where something is copied
	options  pair.Options
	programs programs
}

var (
	_ plane.Plane         = (*Plane)(nil)
	_ contract.CellReader = (*Plane)(nil)
)

// New makes a Plane; it touches nothing until Sync.
func New(options pair.Options) *Plane {
	return &Plane{step: plane.StepOf("Live-Live"), options: options, programs: newPrograms(options)}
}

// Serves flows, copies and their ends.
func (p *Plane) Serves(e contract.Entry) bool {
	switch e := e.(type) {
	case contract.Flow, contract.Copy, contract.DedupFlow:
		return true
	case contract.MySID:
		return e.Behavior.Action == contract.Dedup
	}
	return false
}

// Follow takes note of rows of its own, of lists that copies travel and their source, and of SIDs, which are not to be
// copied.
func (p *Plane) Follow(old, fresh contract.Entry) error {
	for _, e := range []contract.Entry{old, fresh} {
		switch e := e.(type) {
		case contract.SIDList:
			if err := p.followList(e); err != nil {
				return err
			}
		case contract.MySID, contract.EncapSource:
			p.behind = true
		}
		if e != nil && p.Serves(e) {
			p.step.Due()
		}
	}
	if fresh != nil && p.Serves(fresh) {
		if err := p.refuse(fresh); err != nil {
			return err
		}
		if err := stateOf(p.options.Rows).fits(); err != nil {
			return err
		}
	}
	p.served += p.counts(fresh) - p.counts(old)
	return nil
}

// counts a row of its own as one.
func (p *Plane) counts(e contract.Entry) int {
	if e != nil && p.Serves(e) {
		return 1
	}
	return 0
}

// followList: old and fresh have one key, so that which of the two is in the rows makes no difference to its users.
func (p *Plane) followList(list contract.SIDList) error {
	users := map[contract.Key]contract.Entry{}
	for user, e := range p.options.Rows.EachUser(list.Key()) {
		if p.Serves(e) {
			users[user] = e
		}
	}
	for _, user := range rows.SortedKeys(users) {
		p.step.Due()
		if err := p.refuse(users[user]); err != nil {
			return rows.UsedBy(user, err)
		}
	}
	return nil
}

// refuse rejects entries that the programs do not support.
func (p *Plane) refuse(e contract.Entry) error {
	switch e := e.(type) {
	case contract.Flow:
		if e.VRF != 0 {
			return contract.Errorf(contract.Unimplemented, "%s: only vrf 0 is served here, not vrf %d", e.Key(), e.VRF)
		}
	case contract.MySID:
		if e.Behavior.VRF != 0 {
			return contract.Errorf(contract.Unimplemented, "%s: dedup serves vrf 0 only, not vrf %d", e.Key(), e.Behavior.VRF)
		}
	case contract.Copy:
		list, ok := rows.Lookup[contract.SIDList](p.options.Rows, contract.SIDListKey(e.SIDList))
		if ok && len(list.Members) != 1 {
			err := contract.Errorf(contract.Unimplemented, "%s: %s has %d members, a path is one of them", e.Key(), list.Key(), len(list.Members))
			err.Remedy = "give each path a list of its own"
			return err
		}
	}
	return nil
}

// stateOf is the state that rows want.
func stateOf(all rows.Reader) State {
	var s State
	for _, e := range rows.Of[contract.MySID](all) {
		if e.Behavior.Action == contract.Dedup {
			s.SIDs = append(s.SIDs, SID{Prefix: e.SID, Path: e.Behavior.Path})
		} else {
			s.Own = append(s.Own, e.SID)
		}
	}
	for _, e := range rows.Of[contract.Copy](all) {
		if list, ok := rows.Lookup[contract.SIDList](all, contract.SIDListKey(e.SIDList)); ok && len(list.Members) == 1 {
			s.Copies = append(s.Copies, Copy{Group: e.Group, Path: e.Path, Segments: list.Members[0].Segments})
		}
	}
	s.Flows, s.Ends = rows.Of[contract.Flow](all), rows.Of[contract.DedupFlow](all)
	return s
}

// Sync makes eBPF match the rows.
func (p *Plane) Sync() error {
	if p.behind {
		p.dueIfServed()
		p.behind = false
	}
	return p.step.Sync(p.sync)
}

func (p *Plane) sync() error {
	s := stateOf(p.options.Rows)
	around, err := p.options.Around()
	if err != nil {
		return err
	}
	s.Ports, s.Source, s.StackIndex, s.StackMAC = around.Ports, around.Source, around.StackIndex, around.StackMAC
	s.Own = append(s.Own, around.Own...)
	return p.programs.Sync(s)
}

// Keep repairs foreign changes to the programs, and follows ports, addresses and the source.
func (p *Plane) Keep(seen plane.Seen) error {
	if !seen.Ports && !seen.Rows {
		return nil
	}
	p.dueIfServed()
	if err := p.Sync(); err != nil {
		p.options.Log("%v; its rows will be missing", err)
	}
	return nil
}

func (p *Plane) dueIfServed() {
	if p.served > 0 {
		p.step.Due()
	}
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
	p.served = 0
	for _, e := range p.options.Rows.Each() {
		p.served += p.counts(e)
	}
	p.step.Due()
	return nil
}

// Reset takes the programs away.
func (p *Plane) Reset() error {
	p.served = 0
	p.step.Due()
	return p.Sync()
}

// Close leaves the programs attached.
func (p *Plane) Close() error { return p.programs.Close() }

// Counters of flows, copies and SIDs.
func (p *Plane) Counters(entries []contract.Entry) (map[contract.Key]*contract.Counters, error) {
	counts := map[contract.Key]*contract.Counters{}
	for _, e := range entries {
		if !p.Serves(e) {
			continue
		}
		c, err := p.programs.counters(e)
		if err != nil {
			return nil, err
		}
		counts[e.Key()] = c
	}
	return counts, nil
}

// Cells reads counters that belong to no row.
func (p *Plane) Cells(_ context.Context, array string, from, count int) ([]contract.Counters, error) {
	return p.programs.Cells(array, from, count)
}
