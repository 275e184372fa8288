// SPDX-License-Identifier: Apache-2.0

// Package plane defines the parts of a node that serve rows beside the kernel's routes: counters and filters, packets
// for the controller, programs. A node has a list of planes and knows none of them by its function.
package plane

import "sextant/agent/internal/contract"

// A Plane follows the rows of a node. The node passes it every changed row and has it follow once per batch; all its
// methods are called with the node's lock held. Idle has those that a plane can do without.
type Plane interface {
	// Serves says whether an entry is the plane's own: its row fails with the plane, and is missing while the
	// plane is out of step.
	Serves(e contract.Entry) bool
	// Follow takes note of a row that has changed (nil: there was none, or there is none now), and refuses rows
	// that the plane cannot serve. The node's rows are the new ones already; when it refuses, they will be the old
	// ones again.
	Follow(old, fresh contract.Entry) error
	// Sync has the kernel match the rows, if there is something to do. A failed step is repeated by the next.
	Sync() error
	// Keep repairs foreign changes, and follows everything else that the plane depends on.
	Keep(seen Seen) error
	// Outage says of an entry that the plane serves why it is not in service.
	Outage(e contract.Entry) error
	// Counters gives those of the entries that the plane counts.
	Counters(entries []contract.Entry) (map[contract.Key]*contract.Counters, error)
	// Adopt takes note of the rows of a former agent, before the first Follow and Sync.
	Adopt() error
	// Reset forgets all rows: the node's are gone already. Remove takes away the objects that Reset leaves.
	Reset() error
	Remove() error
	// Close leaves all in the kernel as it is.
	Close() error
}

// Seen names the state that may have changed.
type Seen struct {
	// Ports, or their addresses or links, or nothing: the node is about to read or to write.
	Ports bool
	// Rows: objects of the agent's, or addresses, changed.
	Rows bool
	// Firewall: objects were removed from nftables.
	Firewall bool
	// Pulse: time has passed.
	Pulse bool
}

// Idle is a plane that does nothing.
type Idle struct{}

// Serves nothing.
func (Idle) Serves(contract.Entry) bool { return false }

// Follow follows nothing.
func (Idle) Follow(_, _ contract.Entry) error { return nil }

// Sync has nothing to do.
func (Idle) Sync() error { return nil }

// Keep keeps nothing.
func (Idle) Keep(Seen) error { return nil }

// Outage is never.
func (Idle) Outage(contract.Entry) error { return nil }

// Counters are none.
func (Idle) Counters([]contract.Entry) (map[contract.Key]*contract.Counters, error) { return nil, nil }

// Adopt finds nothing.
func (Idle) Adopt() error { return nil }

// Reset forgets nothing.
func (Idle) Reset() error { return nil }

// Remove removes nothing.
func (Idle) Remove() error { return nil }

// Close closes nothing.
func (Idle) Close() error { return nil }

// A Probe asks a kernel, in a scratch namespace, for something that a plane needs.
type Probe struct {
	Name, Serves, Remedy string
	// Needed says that no node works without it.
	Needed bool
	// Ask gives nil for yes.
	Ask func(s Scratch) error
}

// A Scratch is a namespace with a device that is up. Do runs a function on a thread inside of it.
type Scratch struct {
	NetNS  int
	Do     func(func() error) error
	Device int
}
