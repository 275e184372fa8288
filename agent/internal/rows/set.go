// SPDX-License-Identifier: Apache-2.0

// Package rows keeps the rows of a node: by key, with their references, by P4Runtime's rules for operations, and over a
// restart of the agent. The form of a row in a data plane is a Backend's matter.
package rows

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/journal"
)

// A Row is an entry and its objects in the data plane.
type Row[O any] struct {
	Entry   contract.Entry
	Objects O
}

// A Change is a row as it was and as it shall be; nil for none.
type Change[O any] struct {
	Key      contract.Key
	Old, New *Row[O]
}

// A Backend has the effects of a Set. O are the objects of an entry in its data plane.
type Backend[O any] interface {
	// Begin brings the picture of the data plane up to date before a batch, and finds among the rows that the
	// batch names those that are not in service as they were written: they may be inserted once more.
	Begin(batch []contract.Update) (lost map[contract.Key]bool, err error)
	// Translate returns the objects that an entry wants in the data plane. It refuses entries that the data plane
	// cannot serve, and asks the Set for the rows that the entry refers to.
	Translate(e contract.Entry) (O, error)
	// Shows reports whether the objects of an entry that refers to others may change with them. A plane may serve
	// 100,000 entries that refer to one.
	Shows(e contract.Entry) bool
	// ShownIn lists rows that show a row without referring to it.
	ShownIn(key contract.Key) []contract.Key
	// Put writes the present rows to the data plane, or changes nothing. The first change is that of an update, and
	// is in the Set already; the others are rows that show it.
	Put(changes []Change[O]) error
	// Settle ends a batch: it does the work that is done once for all of it, reads back, and gives the updates that
	// did not take an Err.
	Settle(batch []Outcome)
}

// An Outcome is an update of a batch, the row as it was before (nil for none), and why it failed.
type Outcome struct {
	contract.Update
	Former contract.Entry
	Err    error
}

// Entry is the one that an update is about: the former one of a deletion, which names a key only.
func (o Outcome) Entry() contract.Entry {
	if o.Op == contract.Delete {
		return o.Former
	}
	return o.Update.Entry
}

// Options of a Set.
type Options struct {
	// StateDir holds the rows over a restart.
	StateDir string
	// Where names the data plane in sentences, as "the kernel".
	Where string
	Log   func(format string, args ...any)
}

// A Set is the rows of a node. It is not safe for concurrent use; its owner's lock is.
type Set[O any] struct {
	backend Backend[O]
	options Options
	journal *journal.Journal
	rows    map[contract.Key]*Row[O]
	users   map[contract.Key]map[contract.Key]bool // the users of a row
	lost    map[contract.Key]bool
}

// New makes a Set without rows or a journal; see Open.
func New[O any](backend Backend[O], options Options) *Set[O] {
	return &Set[O]{
		backend: backend, options: options,
		rows: map[contract.Key]*Row[O]{}, users: map[contract.Key]map[contract.Key]bool{},
	}
}

// Get finds a row, or nil.
func (s *Set[O]) Get(key contract.Key) *Row[O] { return s.rows[key] }

// Len is the number of rows.
func (s *Set[O]) Len() int { return len(s.rows) }

// All goes over the rows in no order.
func (s *Set[O]) All() iter.Seq2[contract.Key, *Row[O]] { return maps.All(s.rows) }

// Keys are sorted.
func (s *Set[O]) Keys() []contract.Key { return SortedKeys(s.rows) }

// Users of a row refer to it; they are sorted.
func (s *Set[O]) Users(key contract.Key) []contract.Key { return SortedKeys(s.users[key]) }

// Lost says of a row that an update of this batch may insert it once more.
func (s *Set[O]) Lost(key contract.Key) bool { return s.lost[key] }

// Entries are in the order of their keys.
func (s *Set[O]) Entries() []contract.Entry {
	list := make([]contract.Entry, 0, len(s.rows))
	for _, key := range s.Keys() {
		list = append(list, s.rows[key].Entry)
	}
	return list
}

// A Reader is a Set without the types of its objects.
type Reader interface {
	// Entry finds that of a row, or nil.
	Entry(key contract.Key) contract.Entry
	// Each goes over the entries in no order.
	Each() iter.Seq2[contract.Key, contract.Entry]
	// EachUser goes over the entries that refer to a row, in no order.
	EachUser(key contract.Key) iter.Seq2[contract.Key, contract.Entry]
}

// Entry finds that of a row, or nil.
func (s *Set[O]) Entry(key contract.Key) contract.Entry {
	if r := s.rows[key]; r != nil {
		return r.Entry
	}
	return nil
}

// Each goes over the entries in no order.
func (s *Set[O]) Each() iter.Seq2[contract.Key, contract.Entry] {
	return func(yield func(contract.Key, contract.Entry) bool) {
		for key, r := range s.rows {
			if !yield(key, r.Entry) {
				return
			}
		}
	}
}

// EachUser goes over the entries that refer to a row, in no order.
func (s *Set[O]) EachUser(key contract.Key) iter.Seq2[contract.Key, contract.Entry] {
	return func(yield func(contract.Key, contract.Entry) bool) {
		for user := range s.users[key] {
			if !yield(user, s.rows[user].Entry) {
				return
			}
		}
	}
}

// Lookup finds the entry of a row.
func Lookup[T contract.Entry](s Reader, key contract.Key) (T, bool) {
	e, ok := s.Entry(key).(T)
	return e, ok
}

// Of lists the entries of a type, in the order of their keys.
func Of[T contract.Entry](s Reader) []T {
	found := map[contract.Key]T{}
	for key, e := range s.Each() {
		if e, ok := e.(T); ok {
			found[key] = e
		}
	}
	list := make([]T, 0, len(found))
	for _, key := range SortedKeys(found) {
		list = append(list, found[key])
	}
	return list
}

// SortedKeys are the keys of a map in their order.
func SortedKeys[V any](m map[contract.Key]V) []contract.Key {
	return slices.SortedFunc(maps.Keys(m), contract.Key.Compare)
}

// Missing is the error of a row without one that it refers to.
func Missing(user, what contract.Key) error {
	e := contract.Errorf(contract.FailedPrecondition, "%s refers to %s, which does not exist", user, what)
	e.Remedy = fmt.Sprintf("write %s first", what)
	return e
}

// referencesThere says which row an entry misses.
func (s *Set[O]) referencesThere(e contract.Entry) error {
	for _, ref := range e.References() {
		if s.rows[ref] == nil {
			return Missing(e.Key(), ref)
		}
	}
	return nil
}

// link and unlink keep users in step with rows.
func (s *Set[O]) link(e contract.Entry) {
	for _, ref := range e.References() {
		if s.users[ref] == nil {
			s.users[ref] = map[contract.Key]bool{}
		}
		s.users[ref][e.Key()] = true
	}
}

func (s *Set[O]) unlink(e contract.Entry) {
	for _, ref := range e.References() {
		delete(s.users[ref], e.Key())
		if len(s.users[ref]) == 0 {
			delete(s.users, ref)
		}
	}
}
