// SPDX-License-Identifier: Apache-2.0

// Package memory is a data plane that forwards nothing and remembers everything: the contract's backend for tests of
// the layers above.
package memory

import (
	"context"
	"slices"
	"sync"

	"sextant/agent/internal/contract"
)

// Backend is a contract.Backend that is safe for concurrent use. Make it with New.
type Backend struct {
	mu       sync.Mutex
	rows     map[contract.Key]contract.Stored
	ports    []contract.Port
	sent     []contract.Packet
	cells    map[string]map[int]contract.Counters
	refuse   func(contract.Update) error
	punted   chan contract.Packet
	watchers map[chan contract.Port]struct{}
}

var (
	_ contract.Backend    = (*Backend)(nil)
	_ contract.CellReader = (*Backend)(nil)
)

// New makes a backend with these ports and no entries.
func New(ports ...contract.Port) *Backend {
	return &Backend{
		rows: map[contract.Key]contract.Stored{}, ports: ports, cells: map[string]map[int]contract.Counters{},
		punted: make(chan contract.Packet, 16), watchers: map[chan contract.Port]struct{}{},
	}
}

// Refuse makes every update for which f returns an error fail with it. Nil refuses nothing.
func (b *Backend) Refuse(f func(contract.Update) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refuse = f
}

// Apply follows the contract: an error per update, and one that fails changes nothing.
func (b *Backend) Apply(_ context.Context, updates []contract.Update) []error {
	b.mu.Lock()
	refuse := b.refuse
	b.mu.Unlock()
	errs := make([]error, len(updates))
	for i, u := range updates {
		if refuse != nil {
			errs[i] = refuse(u)
		}
		if errs[i] == nil {
			errs[i] = b.apply(u)
		}
	}
	return errs
}

func (b *Backend) apply(u contract.Update) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := u.Entry.Key()
	row, there := b.rows[key]
	kind, _ := contract.KindOf(u.Entry)
	switch {
	case u.Op == contract.Insert && there:
		return contract.Errorf(contract.AlreadyExists, "%s is already there", key)
	case u.Op != contract.Insert && !there && !kind.AlwaysThere:
		return contract.Errorf(contract.NotFound, "%s is not there", key)
	case u.Op == contract.Delete:
		delete(b.rows, key)
		return nil
	}
	if err := contract.Validate(u.Entry); err != nil {
		return err
	}
	if row.Counters == nil && counted(key.Table) {
		row.Counters = new(contract.Counters)
	}
	row.Entry = u.Entry
	b.rows[key] = row
	return nil
}

func counted(table string) bool {
	return table == contract.TableMySID || table == contract.TableSteeringV6 || table == contract.TableSteeringV4
}

// Count sets the counters of a row; it reports whether the row is there.
func (b *Backend) Count(key contract.Key, c contract.Counters) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	row, there := b.rows[key]
	if there {
		row.Counters = &c
		b.rows[key] = row
	}
	return there
}

// CountCell sets a cell of a counter array.
func (b *Backend) CountCell(array string, index int, c contract.Counters) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cells[array] == nil {
		b.cells[array] = map[int]contract.Counters{}
	}
	b.cells[array][index] = c
}

// Cells returns the counters set by CountCell, 0 elsewhere.
func (b *Backend) Cells(_ context.Context, array string, from, count int) ([]contract.Counters, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make([]contract.Counters, count)
	for i := range out {
		out[i] = b.cells[array][from+i]
	}
	return out, nil
}

// Entries returns the rows of a table, or of all, ordered by key.
func (b *Backend) Entries(_ context.Context, table string) ([]contract.Stored, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []contract.Stored
	for key, row := range b.rows {
		if table == "" || table == key.Table {
			if row.Counters != nil {
				copied := *row.Counters
				row.Counters = &copied
			}
			out = append(out, row)
		}
	}
	slices.SortFunc(out, func(x, y contract.Stored) int {
		return x.Entry.Key().Compare(y.Entry.Key())
	})
	return out, nil
}

// Ports returns the ports as they are now.
func (b *Backend) Ports(context.Context) ([]contract.Port, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.ports), nil
}

// WatchPorts notifies of every change until ctx ends; then the channel is closed.
func (b *Backend) WatchPorts(ctx context.Context) (<-chan contract.Port, error) {
	ch := make(chan contract.Port, 64)
	b.mu.Lock()
	b.watchers[ch] = struct{}{}
	b.mu.Unlock()
	context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.watchers, ch)
		close(ch)
	})
	return ch, nil
}

// ChangePort changes the port with this name and notifies the watchers; it reports whether it is there.
func (b *Backend) ChangePort(name string, change func(*contract.Port)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.ports, func(p contract.Port) bool { return p.Name == name })
	if i < 0 {
		return false
	}
	change(&b.ports[i])
	for ch := range b.watchers {
		ch <- b.ports[i]
	}
	return true
}

// SetPortEnabled sets the administrative state; the operational state follows it.
func (b *Backend) SetPortEnabled(_ context.Context, name string, enabled bool) error {
	if !b.ChangePort(name, func(p *contract.Port) { p.Enabled, p.Up = enabled, enabled }) {
		return contract.Errorf(contract.NotFound, "interface %s is not there", name)
	}
	return nil
}

// Send remembers the frame.
func (b *Backend) Send(_ context.Context, port contract.PortID, frame []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.ContainsFunc(b.ports, func(p contract.Port) bool { return p.ID == port }) {
		return contract.Errorf(contract.InvalidArgument, "there is no port %d", port)
	}
	b.sent = append(b.sent, contract.Packet{InPort: port, Frame: slices.Clone(frame)})
	return nil
}

// Sent are the frames that Send emitted, with the port they left by.
func (b *Backend) Sent() []contract.Packet {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.sent)
}

// Punt delivers a frame as if a punt row had selected it.
func (b *Backend) Punt(p contract.Packet) { b.punted <- p }

// Packets delivers the packets given to Punt.
func (b *Backend) Packets() <-chan contract.Packet { return b.punted }
