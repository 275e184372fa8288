// SPDX-License-Identifier: Apache-2.0

package punt

import (
	"context"
	"sync/atomic"

	"sextant/agent/internal/contract"
)

// Exit is where frames leave by a port; an index of 0 is no interface of Linux.
type Exit struct {
	Name  string
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

// Send emits a frame at a port.
func (e *Exits) Send(ctx context.Context, by *Sockets, port contract.PortID, frame []byte) error {
	var exit Exit
	known := false
	if all := e.current.Load(); all != nil {
		exit, known = (*all)[port]
	}
	switch {
	case !known:
		return contract.Errorf(contract.InvalidArgument, "packet-out to port %d, which is not a port of this node", port)
	case exit.Index == 0:
		return contract.Errorf(contract.FailedPrecondition, "packet-out to port %d (%s), which is no interface of Linux now", port, exit.Name)
	case !exit.Up:
		return contract.Errorf(contract.FailedPrecondition, "packet-out to port %d (%s), which is down", port, exit.Name)
	}
	return by.Send(ctx, exit.Index, frame)
}
