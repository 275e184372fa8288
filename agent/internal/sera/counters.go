// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"fmt"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
)

// droppedArray is the counter array of the contract: 16 cells for each instance, one per reason.
const (
	droppedArray = "firewall_dropped"
	reasonsOf    = 16
)

// counters of rows; a rule that no SID refers to has judged nothing.
func (p *programs) counters(entries []contract.Entry) (map[contract.Key]*contract.Counters, error) {
	counts := map[contract.Key]*contract.Counters{}
	if p.objects == nil {
		return counts, nil
	}
	for _, e := range entries {
		switch e := e.(type) {
		case contract.Firewall:
		case contract.MySID:
			if !e.Behavior.IsFirewall() {
				continue
			}
		default:
			continue
		}
		c := contract.Counters{}
		if place, there := p.places[e.Key()]; there {
			var err error
			if c, err = pair.Sum(p.objects.RowCounts, place); err != nil {
				return nil, err
			}
		}
		counts[e.Key()] = &c
	}
	return counts, nil
}

// cells reads count cells of the array of drops, from an index on; 0 while nothing is loaded.
func (p *programs) cells(array string, from, count int) ([]contract.Counters, error) {
	if array != droppedArray {
		return nil, contract.Errorf(contract.Unimplemented, "counter %s is not one of this node", array)
	}
	out := make([]contract.Counters, count)
	if p.objects == nil {
		return out, nil
	}
	for i := range out {
		var err error
		if out[i], err = pair.Sum(p.objects.FirewallDrops, uint32(from+i)); err != nil {
			return nil, fmt.Errorf("read counter %s, cell %d: %w", array, from+i, err)
		}
	}
	return out, nil
}
