// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"maps"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/punt"
	"sextant/agent/internal/rows"
)

// puntPlane has packet sockets for punt rows.
type puntPlane struct {
	plane.Idle
	step plane.Step
	node *Node
	on   map[contract.PortID]int // the ports as they were last
}

// Serves punt rows.
func (p *puntPlane) Serves(e contract.Entry) bool {
	_, ok := e.(contract.Punt)
	return ok
}

// Follow refuses rows that no packet socket can select.
func (p *puntPlane) Follow(old, fresh contract.Entry) error {
	if old != nil && p.Serves(old) {
		p.step.Due()
	}
	row, ok := fresh.(contract.Punt)
	if !ok {
		return nil
	}
	p.step.Due()
	return punt.Supported(row, indexes(p.node.ports))
}

// Sync opens and closes sockets.
func (p *puntPlane) Sync() error {
	return p.step.Sync(func() error {
		p.on = indexes(p.node.ports)
		return p.node.punts.Sync(rows.Of[contract.Punt](p.node.rows), p.on)
	})
}

// Keep follows the ports.
func (p *puntPlane) Keep(seen plane.Seen) error {
	if now := indexes(p.node.ports); !seen.Ports || maps.Equal(now, p.on) {
		return nil
	}
	p.step.Due()
	return p.Sync()
}

// Outage is that of all sockets.
func (p *puntPlane) Outage(e contract.Entry) error {
	if !p.Serves(e) {
		return nil
	}
	return p.step.Failure()
}

// Adopt has the next Sync open the sockets.
func (p *puntPlane) Adopt() error {
	p.step.Due()
	return nil
}

// Reset closes all.
func (p *puntPlane) Reset() error {
	p.step.Due()
	return p.Sync()
}
