// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"errors"

	"github.com/cilium/ebpf"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
)

// droppedArray is the counter array of the contract whose cells are the reasons, in their order.
const droppedArray = "gtp_dropped"

// So many rows are looked up one by one; for more, maps are read whole.
const fewRows = 64

// counted holds the maps in which several entries are looked up: each map is read once, and only on demand.
type counted struct {
	p       *programs
	few     bool
	tunnels map[bpfTunnelKey]bpfTunnel
	ues     map[bpfPrefix]bpfUe
	ranges  map[bpfPrefix]bpfUe
	sids    map[bpfPrefix]bpfSid
	rules   map[place]uint32
}

// counters of rows, none for those that the program does not count.
func (p *programs) counters(entries []contract.Entry) (map[contract.Key]*contract.Counters, error) {
	counts := map[contract.Key]*contract.Counters{}
	if p.objects == nil {
		return counts, nil
	}
	all := &counted{p: p, few: len(entries) <= fewRows}
	for _, e := range entries {
		c, err := all.of(e)
		if err != nil {
			return nil, err
		}
		if c != nil {
			counts[e.Key()] = c
		}
	}
	return counts, nil
}

func (c *counted) of(e contract.Entry) (*contract.Counters, error) {
	switch e := e.(type) {
	case contract.GTPTunnel:
		v, err := find(c, c.p.objects.Tunnels, &c.tunnels, tunnelKeyOf(e))
		return told(v, func(v bpfTunnel) bpfCounters { return v.Entered }), err
	case contract.UE:
		m, held := c.p.objects.Ues, &c.ues
		if !e.Dst.IsSingleIP() {
			m, held = c.p.objects.UePrefixes, &c.ranges
		}
		v, err := find(c, m, held, prefixOf(e.Dst))
		return told(v, func(v bpfUe) bpfCounters { return v.Sent }), err
	case contract.MySID:
		if kindOf(e.Behavior.Action) == sidNone {
			return nil, nil
		}
		v, err := find(c, c.p.objects.Sids, &c.sids, prefixOf(e.SID))
		return told(v, func(v bpfSid) bpfCounters { return v.Arrived }), err
	case contract.GTPRule:
		return c.rule(e)
	}
	return nil, nil
}

// find looks one row up, or reads the whole map once: for many, and where a lookup could find a shorter prefix.
func find[K, V comparable](c *counted, m *ebpf.Map, held *map[K]V, key K) (*V, error) {
	if c.few && m.Type() == ebpf.Hash {
		v := new(V)
		err := m.Lookup(key, v)
		if errors.Is(err, ebpf.ErrKeyNotExist) {
			return nil, nil
		}
		return v, err
	}
	if *held == nil {
		all, err := pair.Contents[K, V](m)
		if err != nil {
			return nil, err
		}
		*held = all
	}
	if v, there := (*held)[key]; there {
		return &v, nil
	}
	return nil, nil
}

func told[V any](v *V, of func(V) bpfCounters) *contract.Counters {
	if v == nil {
		return nil
	}
	c := of(*v)
	return &contract.Counters{Packets: c.Packets, Bytes: c.Bytes}
}

// rule returns the count of its packets; nil while another of the same match and a higher priority has all of them.
func (c *counted) rule(e contract.GTPRule) (*contract.Counters, error) {
	if c.rules == nil {
		var err error
		if _, _, c.rules, err = c.p.heldRules(); err != nil {
			return nil, err
		}
	}
	index, there := c.rules[placeOf(e)]
	if !there {
		return nil, nil
	}
	total, err := pair.Sum(c.p.objects.RuleCounts, index)
	return &total, err
}

// cells reads count cells of the array of drops, from an index on; 0 while nothing is loaded.
func (p *programs) cells(array string, from, count int) ([]contract.Counters, error) {
	if array != droppedArray {
		return nil, pair.NoSuchCells(array)
	}
	return pair.Cells(array, p.objects != nil, from, count, func(at uint32) (contract.Counters, error) {
		return pair.Cell(p.objects.Drops, at)
	})
}
