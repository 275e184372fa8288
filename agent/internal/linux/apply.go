// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"fmt"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/journal"
	"sextant/agent/internal/punt"
)

// Apply carries out a batch, see contract.Backend. What it does to a row is all or nothing: when
// the third object of a row is refused, the first two are taken back.
func (n *Node) Apply(ctx context.Context, updates []contract.Update) []error {
	n.mu.Lock()
	defer n.mu.Unlock()
	errs := make([]error, len(updates))
	if err := n.begin(updates); err != nil {
		for i := range errs {
			errs[i] = err
		}
		return errs
	}
	for i, u := range updates {
		if err := ctx.Err(); err != nil {
			errs[i] = fmt.Errorf("not tried: %w", err)
			continue
		}
		errs[i] = n.applyOne(u)
	}
	if err := n.commit(errs); err != nil {
		for i := range errs {
			if errs[i] == nil {
				errs[i] = err
			}
		}
	}
	return errs
}

// begin brings the node's picture of the kernel up to date and writes down what is about to happen,
// so that a crash in the middle can be finished by the next Open.
func (n *Node) begin(updates []contract.Update) error {
	if err := n.refreshPorts(); err != nil {
		return &contract.Error{Code: contract.Internal, Message: "the ports cannot be brought in step", Err: err}
	}
	if err := n.catchUp(); err != nil {
		return &contract.Error{Code: contract.Internal, Message: "the kernel's changes cannot be followed", Err: err}
	}
	var err error
	if n.lost, err = n.lostRows(updates); err != nil {
		return &contract.Error{Code: contract.Internal, Message: "the kernel's routes cannot be read", Err: err}
	}
	if err := n.journal.Begin(journal.Batch(updates), n.entries); err != nil {
		return &contract.Error{
			Code: contract.ResourceExhausted, Message: "nothing was changed, as the state directory cannot be written",
			Err: err, Remedy: "make room in " + n.options.StateDir,
		}
	}
	return nil
}

// commit makes the batch durable, and what it counts visible.
func (n *Node) commit(errs []error) error {
	if n.liveBehind {
		n.refreshLive()
	}
	if n.counters != nil {
		if err := n.counters.flush(); err != nil {
			n.options.Log("steering counters: %v", err)
		}
	}
	if err := n.syncEnds(); err != nil {
		n.options.Log("decapsulating SIDs: %v", err)
	}
	if err := n.journal.Done(errs, n.entries); err != nil {
		return &contract.Error{
			Code: contract.Internal, Message: "the row is in the kernel, but would not survive a restart of the agent",
			Err: err, Remedy: "make room in " + n.options.StateDir + " and write it again",
		}
	}
	return nil
}

func (n *Node) applyOne(u contract.Update) error {
	switch u.Entry.(type) {
	case nil:
		return contract.Errorf(contract.InvalidArgument, "an update needs an entry")
	case contract.EncapSource:
		return n.applySource(u)
	}
	key := u.Entry.Key()
	old := n.rows[key]
	if u.Op != contract.Insert && u.Op != contract.Modify && u.Op != contract.Delete {
		return contract.Errorf(contract.InvalidArgument, "%s: operation %d is unknown", key, u.Op)
	}
	if u.Op != contract.Insert && old == nil {
		return contract.Errorf(contract.NotFound, "%s does not exist", key)
	}
	if u.Op == contract.Delete {
		return n.remove(key, old)
	}
	if err := contract.Validate(u.Entry); err != nil {
		return err
	}
	if u.Op == contract.Insert && old != nil && !n.lost[key] {
		return contract.Errorf(contract.AlreadyExists, "%s exists already", key)
	}
	if e, ok := u.Entry.(contract.Punt); ok {
		if err := punt.Supported(e, indexes(n.ports)); err != nil {
			return err
		}
	}
	return n.write(key, old, u.Entry)
}

