// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
	"sextant/agent/internal/rows"
)

// compare makes the maps match all rows and no more. It compares with the kernel's maps, so that it writes nothing
// where nothing is to be changed, and counters stay. Targets of references are written before the references.
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
		func() error { return pair.PutMissing(p.objects.Lists, lists, pair.Equal) },
		func() error { return p.syncSIDs(all, true) },
		func() error { return p.syncRules(all) },
		func() error { return pair.Sync(p.objects.Tunnels, tunnels, sameTunnel) },
		func() error { return pair.Sync(p.objects.Ues, ues, sameUE) },
		func() error { return pair.Sync(p.objects.UePrefixes, ranges, sameUE) },
		func() error { return pair.Sync(p.objects.Lists, lists, pair.Equal) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// follow writes the changes, given the former rows.
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
	return pair.Sync(p.objects.Sids, sids, sameSID)
}

// How two values of a map are compared: the program's counters make no difference.

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

// changes are the changes of a batch to one map.
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

// keep takes over the kernel's counters.
func (c *changes[K, V]) keep(m *ebpf.Map, merge func(held, wanted V) V) {
	for key, wanted := range c.puts {
		var held V
		if err := m.Lookup(key, &held); err == nil {
			c.puts[key] = merge(held, wanted)
		}
	}
}

func (c *changes[K, V]) write(m *ebpf.Map) error { return pair.PutAll(m, c.puts) }

func (c *changes[K, V]) remove(m *ebpf.Map) error {
	for key := range c.deletes {
		if err := m.Delete(key); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("delete from map %s: %w", m, err)
		}
	}
	return nil
}
