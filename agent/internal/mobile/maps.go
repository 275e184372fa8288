// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/rows"
)

// compare makes the maps what all rows say and no more. It compares with what the kernel holds, so that it writes nothing
// where nothing is to be changed, and counters stay. What is led to is written before what leads there.
func (p *programs) compare(all rows.Reader) error {
	lists, tunnels := map[uint32]bpfList{}, map[bpfTunnelKey]bpfTunnel{}
	ues, ranges := map[bpfPrefix]bpfUe{}, map[bpfPrefix]bpfUe{}
	for _, e := range all.Each() {
		switch e := e.(type) {
		case contract.SIDList:
			if l, ok := listOf(e); ok {
				lists[uint32(e.ID)] = l
			}
		case contract.GTPTunnel:
			tunnels[tunnelKeyOf(e)] = bpfTunnel{Class: e.Class}
		case contract.UE:
			if e.Dst.IsSingleIP() {
				ues[prefixOf(e.Dst)] = ueOf(e)
			} else {
				ranges[prefixOf(e.Dst)] = ueOf(e)
			}
		}
	}
	for _, step := range []func() error{
		func() error { return writeMissing(p.objects.Lists, lists, equal) },
		func() error { return p.syncSIDs(all, true) },
		func() error { return p.syncRules(all) },
		func() error { return syncMap(p.objects.Tunnels, tunnels, sameTunnel) },
		func() error { return syncMap(p.objects.Ues, ues, sameUE) },
		func() error { return syncMap(p.objects.UePrefixes, ranges, sameUE) },
		func() error { return syncMap(p.objects.Lists, lists, equal) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// follow writes what has changed, given as it was before.
func (p *programs) follow(all rows.Reader, changed map[contract.Key]contract.Entry, sidsToo bool) error {
	lists, tunnels := changesTo[uint32, bpfList](), changesTo[bpfTunnelKey, bpfTunnel]()
	ues, ranges := changesTo[bpfPrefix, bpfUe](), changesTo[bpfPrefix, bpfUe]()
	rules := false
	for key, old := range changed {
		fresh := all.Entry(key)
		for _, e := range []contract.Entry{old, fresh} {
			there := e != nil && fresh != nil
			switch e := e.(type) {
			case contract.SIDList:
				l, ok := listOf(e)
				lists.set(uint32(e.ID), l, there && ok)
			case contract.GTPTunnel:
				tunnels.set(tunnelKeyOf(e), bpfTunnel{Class: e.Class}, there)
			case contract.UE:
				if e.Dst.IsSingleIP() {
					ues.set(prefixOf(e.Dst), ueOf(e), there)
				} else {
					ranges.set(prefixOf(e.Dst), ueOf(e), there)
				}
			case contract.GTPRule:
				rules = true
			}
		}
	}
	tunnels.keep(p.objects.Tunnels, func(held, wanted bpfTunnel) bpfTunnel { wanted.Entered = held.Entered; return wanted })
	ues.keep(p.objects.Ues, func(held, wanted bpfUe) bpfUe { wanted.Sent = held.Sent; return wanted })
	ranges.keep(p.objects.UePrefixes, func(held, wanted bpfUe) bpfUe { wanted.Sent = held.Sent; return wanted })
	steps := []func() error{
		func() error { return lists.write(p.objects.Lists) },
		func() error { return p.syncSIDs(all, sidsToo) },
		func() error {
			if rules {
				return p.syncRules(all)
			}
			return nil
		},
		func() error { return tunnels.write(p.objects.Tunnels) },
		func() error { return ues.write(p.objects.Ues) },
		func() error { return ranges.write(p.objects.UePrefixes) },
		func() error { return ranges.remove(p.objects.UePrefixes) },
		func() error { return ues.remove(p.objects.Ues) },
		func() error { return tunnels.remove(p.objects.Tunnels) },
		func() error { return lists.remove(p.objects.Lists) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (p *programs) syncSIDs(all rows.Reader, due bool) error {
	if !due {
		return nil
	}
	sids := map[bpfPrefix]bpfSid{}
	for _, own := range p.own {
		sids[prefixOf(own)] = bpfSid{}
	}
	for _, e := range rows.Of[contract.MySID](all) {
		sids[prefixOf(e.SID)] = sidOf(e)
	}
	if len(sids) > maxSIDs {
		return contract.Errorf(contract.ResourceExhausted, "%d SIDs and addresses of the node, at most %d fit", len(sids), maxSIDs)
	}
	return syncMap(p.objects.Sids, sids, sameSID)
}

// How two values of a map are compared: what the program counts is no difference.
func equal[V comparable](held, wanted V) bool { return held == wanted }

func sameSID(held, wanted bpfSid) bool {
	held.Arrived = wanted.Arrived
	return held == wanted
}

func sameTunnel(held, wanted bpfTunnel) bool {
	held.Entered = wanted.Entered
	return held == wanted
}

func sameUE(held, wanted bpfUe) bool {
	held.Sent = wanted.Sent
	return held == wanted
}

// changes are what a batch does to one map.
type changes[K, V comparable] struct {
	puts    map[K]V
	deletes map[K]bool
}

func changesTo[K, V comparable]() *changes[K, V] {
	return &changes[K, V]{map[K]V{}, map[K]bool{}}
}

func (c *changes[K, V]) set(key K, value V, there bool) {
	delete(c.puts, key)
	delete(c.deletes, key)
	if there {
		c.puts[key] = value
	} else {
		c.deletes[key] = true
	}
}

// keep takes over what the kernel has counted.
func (c *changes[K, V]) keep(m *ebpf.Map, merge func(held, wanted V) V) {
	for key, wanted := range c.puts {
		var held V
		if err := m.Lookup(key, &held); err == nil {
			c.puts[key] = merge(held, wanted)
		}
	}
}

func (c *changes[K, V]) write(m *ebpf.Map) error { return putAll(m, c.puts) }

func (c *changes[K, V]) remove(m *ebpf.Map) error {
	for key := range c.deletes {
		if err := m.Delete(key); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("delete from map %s: %w", m, err)
		}
	}
	return nil
}

// putAll writes in as few calls as the kernel has.
func putAll[K, V comparable](m *ebpf.Map, values map[K]V) error {
	if len(values) == 0 {
		return nil
	}
	keys, list := make([]K, 0, len(values)), make([]V, 0, len(values))
	for k, v := range values {
		keys, list = append(keys, k), append(list, v)
	}
	_, err := m.BatchUpdate(keys, list, nil)
	if errors.Is(err, ebpf.ErrNotSupported) {
		for k, v := range values {
			if err := m.Put(k, v); err != nil {
				return fmt.Errorf("write map %s: %w", m, err)
			}
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("write %d entries of map %s: %w", len(values), m, err)
	}
	return nil
}

// writeMissing writes what differs.
func writeMissing[K, V comparable](m *ebpf.Map, wanted map[K]V, same func(held, wanted V) bool) error {
	held, err := contents[K, V](m)
	if err != nil {
		return err
	}
	missing := map[K]V{}
	for k, v := range wanted {
		if now, there := held[k]; !there || !same(now, v) {
			missing[k] = v
		}
	}
	return putAll(m, missing)
}

// syncMap writes what differs, and deletes what is not wanted.
func syncMap[K, V comparable](m *ebpf.Map, wanted map[K]V, same func(held, wanted V) bool) error {
	if err := writeMissing(m, wanted, same); err != nil {
		return err
	}
	held, err := contents[K, V](m)
	if err != nil {
		return err
	}
	for k := range held {
		if _, there := wanted[k]; there {
			continue
		}
		if err := m.Delete(k); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("delete from map %s: %w", m, err)
		}
	}
	return nil
}

const atOnce = 4096

// contents reads a map in as few calls as the kernel has.
func contents[K, V comparable](m *ebpf.Map) (map[K]V, error) {
	out := map[K]V{}
	if m.Type() != ebpf.Hash {
		var k K
		var v V
		entries := m.Iterate()
		for entries.Next(&k, &v) {
			out[k] = v
		}
		if err := entries.Err(); err != nil {
			return nil, fmt.Errorf("read map %s: %w", m, err)
		}
		return out, nil
	}
	var cursor ebpf.MapBatchCursor
	keys, values := make([]K, atOnce), make([]V, atOnce)
	for {
		n, err := m.BatchLookup(&cursor, keys, values, nil)
		for i := range n {
			out[keys[i]] = values[i]
		}
		if errors.Is(err, ebpf.ErrKeyNotExist) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read map %s: %w", m, err)
		}
	}
}
