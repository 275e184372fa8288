// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"fmt"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
)

// droppedArray is the counter array of the contract: a cell for each of reasonsOf reasons, for each port, and behind these
// cells as many for further reasons, which stand in a map of their own.
const (
	droppedArray = "edge_dropped"
	furtherMap   = "edge_drops_more"
	reasonsOf    = 4
	cellsOf      = maxPorts * reasonsOf
)

// counter of a peer; one at a node without roles has sent nothing that was looked at.
func (p *programs) counter(e contract.EdgePeer) (contract.Counters, error) {
	var c bpfCounters
	if p.objects == nil {
		return contract.Counters{}, nil
	}
	if err := p.objects.EdgePeers.Lookup(peerOf(e), &c); err != nil {
		return contract.Counters{}, fmt.Errorf("read the counters of %s: %w", e.Key(), err)
	}
	return contract.Counters{Packets: c.Packets, Bytes: c.Bytes}, nil
}

// cells reads count cells of the array of drops, from an index on; 0 while nothing is loaded.
func (p *programs) cells(array string, from, count int) ([]contract.Counters, error) {
	if array != droppedArray {
		return nil, pair.NoSuchCells(array)
	}
	return pair.Cells(array, p.objects != nil, from, count, func(at uint32) (contract.Counters, error) {
		if at < cellsOf {
			return pair.Cell(p.objects.EdgeDropped, at)
		}
		return pair.Cell(p.objects.EdgeDropsMore, at-cellsOf)
	})
}
