// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"fmt"
	"sync"

	"github.com/cilium/ebpf"

	"sextant/agent/internal/contract"
)

// probeCounters are the program's counters of probes. Ports are read while rows are written, so it holds a map of its own. Its
// methods are safe for concurrent use.
type probeCounters struct {
	mu    sync.Mutex // guards the fields below
	held  *ebpf.Map  // nil while nothing is loaded
	ports map[contract.PortID]bool
}

// follow reads another map from now on, or none.
func (p *probeCounters) follow(m *ebpf.Map) (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held != nil {
		err = p.held.Close()
		p.held = nil
	}
	if m != nil && err == nil {
		p.held, err = m.Clone()
	}
	return err
}

// assign says at which ports probes are counted.
func (p *probeCounters) assign(roles map[contract.PortID]uint32) {
	ports := map[contract.PortID]bool{}
	for port, role := range roles {
		if role&roleInternal != 0 {
			ports[port] = true
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ports = ports
}

// of a port; nil for one that is not internal.
func (p *probeCounters) of(port contract.PortID) (*contract.ProbeCounters, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held == nil || !p.ports[port] {
		return nil, nil
	}
	var perCPU []bpfProbes
	if err := p.held.Lookup(uint32(port), &perCPU); err != nil {
		return nil, fmt.Errorf("read the probes of port %d: %w", port, err)
	}
	var sum contract.ProbeCounters
	for _, one := range perCPU {
		sum.In.Packets += one.In.Packets
		sum.In.Bytes += one.In.Bytes
		sum.Out.Packets += one.Out.Packets
		sum.Out.Bytes += one.Out.Bytes
	}
	return &sum, nil
}