// write makes a row what the entry says. The row is exchanged in memory first, because its users
// are translated against it, and exchanged back if any of them cannot be written.
func (n *Node) write(key contract.Key, old *row, entry contract.Entry) error {
	for _, ref := range entry.References() {
		if n.rows[ref] == nil {
			return missing(key, ref)
		}
	}
	wanted, err := n.view().translate(entry)
	if err != nil {
		return err
	}
	if err := n.obstacle(entry, wanted, old != nil && !old.yielded && !n.lost[key]); err != nil {
		return err
	}
	fresh := &row{entry: entry, objects: wanted}
	changes := changeSet{conn: n.conn}
	if err := changes.put(key, objectsOf(old), wanted); err != nil {
		return changes.undo(err)
	}
	n.rows[key] = fresh
	if old != nil {
		if err := n.rewriteUsers(key, &changes); err != nil {
			n.rows[key] = old
			return changes.undo(err)
		}
	}
	if err := n.follow(old, fresh); err != nil {
		n.putBack(key, old)
		return changes.undo(err)
	}
	if old != nil {
		n.unlink(old.entry)
	}
	changes.finish(n.options.Log)
	n.link(entry)
	delete(n.lost, key)
	n.note(key, nil)
	return nil
}

// putBack undoes a change of a row that something else than routes could not follow.
func (n *Node) putBack(key contract.Key, old *row) {
	fresh := n.rows[key]
	delete(n.rows, key)
	if old != nil {
		n.rows[key] = old
	}
	if err := n.follow(fresh, old); err != nil {
		n.options.Log("%s is put back: %v", key, err)
	}
}

// rewriteUsers writes the routes that a changed next hop or segment list shows in.
func (n *Node) rewriteUsers(key contract.Key, changes *changeSet) error {
	rewritten := map[*row]objects{}
	for _, userKey := range sortedKeys(n.users[key]) {
		user := n.rows[userKey]
		wanted, err := n.view().translate(user.entry)
		if err != nil {
			return fmt.Errorf("%s uses it: %w", userKey, err)
		}
		if sameObjects(user.objects, wanted) {
			continue
		}
		if user.yielded {
			rewritten[user] = wanted
			continue
		}
		if err := changes.put(userKey, user.objects, wanted); err != nil {
			return fmt.Errorf("%s uses it: %w", userKey, err)
		}
		rewritten[user] = wanted
	}
	for user, wanted := range rewritten {
		user.objects = wanted
	}
	return nil
}

// remove deletes a row that nobody uses. What the kernel has lost already is no error.
func (n *Node) remove(key contract.Key, old *row) error {
	if users := sortedKeys(n.users[key]); len(users) > 0 {
		e := contract.Errorf(contract.FailedPrecondition, "%s is used by %s", key, users[0])
		if len(users) > 1 {
			e.Message += fmt.Sprintf(" and %d more", len(users)-1)
		}
		e.Remedy = "delete its users first"
		return e
	}
	changes := changeSet{conn: n.conn}
	if err := changes.put(key, old.objects, objects{}); err != nil {
		return changes.undo(err)
	}
	if err := changes.drop(); err != nil {
		return changes.undo(fmt.Errorf("%s: %w", key, err))
	}
	delete(n.rows, key)
	delete(n.outages, key)
	if err := n.follow(old, nil); err != nil {
		n.putBack(key, old)
		return changes.undo(err)
	}
	n.unlink(old.entry)
	if sid, ok := old.entry.(contract.MySID); ok {
		delete(n.private, sid.SID)
	}
	return nil
}

// syncEnds has nftables know the decapsulating SIDs. What fails is tried again by the next batch.
func (n *Node) syncEnds() error {
	if n.ends == nil || !n.endsChanged {
		return nil
	}
	err := n.ends.sync(endsOf(n.rows))
	n.endsChanged = err != nil
	return err
}

// follow brings what is not routes in step with a changed row: counters, punt sockets and eBPF.
func (n *Node) follow(old, fresh *row) error {
	for _, r := range []*row{old, fresh} {
		if r == nil {
			continue
		}
		switch e := r.entry.(type) {
		case contract.MySID:
			n.endsChanged = true
		case contract.Steering:
			if n.counters != nil && (old == nil || fresh == nil) {
				n.counters.set(e, fresh != nil)
			}
		case contract.Punt:
			return n.punts.Sync(n.puntRows(), indexes(n.ports))
		}
	}
	return n.followLive(old, fresh)
}

func (n *Node) puntRows() []contract.Punt {
	var rows []contract.Punt
	for _, r := range n.rows {
		if e, ok := r.entry.(contract.Punt); ok {
			rows = append(rows, e)
		}
	}
	return rows
}

func (n *Node) entries() []contract.Entry {
	list := make([]contract.Entry, 0, len(n.rows))
	for _, key := range sortedKeys(n.rows) {
		list = append(list, n.rows[key].entry)
	}
	return list
}

func objectsOf(r *row) objects {
	if r == nil {
		return objects{}
	}
	return r.objects
}
