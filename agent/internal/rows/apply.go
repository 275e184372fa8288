// SPDX-License-Identifier: Apache-2.0

package rows

import (
	"context"
	"fmt"
	"slices"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/journal"
)

// Apply carries out a batch, see contract.Backend. A change of a row is all or nothing.
func (s *Set[O]) Apply(ctx context.Context, updates []contract.Update) []error {
	errs := make([]error, len(updates))
	if err := s.begin(updates); err != nil {
		for i := range errs {
			errs[i] = err
		}
		return errs
	}
	batch := make([]Outcome, len(updates))
	for i, u := range updates {
		batch[i].Update = u
		if err := ctx.Err(); err != nil {
			batch[i].Err = fmt.Errorf("not tried: %w", err)
			continue
		}
		if u.Entry != nil {
			batch[i].Former = s.Entry(u.Entry.Key())
		}
		batch[i].Err = s.change(u)
	}
	s.settle(batch)
	for i, o := range batch {
		errs[i] = o.Err
	}
	if err := s.journal.Done(errs, s.Entries); err != nil {
		for i := range errs {
			if errs[i] == nil {
				errs[i] = s.forgetful(err)
			}
		}
	}
	return errs
}

// begin writes down the updates of a batch, so that a crash in the middle can be finished by the next agent.
func (s *Set[O]) begin(updates []contract.Update) (err error) {
	if s.lost, err = s.backend.Begin(updates); err != nil {
		return err
	}
	if err := s.journal.Begin(journal.Batch(updates), s.Entries); err != nil {
		return &contract.Error{
			Code: contract.ResourceExhausted, Message: "nothing was changed, as the state directory cannot be written",
			Err: err, Remedy: "make room in " + s.options.StateDir,
		}
	}
	return nil
}

func (s *Set[O]) forgetful(err error) error {
	return &contract.Error{
		Code: contract.Internal, Message: fmt.Sprintf("the row is in %s, but would not survive a restart of the agent", s.options.Where),
		Err: err, Remedy: "make room in " + s.options.StateDir + " and write it again",
	}
}

// settle puts the rows back that did not take after all, the last change first, and has the data plane follow.
func (s *Set[O]) settle(batch []Outcome) {
	before := slices.Clone(batch)
	s.backend.Settle(batch)
	back := false
	for i, o := range slices.Backward(batch) {
		if o.Err == nil || before[i].Err != nil {
			continue
		}
		back = true
		if err := s.putBack(o.Update.Entry.Key(), o.Former); err != nil {
			s.options.Log("putting %s back: %v", o.Update.Entry.Key(), err)
		}
	}
	if back {
		s.backend.Settle(nil)
	}
}

func (s *Set[O]) putBack(key contract.Key, former contract.Entry) error {
	if former != nil {
		return s.write(former)
	}
	return s.remove(key)
}

// change carries out an update, by P4Runtime's rules.
func (s *Set[O]) change(u contract.Update) error {
	if u.Entry == nil {
		return contract.Errorf(contract.InvalidArgument, "an update needs an entry")
	}
	key := u.Entry.Key()
	kind, _ := contract.KindOf(u.Entry)
	there := s.rows[key] != nil
	switch {
	case u.Op != contract.Insert && u.Op != contract.Modify && u.Op != contract.Delete:
		return contract.Errorf(contract.InvalidArgument, "%s: operation %d is unknown", key, u.Op)
	case u.Op == contract.Insert && kind.AlwaysThere:
		return contract.Errorf(contract.InvalidArgument, "%s has one row that always exists; it can only be modified or reset", key)
	case u.Op != contract.Insert && !there && !kind.AlwaysThere:
		return contract.Errorf(contract.NotFound, "%s does not exist", key)
	case u.Op == contract.Delete:
		return s.remove(key)
	}
	if err := contract.Validate(u.Entry); err != nil {
		return err
	}
	if u.Op == contract.Insert && there && !s.lost[key] {
		return contract.Errorf(contract.AlreadyExists, "%s exists already", key)
	}
	return s.write(u.Entry)
}

// write makes a row equal to the entry.
func (s *Set[O]) write(entry contract.Entry) error {
	if err := s.referencesThere(entry); err != nil {
		return err
	}
	wanted, err := s.backend.Translate(entry)
	if err != nil {
		return err
	}
	return s.exchange(entry.Key(), &Row[O]{Entry: entry, Objects: wanted})
}

// remove deletes a row that no other one uses. Deleting an absent default entry is not an error. One that is always
// there may be away already.
func (s *Set[O]) remove(key contract.Key) error {
	if users := s.Users(key); len(users) > 0 {
		e := contract.Errorf(contract.FailedPrecondition, "%s is used by %s", key, users[0])
		if len(users) > 1 {
			e.Message += fmt.Sprintf(" and %d more", len(users)-1)
		}
		e.Remedy = "delete its users first"
		return e
	}
	return s.exchange(key, nil)
}

// exchange puts a row in the place of another, either of which may be none. It is exchanged in memory first,
// because the rows that show it are translated against it, and exchanged back if any of them cannot be had.
func (s *Set[O]) exchange(key contract.Key, fresh *Row[O]) error {
	old := s.rows[key]
	s.hold(key, fresh)
	changes, err := s.shown([]Change[O]{{key, old, fresh}})
	if err == nil {
		err = s.backend.Put(changes)
	}
	if err != nil {
		s.hold(key, old)
		return err
	}
	for _, c := range changes[1:] {
		s.rows[c.Key] = c.New
	}
	if old != nil {
		s.unlink(old.Entry)
	}
	if fresh != nil {
		s.link(fresh.Entry)
	}
	delete(s.lost, key)
	return nil
}

func (s *Set[O]) hold(key contract.Key, r *Row[O]) {
	if r == nil {
		delete(s.rows, key)
		return
	}
	s.rows[key] = r
}

// shown adds the rows that a changed one shows in.
func (s *Set[O]) shown(changes []Change[O]) ([]Change[O], error) {
	key := changes[0].Key
	var users []contract.Key
	for user, e := range s.EachUser(key) {
		if s.backend.Shows(e) {
			users = append(users, user)
		}
	}
	slices.SortFunc(users, contract.Key.Compare)
	for _, user := range append(users, s.backend.ShownIn(key)...) {
		r := s.rows[user]
		wanted, err := s.backend.Translate(r.Entry)
		if err != nil {
			return nil, UsedBy(user, err)
		}
		changes = append(changes, Change[O]{user, r, &Row[O]{Entry: r.Entry, Objects: wanted}})
	}
	return changes, nil
}

// UsedBy says of an error that it is one of a row that shows the changed one.
func UsedBy(user contract.Key, err error) error { return fmt.Errorf("%s uses it: %w", user, err) }
