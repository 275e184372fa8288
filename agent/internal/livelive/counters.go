// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cilium/ebpf"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
)

// counters of a row, nil for one that the programs do not count.
func (p *programs) counters(e contract.Entry) (*contract.Counters, error) {
	switch e := e.(type) {
	case contract.Flow:
		return p.FlowCounters(e)
	case contract.Copy:
		return p.CopyCounters(e.Group, e.Path)
	case contract.MySID:
		return p.SIDCounters(SID{Prefix: e.SID, Path: e.Behavior.Path})
	}
	return nil, nil
}

// FlowCounters counts the packets of a flow row, nil while it is shadowed or not loaded.
func (p *programs) FlowCounters(f contract.Flow) (*contract.Counters, error) {
	if p.objects == nil {
		return nil, nil
	}
	masks, flows, err := p.heldFlows()
	if err != nil {
		return nil, err
	}
	value, mask := key(f)
	place := slices.Index(masks, mask)
	if place < 0 {
		return nil, nil
	}
	value.Mask = uint16(place)
	flow, there := flows[value]
	if !there || flow.Priority != uint32(f.Priority) {
		return nil, nil
	}
	return lookup(p.objects.RuleCounts, flow.Rule)
}

// CopyCounters counts the copies sent over a path.
func (p *programs) CopyCounters(group contract.GroupID, path contract.PathID) (*contract.Counters, error) {
	if p.objects == nil {
		return nil, nil
	}
	return lookup(p.objects.PathCounts, uint32(group)<<4|uint32(path))
}

// SIDCounters counts the packets that arrived at a SID.
func (p *programs) SIDCounters(s SID) (*contract.Counters, error) {
	if p.objects == nil {
		return nil, nil
	}
	// The lookup of a prefix finds itself, or a shorter one.
	var held bpfSid
	err := p.objects.Sids.Lookup(sidKey(s.Prefix), &held)
	if errors.Is(err, ebpf.ErrKeyNotExist) || err == nil && held.Path != uint32(s.Path) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read map %s: %w", p.objects.Sids, err)
	}
	return &contract.Counters{Packets: held.Arrived.Packets, Bytes: held.Arrived.Bytes}, nil
}

func lookup(m *ebpf.Map, at uint32) (*contract.Counters, error) {
	var c bpfCounters
	err := m.Lookup(at, &c)
	if errors.Is(err, ebpf.ErrKeyNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read map %s: %w", m, err)
	}
	return &contract.Counters{Packets: c.Packets, Bytes: c.Bytes}, nil
}

// Cells reads count cells of a counter array, from an index on; 0 while nothing is loaded.
func (p *programs) Cells(array string, from, count int) ([]contract.Counters, error) {
	if !strings.HasPrefix(array, "dedup_") {
		return nil, pair.NoSuchCells(array)
	}
	return pair.Cells(array, p.objects != nil, from, count, func(at uint32) (contract.Counters, error) { return p.cell(array, at) })
}

func (p *programs) cell(array string, at uint32) (contract.Counters, error) {
	switch array {
	case "dedup_first":
		return pair.SumOf(p.objects.Cells, at, func(c bpfCell) pair.Counters { return counted(c.First) })
	case "dedup_duplicate":
		return pair.SumOf(p.objects.Cells, at, func(c bpfCell) pair.Counters { return counted(c.Duplicate) })
	case "dedup_late":
		return pair.SumOf(p.objects.Cells, at, func(c bpfCell) pair.Counters { return counted(c.Late) })
	case "dedup_delay":
		return pair.SumOf(p.objects.Cells, at>>4, func(c bpfCell) pair.Counters { return counted(c.Delay[at&15]) })
	case "dedup_stray":
		return pair.SumOf(p.objects.PathCells, at, func(c bpfPathCell) pair.Counters { return counted(c.Stray) })
	case "dedup_malformed":
		return pair.SumOf(p.objects.PathCells, at, func(c bpfPathCell) pair.Counters { return counted(c.Malformed) })
	}
	return contract.Counters{}, pair.NoSuchCells(array)
}

func counted(c bpfCounters) pair.Counters { return pair.Counters{Packets: c.Packets, Bytes: c.Bytes} }
