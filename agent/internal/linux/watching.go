// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"maps"
	"slices"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/probes"
	"sextant/agent/internal/liveness"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/rows"
)

// watching is the plane of watched lists: it has their probes sent. The substitute of a silent one is below the
// contract: rows stay as they were written, and are translated with it (view.inUse, switching.go).
type watching struct {
	plane.Idle
	node   *Node
	prober *probes.Prober
	step   plane.Step
	// rows of its own; a node has many others.
	rows map[contract.SIDListID]contract.Liveness
	// silent are the lists in whose place another one is used, as the kernel's routes are now.
	silent map[contract.SIDListID]bool
	link   probes.Link
}

// Bounds of the probes of a node, for all requests: their cost is in docs/reference/liveness-node.md, and no probe that
// is longer than any link of a domain takes.
const (
	mostProbes     = 20_000 // a second
	mostContainers = 16
)

func newWatching(n *Node) *watching {
	return &watching{node: n, prober: probes.New(n.ns.do), rows: map[contract.SIDListID]contract.Liveness{}, silent: map[contract.SIDListID]bool{}}
}

// Serves liveness.
func (p *watching) Serves(e contract.Entry) bool {
	_, ok := e.(contract.Liveness)
	return ok
}

// Follow takes note of watched lists, of the lists that probes travel, and of the source.
func (p *watching) Follow(old, fresh contract.Entry) error {
	for _, e := range []contract.Entry{old, fresh} {
		switch e.(type) {
		case contract.Liveness, contract.SIDList, contract.EncapSource:
			p.step.Due()
		}
	}
	if err := p.refuse(fresh); err != nil {
		return err
	}
	if e, was := old.(contract.Liveness); was {
		delete(p.rows, e.SIDList)
	}
	if e, is := fresh.(contract.Liveness); is {
		p.rows[e.SIDList] = e
	}
	return nil
}

// refuse rejects lists that cannot be watched, and more than can be sent.
func (p *watching) refuse(fresh contract.Entry) error {
	switch e := fresh.(type) {
	case contract.Liveness:
		if err := p.refuseProbe(e); err != nil {
			return err
		}
		return p.refuseSum(e.Key(), e)
	case contract.SIDList:
		for _, user := range p.node.rows.Users(e.Key()) {
			row, is := p.node.rows.Entry(user).(contract.Liveness)
			if !is || row.Probe != e.ID {
				continue
			}
			if err := p.refuseLength(row, e); err != nil {
				return rows.UsedBy(user, err)
			}
			return p.refuseSum(e.Key(), row)
		}
	}
	return nil
}

// refuseProbe: both lists are there, but when a batch changes both they may differ for a while.
func (p *watching) refuseProbe(e contract.Liveness) error {
	list, _ := rows.Lookup[contract.SIDList](p.node.rows, contract.SIDListKey(e.SIDList))
	probe, _ := rows.Lookup[contract.SIDList](p.node.rows, contract.SIDListKey(e.Probe))
	if len(list.Members) != len(probe.Members) {
		return &contract.Error{
			Code: contract.FailedPrecondition,
			Message: fmt.Sprintf("%s: %s has %d members and %s %d; each member has a probe of its own",
				e.Key(), list.Key(), len(list.Members), probe.Key(), len(probe.Members)),
			Remedy: "give the list of the probes a member for each one of the watched list, in the same order",
		}
	}
	return p.refuseLength(e, probe)
}

func (p *watching) refuseLength(e contract.Liveness, probe contract.SIDList) error {
	for i, m := range probe.Members {
		if len(m.Segments) > mostContainers {
			return contract.Errorf(contract.Unimplemented, "%s: member %d of %s has %d segments, a probe travels %d at most",
				e.Key(), i+1, probe.Key(), len(m.Segments), mostContainers)
		}
	}
	return nil
}

// refuseSum counts a row with the others that is not among them yet.
func (p *watching) refuseSum(key contract.Key, fresh contract.Liveness) error {
	sum, lists := p.target(fresh).Rate(), 1
	for id, row := range p.rows {
		if id != fresh.SIDList {
			sum, lists = sum+p.target(row).Rate(), lists+1
		}
	}
	if sum <= mostProbes {
		return nil
	}
	return &contract.Error{
		Code: contract.ResourceExhausted,
		Message: fmt.Sprintf("%s: with it the %d watched lists of this node ask for %.0f probes a second, it sends %d",
			key, lists, sum, mostProbes),
		Remedy: "lengthen the intervals, or have fewer lists watched",
	}
}

