// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
)

// Equal is how most values of a map are compared: as a whole.
func Equal[V comparable](held, wanted V) bool { return held == wanted }

// PutAll writes in as few calls as the kernel has.
func PutAll[K, V comparable](m *ebpf.Map, values map[K]V) error {
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

// PutMissing writes the elements that differ.
func PutMissing[K, V comparable](m *ebpf.Map, wanted map[K]V, same func(held, wanted V) bool) error {
	held, err := Contents[K, V](m)
	if err != nil {
		return err
	}
	missing := map[K]V{}
	for k, v := range wanted {
		if now, there := held[k]; !there || !same(now, v) {
			missing[k] = v
		}
	}
	return PutAll(m, missing)
}

// Sync writes the elements that differ and deletes unwanted ones.
func Sync[K, V comparable](m *ebpf.Map, wanted map[K]V, same func(held, wanted V) bool) error {
	if err := PutMissing(m, wanted, same); err != nil {
		return err
	}
	held, err := Contents[K, V](m)
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

// Contents reads a map in as few calls as the kernel has.
func Contents[K, V comparable](m *ebpf.Map) (map[K]V, error) {
	out := map[K]V{}
	if kind := m.Type(); kind != ebpf.Hash && kind != ebpf.Array && kind != ebpf.LPMTrie {
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
