// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"context"
	"net/netip"
	"time"
)

// Op is the operation of an update on a row.
type Op int

// The operations, with P4Runtime's meaning: Insert fails on an existing row, Modify and Delete on
// a missing one.
const (
	Insert Op = iota + 1
	Modify
	Delete
)

// Update is one operation on one row. For Delete only the key of the entry counts.
type Update struct {
	Op    Op
	Entry Entry
}

// Counters of one row since it was written.
type Counters struct {
	Packets, Bytes uint64
	// Idle is how long it is since the row was hit last; nil where it never was, or the data plane does not remember it.
	Idle *time.Duration
}

// A Stored row is the row as read back from the data plane.
type Stored struct {
	Entry Entry
	// Counters is nil where the data plane keeps none for this row.
	Counters *Counters
}

// A Backend is a data plane that serves the contract. It is safe for concurrent use.
type Backend interface {
	// Apply carries out the updates in order and returns one error (or nil) per update. A failed
	// update leaves its row as it was and does not stop the ones after it. When Apply returns,
	// every row that it reports as written was read back from the data plane and compared.
	Apply(ctx context.Context, updates []Update) []error
	// Entries reads the rows of a table ("" for all of them) from the data plane. A row whose objects differ from
	// it is left out: writing it again repairs it, or fails with the reason.
	Entries(ctx context.Context, table string) ([]Stored, error)
	// Ports lists the ports and WatchPorts notifies of changes until ctx ends.
	Ports(ctx context.Context) ([]Port, error)
	WatchPorts(ctx context.Context) (<-chan Port, error)
	SetPortEnabled(ctx context.Context, name string, enabled bool) error
	// Send emits a frame at a port; Packets delivers the frames that punt rows select.
	Send(ctx context.Context, port PortID, frame []byte) error
	Packets() <-chan Packet
}

// A RowReader is a Backend that reads a few rows without reading their tables.
type RowReader interface {
	// Rows reads those of the keys that are there, as Backend.Entries does.
	Rows(ctx context.Context, keys []Key) ([]Stored, error)
}

// A CellReader is a Backend with counters that belong to no row: the counter arrays of the P4Info.
type CellReader interface {
	// Cells reads count cells of an array, by its alias, from an index on.
	Cells(ctx context.Context, array string, from, count int) ([]Counters, error)
}

// Packet is a frame that a punt row sent to the controller.
type Packet struct {
	InPort PortID
	Frame  []byte
}

// Port is a network interface of the node and its counters.
type Port struct {
	ID       PortID
	Name     string
	MAC      [6]byte
	MTUBytes uint32
	// Enabled is the administrative state, Up the operational one.
	Enabled, Up bool
	Index       uint32 // ifindex
	// Speed is that of its link; a port that only exists in software has none.
	Speed     PortSpeed
	Addresses []netip.Prefix
	In, Out   PortCounters
	// Probes are among In and Out; nil where the node does not count them separately.
	Probes *ProbeCounters
}

// ProbeCounters are the probes of nodes, of this one or of others, that a port has received and sent, in frames.
type ProbeCounters struct{ In, Out Counters }

// A PortSpeed is how fast the link of a port is. Its zero value is that of a port without a speed of its own.
type PortSpeed struct {
	Known bool
	// Bps is 0 while there is no link, or the speed is unknown.
	Bps uint64
	// Negotiated is whether both ends agreed on it by themselves.
	Negotiated bool
}

// PortCounters are cumulative, as openconfig-interfaces counts.
type PortCounters struct {
	Octets, Packets, Multicast, Errors, Discards uint64
}
