// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/delays"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/rows"
)

// measuring is the plane of links whose delay is measured: those at ports that edge_port says are internal, while they
// are up. A port without a role may have any neighbour behind it, and is left alone.
type measuring struct {
	plane.Idle
	node  *Node
	meter *delays.Meter
	step  plane.Step
}

func newMeasuring(n *Node) *measuring {
	window := n.options.delayWindow
	if window == 0 {
		window = DelayWindow
	}
	return &measuring{node: n, meter: delays.New(delays.Settings{Interval: n.options.MeasureDelay, Window: window, Do: n.ns.do})}
}

// Follow takes note of roles.
func (p *measuring) Follow(old, fresh contract.Entry) error {
	for _, e := range []contract.Entry{old, fresh} {
		if _, role := e.(contract.EdgePort); role {
			p.step.Due()
		}
	}
	return nil
}

// Sync has exactly the internal ports measured that are up. That some cannot be is no fault of any row: it is logged once,
// and tried again.
func (p *measuring) Sync() error {
	before := p.step.Failure()
	err := p.step.Sync(func() error {
		ports := map[contract.PortID]int{}
		for _, role := range rows.Of[contract.EdgePort](p.node.rows) {
			if port := p.node.ports[role.Port]; !role.External && port.Up && port.Index != 0 {
				ports[role.Port] = port.Index
			}
		}
		return p.meter.Set(ports)
	})
	if err != nil && before == nil {
		p.node.options.Log("delays of links are not measured: %v", err)
	}
	return nil
}

// Keep follows ports that come and go, and repeats failed steps.
func (p *measuring) Keep(seen plane.Seen) error {
	if seen.Ports || p.step.Failure() != nil {
		p.step.Due()
	}
	return p.Sync()
}

// Adopt has the first Sync look at all.
func (p *measuring) Adopt() error {
	p.step.Due()
	return nil
}

// Reset measures nothing any more.
func (p *measuring) Reset() error {
	p.step.Due()
	return p.Sync()
}

// Close ends all measuring.
func (p *measuring) Close() error { return p.meter.Close() }

// LinkDelays returns the measurements, see contract.LinkDelayTeller; nothing without Options.MeasureDelay.
func (n *Node) LinkDelays() []contract.LinkDelay {
	if n.measuring == nil {
		return nil
	}
	return n.measuring.meter.Figures()
}

// LinkDelayChanges has its argument called after each window.
func (n *Node) LinkDelayChanges(tell func()) (stop func()) {
	if n.measuring == nil {
		return func() {}
	}
	return n.measuring.meter.Changes(tell)
}
