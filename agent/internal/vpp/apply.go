// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/punt"
	"sextant/agent/internal/rows"
)

// Apply carries out a batch, see contract.Backend. A change of a row is all or nothing: when the third object of a row
// is refused, the first two are taken back. The batch is read back at its end; a row that VPP shows otherwise than it
// was written is an error, and is put back.
func (n *Node) Apply(ctx context.Context, updates []contract.Update) []error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.rows.Apply(ctx, updates)
}

// effects are the effects of rows on VPP. All of its methods are called with mu held.
type effects struct {
	*Node
	held holdings // by VPP before a batch has changed anything
}

var _ rows.Backend[[]object] = (*effects)(nil)

// Begin reads VPP.
func (b *effects) Begin(batch []contract.Update) (map[contract.Key]bool, error) {
	if err := b.reachableNow(); err != nil {
		return nil, err
	}
	if err := b.refreshPorts(); err != nil {
		return nil, err
	}
	var err error
	if b.held, err = b.conn.dump(b.sources); err != nil {
		return nil, err
	}
	out, err := b.edgeOut()
	if err != nil {
		return nil, err
	}
	lost := map[contract.Key]bool{}
	for _, u := range batch {
		if u.Entry == nil {
			continue
		}
		r := b.rows.Get(u.Entry.Key())
		if r != nil && (b.held.differs(r.Objects, b.sources) != "" || b.cutOff(r.Entry) != nil || out.has(r.Entry)) {
			lost[u.Entry.Key()] = true
		}
	}
	return lost, nil
}

// Translate returns the VPP objects that an entry wants.
func (b *effects) Translate(e contract.Entry) ([]object, error) { return b.view().translate(e) }

// Shows is true: an object names those that it leads to.
func (b *effects) Shows(contract.Entry) bool { return true }

// ShownIn is the policies for the source that they all have.
func (b *effects) ShownIn(key contract.Key) []contract.Key {
	if key.Table != contract.TableEncapSource {
		return nil
	}
	var lists []contract.Key
	for _, list := range rows.Of[contract.SIDList](b.rows) {
		lists = append(lists, list.Key())
	}
	return lists
}

// Put writes the present objects of the changed rows to VPP.
func (b *effects) Put(changes []rows.Change[[]object]) error {
	first := changes[0]
	if first.New != nil {
		if err := b.punted(first.New.Entry); err != nil {
			return err
		}
		if err := b.obstacle(first); err != nil {
			return err
		}
	}
	if first.Old != nil && b.rows.Lost(first.Key) { // so that there is something to change or delete
		if err := b.mend(first.Old); err != nil {
			return err
		}
	}
	if err := b.exchange(changes); err != nil {
		return err
	}
	if first.Key.Table == contract.TablePunt {
		return b.punts.Sync(rows.Of[contract.Punt](b.rows), b.indexes())
	}
	return nil
}

// punted refuses a punt row that no packet socket can select.
func (b *effects) punted(e contract.Entry) error {
	row, ok := e.(contract.Punt)
	if !ok {
		return nil
	}
	if err := punt.Supported(row, b.indexes()); err != nil {
		return err
	}
	return b.packetPorts(row)
}

// mend writes the objects of a row that VPP has lost again.
func (b *effects) mend(r *row) error {
	for _, o := range ascending(r.Objects) {
		if b.held.differsOne(o, b.sources) == "" {
			continue
		}
		if err := b.conn.put(b.held.standing(o, b.sources), o, b.sources.own); err != nil {
			return err
		}
	}
	return nil
}

// exchange: on an error VPP is as before.
func (b *effects) exchange(changes []rows.Change[[]object]) error {
	before, after := map[objectID]object{}, map[objectID]object{}
	affected := make([]contract.Key, len(changes))
	for i, c := range changes {
		affected[i] = c.Key
		if c.Old != nil {
			collect(before, c.Old.Objects)
		}
		if c.New != nil {
			collect(after, c.New.Objects)
		}
	}
	if err := b.change(affected, before, after); err != nil {
		return err
	}
	for _, c := range changes {
		if c.Old != nil {
			b.disown(c.Key, c.Old.Objects)
		}
		if c.New != nil {
			b.own(c.Key, c.New.Objects)
		}
	}
	return nil
}

