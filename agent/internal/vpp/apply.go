// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/journal"
	"sextant/agent/internal/punt"
)

// Apply carries out a batch, see contract.Backend. What it does to a row is all or nothing: when the
// third object of a row is refused, the first two are taken back. The batch is read back at its end; a
// row that VPP shows otherwise than it was written is an error, and is put back.
func (n *Node) Apply(ctx context.Context, updates []contract.Update) []error {
	n.mu.Lock()
	defer n.mu.Unlock()
	errs := make([]error, len(updates))
	batch, err := n.begin(updates)
	if err != nil {
		for i := range errs {
			errs[i] = err
		}
		return errs
	}
	former := make([]contract.Entry, len(updates))
	for i, u := range updates {
		if err := ctx.Err(); err != nil {
			errs[i] = fmt.Errorf("not tried: %w", err)
			continue
		}
		if u.Entry != nil && n.rows[u.Entry.Key()] != nil {
			former[i] = n.rows[u.Entry.Key()].entry
		}
		errs[i] = batch.apply(u)
	}
	n.verify(updates, former, errs)
	if err := n.journal.Done(errs, n.entries); err != nil {
		for i := range errs {
			if errs[i] == nil {
				errs[i] = &contract.Error{
					Code: contract.Internal, Message: "the row is in VPP, but would not survive a restart of the agent",
					Err: err, Remedy: "make room in " + n.options.StateDir + " and write it again",
				}
			}
		}
	}
	return errs
}

// batch is what one Apply knows of VPP before it changes anything.
type batch struct {
	*Node
	held holdings
	// lost are the rows that VPP did not hold as they were written; they may be inserted again.
	lost map[contract.Key]bool
}

func (n *Node) begin(updates []contract.Update) (*batch, error) {
	if err := n.reachableNow(); err != nil {
		return nil, err
	}
	if err := n.refreshPorts(); err != nil {
		return nil, err
	}
	held, err := n.conn.dump(n.sources)
	if err != nil {
		return nil, err
	}
	if err := n.journal.Begin(journal.Batch(updates), n.entries); err != nil {
		return nil, &contract.Error{
			Code: contract.ResourceExhausted, Message: "nothing was changed, as the state directory cannot be written",
			Err: err, Remedy: "make room in " + n.options.StateDir,
		}
	}
	b := &batch{n, held, map[contract.Key]bool{}}
	for _, u := range updates {
		if u.Entry == nil || n.rows[u.Entry.Key()] == nil {
			continue
		}
		if key := u.Entry.Key(); held.differs(n.rows[key].objects, n.sources) != "" || n.cutOff(n.rows[key].entry) != nil {
			b.lost[key] = true
		}
	}
	return b, nil
}

func (b *batch) apply(u contract.Update) error {
	if u.Entry == nil {
		return contract.Errorf(contract.InvalidArgument, "an update needs an entry")
	}
	key := u.Entry.Key()
	old := b.rows[key]
	_, always := u.Entry.(contract.EncapSource)
	switch {
	case u.Op != contract.Insert && u.Op != contract.Modify && u.Op != contract.Delete:
		return contract.Errorf(contract.InvalidArgument, "%s: operation %d is unknown", key, u.Op)
	case u.Op != contract.Insert && old == nil && !always:
		return contract.Errorf(contract.NotFound, "%s does not exist", key)
	case u.Op == contract.Delete && old == nil:
		return nil
	case u.Op == contract.Delete:
		if err := b.mend(old); err != nil { // so that there is something to delete
			return err
		}
		return b.remove(key)
	}
	if err := contract.Validate(u.Entry); err != nil {
		return err
	}
	if u.Op == contract.Insert && old != nil && !b.lost[key] && !always {
		return contract.Errorf(contract.AlreadyExists, "%s exists already", key)
	}
	if e, ok := u.Entry.(contract.Punt); ok {
		if err := punt.Supported(e, b.indexes()); err != nil {
			return err
		}
		if err := b.packetPorts(e); err != nil {
			return err
		}
	}
	if err := b.obstacle(u.Entry); err != nil {
		return err
	}
	if err := b.mend(old); err != nil {
		return err
	}
	return b.write(u.Entry)
}

// mend writes again what VPP has lost of a row; nothing for one that is as it should be, or new.
func (b *batch) mend(r *row) error {
	if r == nil || !b.lost[r.entry.Key()] {
		return nil
	}
	delete(b.lost, r.entry.Key())
	for _, o := range ascending(r.objects) {
		if b.held.differsOne(o, b.sources) == "" {
			continue
		}
		if err := b.conn.put(b.held.standing(o, b.sources), o, b.sources.own); err != nil {
			return err
		}
	}
	return nil
}

// write makes a row what the entry says. The row is exchanged in memory first, because its users are
// translated against it, and exchanged back if any of them cannot be written.
func (n *Node) write(entry contract.Entry) error {
	key := entry.Key()
	for _, ref := range entry.References() {
		if n.rows[ref] == nil {
			return missing(key, ref)
		}
	}
	old := n.rows[key]
	fresh := &row{entry: entry}
	n.rows[key] = fresh
	affected := append([]contract.Key{key}, n.dependents(key)...)
	if err := n.exchange(affected, old); err != nil {
		if old == nil {
			delete(n.rows, key)
		} else {
			n.rows[key] = old
		}
		return err
	}
	if old != nil {
		n.unlink(old.entry)
	}
	n.link(entry)
	return n.followPunts(entry)
}

