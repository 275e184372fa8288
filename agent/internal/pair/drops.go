// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
	linklib "github.com/vishvananda/netlink"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/tcx"
)

const dropsMap = "drops"

// Reasons are the sentences to the numbers by which the programs of a plane count what they drop.
type Reasons struct {
	Plane     string
	Sentences []string
	// Map is the name of the map, drops if there is none here.
	Map string
	// Each is how many cells each of several owners has in it, 0 for one owner.
	Each int
}

func (r Reasons) mapName() string { return cmp.Or(r.Map, dropsMap) }

// At reads what a program at one of the pair's ends has dropped, whoever attached it; nothing where there is none.
func (r Reasons) At(p Pair, end, program string, load func() (*ebpf.CollectionSpec, error)) ([]contract.Drop, error) {
	spec, err := load()
	if err != nil {
		return nil, err
	}
	m, err := p.dropped(end, program, r.mapName(), spec.Maps[r.mapName()])
	if err != nil || m == nil {
		return nil, err
	}
	defer m.Close()
	return r.In(m)
}

// In reads a map of drops.
func (r Reasons) In(m *ebpf.Map) ([]contract.Drop, error) {
	var out []contract.Drop
	for i, reason := range r.Sentences {
		c, err := r.total(m, i)
		if err != nil {
			return nil, err
		}
		out = append(out, contract.Drop{Program: r.Plane, Reason: reason, Packets: c.Packets, Bytes: c.Bytes})
	}
	return out, nil
}

// total of a reason, whoever's.
func (r Reasons) total(m *ebpf.Map, reason int) (total contract.Counters, err error) {
	owners := 1
	if r.Each > 0 {
		owners = int(m.MaxEntries()) / r.Each
	}
	for owner := range owners {
		c, err := Sum(m, uint32(owner*r.Each+reason))
		if err != nil {
			return total, err
		}
		total.Packets += c.Packets
		total.Bytes += c.Bytes
	}
	return total, nil
}

// dropped is the program's map of drops, nil where there is no program. The caller closes it.
func (p *Pair) dropped(end, program, name string, spec *ebpf.MapSpec) (*ebpf.Map, error) {
	l, err := p.Links.LinkByName(end)
	var notFound linklib.LinkNotFoundError
	if errors.As(err, &notFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", end, err)
	}
	attached, err := p.Attached(l.Attrs().Index, program)
	if err != nil || attached == nil {
		return nil, err
	}
	defer attached.Close()
	held := map[string]*ebpf.Map{}
	if err := tcx.Maps(attached, map[string]*ebpf.MapSpec{name: spec}, held); err != nil {
		return nil, err
	}
	if held[name] == nil {
		return nil, contract.Errorf(contract.Unimplemented, "the programs are those of an agent that counted no drops; start this one")
	}
	return held[name], nil
}

// Counters are struct counters of bpf/maps.h.
type Counters struct {
	Packets, Bytes uint64
}

// Sum adds up what each CPU has counted in a map of counters.
func Sum(m *ebpf.Map, at uint32) (contract.Counters, error) {
	return SumOf(m, at, func(c Counters) Counters { return c })
}

// SumOf adds up what each CPU has counted in a map of which counters are a part.
func SumOf[V any](m *ebpf.Map, at uint32, of func(V) Counters) (contract.Counters, error) {
	var perCPU []V
	var total contract.Counters
	if err := m.Lookup(at, &perCPU); err != nil {
		return total, fmt.Errorf("read map %s: %w", m, err)
	}
	for _, one := range perCPU {
		c := of(one)
		total.Packets += c.Packets
		total.Bytes += c.Bytes
	}
	return total, nil
}