// change writes and deletes objects, and undoes it all at the first refusal.
func (n *Node) change(affected []contract.Key, before, after map[objectID]object) error {
	type step struct{ from, to object }
	var done []step
	undo := func(err error) error {
		for _, s := range slices.Backward(done) {
			var failed error
			if s.from == nil {
				failed = n.conn.remove(s.to, n.sources.own)
			} else {
				failed = n.conn.put(s.to, s.from, n.sources.own)
			}
			if failed != nil {
				n.options.Log("while undoing: %v", failed)
			}
		}
		return err
	}
	for _, wanted := range ascending(slices.Collect(maps.Values(after))) {
		id := wanted.id()
		held := before[id]
		if other, taken := n.otherOwner(id, affected); taken {
			if id.stage == stageTable {
				continue
			}
			return undo(contract.Errorf(contract.FailedPrecondition, "%s: %s is part of %s already", affected[0], id, other))
		}
		if err := n.besides(wanted); err != nil {
			return undo(err)
		}
		if err := n.conn.put(held, wanted, n.sources.own); err != nil {
			return undo(fmt.Errorf("%s: %w", affected[0], err))
		}
		done = append(done, step{held, wanted})
	}
	for _, held := range descending(slices.Collect(maps.Values(before))) {
		id := held.id()
		if _, taken := n.otherOwner(id, affected); taken || after[id] != nil {
			continue
		}
		if err := n.conn.remove(held, n.sources.own); err != nil {
			return undo(fmt.Errorf("%s: %w", affected[0], err))
		}
		done = append(done, step{held, nil})
	}
	return nil
}

// besides refuses a SID and a steering at the same prefix: VPP keeps both in one place of its FIB.
func (n *Node) besides(wanted object) error {
	var other objectID
	switch o := wanted.(type) {
	case localSID:
		other = steer{table: 0, dst: o.prefix}.id()
	case steer:
		if o.table != 0 || o.dst.Addr().Is4() {
			return nil
		}
		other = localSID{prefix: o.dst}.id()
	default:
		return nil
	}
	if len(n.owners[other]) == 0 {
		return nil
	}
	return contract.Errorf(contract.FailedPrecondition, "%s: VPP holds %s for the same prefix; delete that first", wanted.id(), other)
}

// Settle reads VPP and compares the objects that the batch wrote.
func (b *effects) Settle(batch []rows.Outcome) {
	if b.conn == nil || b.conn.lost != nil || len(batch) == 0 {
		return
	}
	b.settleEdge(batch)
	held, err := b.conn.dump(b.sources)
	for i := range batch {
		o := &batch[i]
		if o.Err != nil || o.Op == contract.Delete {
			continue
		}
		if err != nil {
			o.Err = err
			continue
		}
		key := o.Entry().Key()
		r := b.rows.Get(key)
		if r == nil {
			continue // deleted by a later update
		}
		if diff := held.differs(r.Objects, b.sources); diff != "" {
			o.Err = contract.Errorf(contract.Internal, "%s: VPP took it, but shows something else: %s", key, diff)
		}
	}
}

func (n *Node) otherOwner(id objectID, affected []contract.Key) (contract.Key, bool) {
	for _, key := range rows.SortedKeys(n.owners[id]) {
		if !slices.Contains(affected, key) {
			return key, true
		}
	}
	return contract.Key{}, false
}

// own and disown keep owners in step with rows.
func (n *Node) own(key contract.Key, objects []object) {
	for _, o := range objects {
		if n.owners[o.id()] == nil {
			n.owners[o.id()] = map[contract.Key]bool{}
		}
		n.owners[o.id()][key] = true
	}
}

func (n *Node) disown(key contract.Key, objects []object) {
	for _, o := range objects {
		delete(n.owners[o.id()], key)
		if len(n.owners[o.id()]) == 0 {
			delete(n.owners, o.id())
		}
	}
}

func collect(into map[objectID]object, objects []object) {
	for _, o := range objects {
		into[o.id()] = o
	}
}

func objectsOf(rows iter.Seq2[contract.Key, *row]) []object {
	all := map[objectID]object{}
	for _, r := range rows {
		collect(all, r.Objects)
	}
	return slices.Collect(maps.Values(all))
}

func ascending(objects []object) []object {
	return slices.SortedFunc(slices.Values(objects), func(a, b object) int { return compareIDs(a.id(), b.id()) })
}

func descending(objects []object) []object {
	sorted := ascending(objects)
	slices.Reverse(sorted)
	return sorted
}
