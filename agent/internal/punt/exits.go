// SPDX-License-Identifier: Apache-2.0

package punt

import (
	"sync/atomic"

	"sextant/agent/internal/contract"
)

// Exit is where frames leave by a port; an index of 0 is no interface.
type Exit struct {
	Index int
	Up    bool
}

// Exits are those of a node, as they were last. A frame for one does not wait for the batch that the node is at: links are
// found by frames, and those that come late are links that are lost.
type Exits struct {
	current atomic.Pointer[map[contract.PortID]Exit]
}

// Set replaces all; the map is not changed any more.
func (e *Exits) Set(exits map[contract.PortID]Exit) { e.current.Store(&exits) }

// At finds that of a port.
func (e *Exits) At(port contract.PortID) (Exit, bool) {
	all := e.current.Load()
	if all == nil {
		return Exit{}, false
	}
	exit, ok := (*all)[port]
	return exit, ok
}
