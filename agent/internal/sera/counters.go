// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"

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
			if _, is := e.(contract.Firewall); is {
				if c.Idle, err = p.idle(place); err != nil {
					return nil, err
				}
			}
		}
		counts[e.Key()] = &c
	}
	return counts, nil
}

// idle is how long it is since a rule was hit, to some milliseconds: nil if it never was.
func (p *programs) idle(place uint32) (*time.Duration, error) {
	var last uint64
	if err := p.objects.RowHits.Lookup(place, &last); err != nil {
		return nil, fmt.Errorf("read map row_hits: %w", err)
	}
	if last == 0 {
		return nil, nil
	}
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return nil, fmt.Errorf("read the clock: %w", err)
	}
	idle := max(0, time.Duration(now.Nano()-int64(last)))
	return &idle, nil
}

// cells reads count cells of the array of drops, from an index on; 0 while nothing is loaded.
func (p *programs) cells(array string, from, count int) ([]contract.Counters, error) {
	if array != droppedArray {
		return nil, pair.NoSuchCells(array)
	}
	return pair.Cells(array, p.objects != nil, from, count, func(at uint32) (contract.Counters, error) {
		return pair.Cell(p.objects.FirewallDrops, at)
	})
}
