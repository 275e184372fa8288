// SPDX-License-Identifier: Apache-2.0

package rows

import (
	"errors"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/journal"
)

// Open locks the state directory and takes the rows that it remembers of a data plane, which identity names;
// they have no objects yet, see Recall. A batch that was not finished is for Finish or Assume.
func (s *Set[O]) Open(identity string) (unfinished []journal.Noted, err error) {
	opened, remembered, unfinished, err := journal.Open(s.options.StateDir, identity, s.options.Log)
	if err != nil {
		return nil, err
	}
	s.journal = opened
	for _, e := range remembered {
		s.rows[e.Key()] = &Row[O]{Entry: e}
		s.link(e)
	}
	return unfinished, nil
}

// Close releases the state directory.
func (s *Set[O]) Close() error {
	if s.journal == nil {
		return nil
	}
	err := s.journal.Close()
	s.journal = nil
	return err
}

// Recall translates all rows, and forgets those that cannot be had any more.
func (s *Set[O]) Recall() {
	for again := true; again; {
		again = false
		for _, key := range s.Keys() {
			r := s.rows[key]
			err := s.referencesThere(r.Entry)
			if err == nil {
				r.Objects, err = s.backend.Translate(r.Entry)
			}
			if err != nil {
				s.options.Log("%s is forgotten: %v", key, err)
				s.unlink(r.Entry)
				delete(s.rows, key)
				again = true
			}
		}
	}
}

// Assume counts a batch that was not finished as carried out. The data plane is brought in step afterwards.
func (s *Set[O]) Assume(unfinished []journal.Noted) {
	for _, u := range unfinished {
		if u.Op != contract.Delete && u.Entry.Entry == nil {
			continue // it could not succeed
		}
		if old := s.rows[u.Key]; old != nil {
			s.unlink(old.Entry)
			delete(s.rows, u.Key)
		}
		if u.Op != contract.Delete {
			s.rows[u.Key] = &Row[O]{Entry: u.Entry.Entry}
			s.link(u.Entry.Entry)
		}
	}
}

// Finish carries an interrupted batch out again. An insert of it may be in the data plane already; that
// is then a leftover of the agent's own, which a write may replace.
func (s *Set[O]) Finish(unfinished []journal.Noted) {
	if len(unfinished) == 0 {
		return
	}
	s.options.Log("finishing a batch of %d updates that the former agent was interrupted in", len(unfinished))
	var updates []contract.Update
	for _, u := range unfinished {
		entry := u.Entry.Entry
		if old := s.rows[u.Key]; u.Op == contract.Delete && old != nil {
			entry = old.Entry
		}
		if entry != nil {
			updates = append(updates, contract.Update{Op: u.Op, Entry: entry})
		}
	}
	var err error
	if s.lost, err = s.backend.Begin(updates); err != nil {
		s.options.Log("finishing: %v", err)
	}
	batch := make([]Outcome, len(updates))
	for i, u := range updates {
		batch[i] = Outcome{Update: u, Former: s.Entry(u.Entry.Key())}
		batch[i].Err = s.change(u)
	}
	s.settle(batch)
	for _, o := range batch {
		if o.Err != nil {
			s.options.Log("finishing: %v", o.Err)
		}
	}
}

// Compact writes the journal anew. Rows that cannot be written now are tried again by the next batch.
func (s *Set[O]) Compact() {
	if err := s.journal.Compact(s.Entries()); err != nil { // the old file says the same
		s.options.Log("%v; writes are refused until there is room in %s", err, s.options.StateDir)
	}
}

// Clear forgets all rows, also for the next agent. It gives them back.
func (s *Set[O]) Clear() (forgotten map[contract.Key]*Row[O], forget func() error) {
	forgotten = s.rows
	s.rows, s.users = map[contract.Key]*Row[O]{}, map[contract.Key]map[contract.Key]bool{}
	return forgotten, func() error {
		if s.journal == nil {
			return errors.New("the state directory is not open")
		}
		return s.journal.Compact(nil)
	}
}