// remove deletes a row that nobody uses.
func (n *Node) remove(key contract.Key) error {
	if users := sortedKeys(n.users[key]); len(users) > 0 {
		e := contract.Errorf(contract.FailedPrecondition, "%s is used by %s", key, users[0])
		if len(users) > 1 {
			e.Message += fmt.Sprintf(" and %d more", len(users)-1)
		}
		e.Remedy = "delete its users first"
		return e
	}
	old := n.rows[key]
	delete(n.rows, key)
	if err := n.exchange(append([]contract.Key{key}, n.dependents(key)...), old); err != nil {
		n.rows[key] = old
		return err
	}
	n.unlink(old.entry)
	return n.followPunts(old.entry)
}

// dependents are the rows whose objects may change with a row.
func (n *Node) dependents(key contract.Key) []contract.Key {
	if key.Table != contract.TableEncapSource {
		return sortedKeys(n.users[key])
	}
	var lists []contract.Key
	for _, k := range sortedKeys(n.rows) {
		if k.Table == contract.TableSIDList {
			lists = append(lists, k)
		}
	}
	return lists
}

// exchange makes VPP hold what the affected rows want now. The first of them is the row that changed;
// old is what it was. On an error VPP and the objects of all rows are as before.
func (n *Node) exchange(affected []contract.Key, old *row) error {
	before, after := map[objectID]object{}, map[objectID]object{}
	fresh := map[contract.Key][]object{}
	for i, key := range affected {
		if r := n.rows[key]; r != nil {
			wanted, err := n.view().translate(r.entry)
			if err != nil {
				if i > 0 {
					err = fmt.Errorf("%s uses it: %w", key, err)
				}
				return err
			}
			fresh[key] = wanted
			collect(after, wanted)
		}
		if i == 0 {
			if old != nil {
				collect(before, old.objects)
			}
		} else {
			collect(before, n.rows[key].objects)
		}
	}
	if err := n.change(affected, before, after); err != nil {
		return err
	}
	for i, key := range affected {
		if i == 0 && old != nil {
			n.disown(key, old.objects)
		} else if i > 0 {
			n.disown(key, n.rows[key].objects)
		}
		if r := n.rows[key]; r != nil {
			r.objects = fresh[key]
			n.own(key, r.objects)
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

// verify reads VPP and compares what the batch wrote.
func (n *Node) verify(updates []contract.Update, former []contract.Entry, errs []error) {
	if n.conn.lost != nil {
		return
	}
	held, err := n.conn.dump(n.sources)
	for i, u := range updates {
		if errs[i] != nil || u.Op == contract.Delete {
			continue
		}
		if err != nil {
			errs[i] = err
			continue
		}
		key := u.Entry.Key()
		r := n.rows[key]
		if r == nil || held.differs(r.objects, n.sources) == "" {
			continue // deleted by a later update, or as it should be
		}
		errs[i] = contract.Errorf(contract.Internal, "%s: VPP took it, but shows something else: %s", key, held.differs(r.objects, n.sources))
		if former[i] == nil {
			err = n.remove(key)
		} else {
			err = n.write(former[i])
		}
		if err != nil {
			n.options.Log("putting %s back: %v", key, err)
		}
	}
}

func (n *Node) otherOwner(id objectID, affected []contract.Key) (contract.Key, bool) {
	for _, key := range sortedKeys(n.owners[id]) {
		if !slices.Contains(affected, key) {
			return key, true
		}
	}
	return contract.Key{}, false
}

func (n *Node) own(key contract.Key, objects []object) { index(n.owners, ids(objects), key) }

func (n *Node) disown(key contract.Key, objects []object) { unindex(n.owners, ids(objects), key) }

func (n *Node) link(e contract.Entry) { index(n.users, e.References(), e.Key()) }

func (n *Node) unlink(e contract.Entry) { unindex(n.users, e.References(), e.Key()) }

func index[K comparable](m map[K]map[contract.Key]bool, under []K, key contract.Key) {
	for _, k := range under {
		if m[k] == nil {
			m[k] = map[contract.Key]bool{}
		}
		m[k][key] = true
	}
}

func unindex[K comparable](m map[K]map[contract.Key]bool, under []K, key contract.Key) {
	for _, k := range under {
		delete(m[k], key)
		if len(m[k]) == 0 {
			delete(m, k)
		}
	}
}

func ids(objects []object) []objectID {
	out := make([]objectID, len(objects))
	for i, o := range objects {
		out[i] = o.id()
	}
	return out
}

func collect(into map[objectID]object, objects []object) {
	for _, o := range objects {
		into[o.id()] = o
	}
}

func objectsOf(rows map[contract.Key]*row) []object {
	all := map[objectID]object{}
	for _, r := range rows {
		collect(all, r.objects)
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

func (n *Node) entries() []contract.Entry {
	list := make([]contract.Entry, 0, len(n.rows))
	for _, key := range sortedKeys(n.rows) {
		list = append(list, n.rows[key].entry)
	}
	return list
}

func sortedKeys[V any](m map[contract.Key]V) []contract.Key {
	return slices.SortedFunc(maps.Keys(m), contract.Key.Compare)
}