// target is the list that a row wants to be watched.
func (p *watching) target(row contract.Liveness) probes.Target {
	probe, _ := rows.Lookup[contract.SIDList](p.node.rows, contract.SIDListKey(row.Probe))
	t := probes.Target{
		Params: liveness.Params{Interval: row.Interval, Multiplier: int(row.Multiplier), HoldDown: row.HoldDown},
		Sender: probeAddress(row.SIDList),
	}
	for _, m := range probe.Members {
		t.Members = append(t.Members, m.Segments)
	}
	return t
}

// Sync has the probes sent that rows ask for.
func (p *watching) Sync() error {
	return p.step.Sync(func() error {
		s := probes.Settings{Lists: map[contract.SIDListID]probes.Target{}}
		for id, row := range p.rows {
			s.Lists[id] = p.target(row)
		}
		for id := range p.silent {
			if _, watched := s.Lists[id]; !watched {
				delete(p.silent, id)
			}
		}
		if len(s.Lists) > 0 {
			if err := p.around(&s); err != nil {
				return &contract.Error{Code: contract.Internal, Message: "probes cannot be sent", Err: err}
			}
		}
		p.link = s.Link
		if err := p.prober.Set(s, func(id contract.SIDListID) bool { return p.silent[id] }); err != nil {
			return &contract.Error{
				Code: contract.FailedPrecondition, Message: "probes cannot be sent", Err: err,
				Remedy: "run the agent as root, or with CAP_NET_RAW and CAP_NET_ADMIN",
			}
		}
		return nil
	})
}

func (p *watching) around(s *probes.Settings) (err error) {
	l, err := p.node.links.LinkByName(sidDevice)
	if err != nil {
		return fmt.Errorf("find %s: %w", sidDevice, err)
	}
	s.Link = probes.Link{Near: p.node.devices.steering, Far: p.node.devices.sid}
	copy(s.Link.FarMAC[:], l.Attrs().HardwareAddr)
	s.Source, err = p.node.seg6.TunnelSource()
	return err
}

// Keep follows the device pair, and repeats failed steps.
func (p *watching) Keep(plane.Seen) error {
	if len(p.rows) > 0 && (p.link.Near != p.node.devices.steering || p.link.Far != p.node.devices.sid) {
		p.step.Due()
	}
	before := p.step.Failure()
	if before != nil {
		p.step.Due()
	}
	if err := p.Sync(); err != nil && before == nil {
		p.node.options.Log("%v; its rows will be missing", err)
	}
	return nil
}

// Outage is that of all rows.
func (p *watching) Outage(e contract.Entry) error {
	if p.step.Failure() == nil || !p.Serves(e) {
		return nil
	}
	return fmt.Errorf("%s: %w", e.Key(), p.step.Failure())
}

// Adopt has the next Sync compare all. A list that was silent for a former agent was seen before (recallSilent).
func (p *watching) Adopt() error {
	clear(p.rows)
	for _, e := range rows.Of[contract.Liveness](p.node.rows) {
		p.rows[e.SIDList] = e
	}
	p.step.Due()
	return nil
}

// Reset watches nothing any more.
func (p *watching) Reset() error {
	clear(p.rows)
	p.step.Due()
	return p.Sync()
}

// Close ends the probes. The substitute of a silent list stays in the kernel.
func (p *watching) Close() error { return p.prober.Close() }

// WatchedLists returns the state of the lists that are watched, see contract.LivenessTeller.
func (n *Node) WatchedLists() []contract.WatchedList {
	reports := n.watching.prober.Reports()
	n.mu.Lock()
	defer n.mu.Unlock()
	inUse := n.view().inUse
	var all []contract.WatchedList
	for _, id := range slices.Sorted(maps.Keys(n.watching.rows)) {
		r, known := reports[id]
		if !known {
			continue
		}
		w := contract.WatchedList{
			SIDList: id, InUse: inUse(id), Status: r.State.String(), Since: r.Since,
			Sent: r.Stats.Sent, Received: r.Stats.Received, Lost: r.Stats.Lost,
		}
		if d := r.Stats.Delays(); d.Measured {
			w.Delay = &contract.ProbeDelay{Min: d.Min, Avg: d.Avg, Max: d.Max, Last: r.Stats.Last, Jitter: r.Stats.Jitter}
		}
		all = append(all, w)
	}
	return all
}
