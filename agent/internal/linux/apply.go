// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"fmt"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/rows"
)

// Apply carries out a batch, see contract.Backend. A change of a row is all or nothing: when the third object of a row
// is refused, the first two are taken back.
func (n *Node) Apply(ctx context.Context, updates []contract.Update) []error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.rows.Apply(ctx, updates)
}

// effects are the effects of rows on the kernel. All of its methods are called with mu held.
type effects struct{ *Node }

var _ rows.Backend[objects] = effects{}

// Begin brings the node's picture of the kernel up to date.
func (n effects) Begin(batch []contract.Update) (map[contract.Key]bool, error) {
	if err := n.refreshPorts(); err != nil {
		return nil, &contract.Error{Code: contract.Internal, Message: "the ports cannot be brought in step", Err: err}
	}
	if err := n.catchUp(); err != nil {
		return nil, &contract.Error{Code: contract.Internal, Message: "the kernel's changes cannot be followed", Err: err}
	}
	lost, err := n.lostRows(batch)
	if err != nil {
		return nil, &contract.Error{Code: contract.Internal, Message: "the kernel's routes cannot be read", Err: err}
	}
	return lost, nil
}

// Translate returns the kernel objects of an entry.
func (n effects) Translate(e contract.Entry) (objects, error) { return n.view().translate(e) }

// Shows is false for entries that planes serve: they follow the rows to which theirs refer.
func (n effects) Shows(e contract.Entry) bool { return n.servedBy(e) == nil }

// ShownIn are rows of silent lists, which show their substitute, and routes that a standby stands in for while a port
// is held; else a row of the kernel shows the rows to which it refers.
func (n effects) ShownIn(key contract.Key) []contract.Key {
	return append(n.affected(key), n.restoring.routesOver(key)...)
}

// Put makes the kernel hold a changed row, and the routes that a changed next hop or segment list shows in.
func (n effects) Put(changes []rows.Change[objects]) error {
	set := changeSet{conn: n.conn}
	if err := n.putAll(&set, changes); err != nil {
		return set.undo(err)
	}
	first := changes[0]
	old, fresh := entryOf(first.Old), entryOf(first.New)
	if old == nil && fresh == nil { // put back though nothing was set
		old = contract.EncapSource{}
	}
	if err := n.follow(old, fresh); err != nil {
		return set.undo(err)
	}
	set.finish(n.options.Log)
	if first.New != nil {
		n.note(first.Key, nil)
		delete(n.yielded, first.Key)
		return nil
	}
	delete(n.outages, first.Key)
	delete(n.yielded, first.Key)
	if sid, ok := old.(contract.MySID); ok {
		delete(n.private, sid.SID)
	}
	for _, r := range objectsOf(first.Old).Rules {
		delete(n.flowTables, withoutTable(r))
	}
	return nil
}

func (n effects) putAll(set *changeSet, changes []rows.Change[objects]) error {
	first := changes[0]
	if first.New != nil {
		has := first.Old != nil && !n.yielded[first.Key] && !n.rows.Lost(first.Key)
		if err := n.obstacle(first.New.Entry, first.New.Objects, has); err != nil {
			return err
		}
		if err := n.roomForFlow(first.New.Entry); err != nil {
			return err
		}
	}
	if err := set.put(first.Key, objectsOf(first.Old), objectsOf(first.New)); err != nil {
		return err
	}
	for _, c := range changes[1:] {
		if sameObjects(c.Old.Objects, c.New.Objects) || n.yielded[c.Key] {
			continue
		}
		if err := set.put(c.Key, c.Old.Objects, c.New.Objects); err != nil {
			return rows.UsedBy(c.Key, err)
		}
	}
	if first.New != nil {
		return nil
	}
	if err := set.drop(); err != nil { // objects that the kernel has lost already are no error
		return fmt.Errorf("%s: %w", first.Key, err)
	}
	return nil
}

// Settle has the planes follow.
func (n effects) Settle(batch []rows.Outcome) { n.settle(batch) }

func entryOf(r *row) contract.Entry {
	if r == nil {
		return nil
	}
	return r.Entry
}

func objectsOf(r *row) objects {
	if r == nil {
		return objects{}
	}
	return r.Objects
}
