// SPDX-License-Identifier: Apache-2.0

// Package journal keeps a back end's rows over a restart of the agent, whatever moment it is killed at.
package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/durable"
)

// A Journal is the agent's memory of its rows: kernel routes carry no ids, and a segment list
// without users shows nowhere. One file, one record per line, each behind its CRC-32:
//
//	{"namespace":"…"}                 which namespace the rows are in; another one has none of them
//	{"rows":[…]}                      all rows at some moment, in as many records as it takes
//	{"begin":[…]}                     a batch, written before the data plane is touched
//	{"done":[2,5]}                    that batch is over; these of its updates had failed
//
// "done" reaches the disk before Apply answers. A batch without "done" was interrupted and is
// finished by the next agent. A damaged record ends the file: as records build on each other, nothing
// after it is believed, so nothing is ever written behind one. How it is written: durable.RecordLog.
type Journal struct {
	log    *durable.RecordLog
	lock   *os.File
	header string // namespace
}

// Name of the file in the state directory.
const Name = "rows.journal"

// rowsPerRecord bounds the rows that are encoded at once.
const rowsPerRecord = 1000

type record struct {
	Namespace string   `json:"namespace,omitempty"`
	Rows      []Tagged `json:"rows,omitempty"`
	Begin     []Noted  `json:"begin,omitempty"`
	Done      *[]int   `json:"done,omitempty"`
}

// Noted is an update of a batch: a deletion by key alone, otherwise with its entry.
type Noted struct {
	Op    contract.Op  `json:"op"`
	Key   contract.Key `json:"key"`
	Entry Tagged       `json:"entry"`
}

// Tagged is an entry that is written with the name of its type.
type Tagged struct{ Entry contract.Entry }

type tagged struct {
	Kind  string          `json:"kind"`
	Entry json.RawMessage `json:"entry"`
}

// Open locks the directory and gives the rows of this namespace and the batch that was not
// finished. Damage is logged and kept beside the file; it is no error, as the controller has the truth.
func Open(dir, namespace string, say func(string, ...any)) (*Journal, []contract.Entry, []Noted, error) {
	if dir == "" {
		return nil, nil, nil, contract.Errorf(contract.InvalidArgument, "a state directory is needed")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, nil, fmt.Errorf("make the state directory: %w", err)
	}
	lock, err := lockDirectory(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	j, rows, unfinished, err := openOn(durable.OS{}, filepath.Join(dir, Name), namespace, say)
	if err != nil {
		return nil, nil, nil, errors.Join(err, lock.Close())
	}
	j.lock = lock
	return j, rows, unfinished, nil
}

// openOn reads a journal without the lock of its folder.
func openOn(disk durable.Disk, path, namespace string, say func(string, ...any)) (*Journal, []contract.Entry, []Noted, error) {
	r := reading{namespace: namespace, memory: map[contract.Key]contract.Entry{}}
	log, err := durable.OpenRecordLog(durable.RecordLogOptions{Disk: disk, Path: path, Read: r.line, Say: say})
	if err != nil {
		return nil, nil, nil, err
	}
	rows, unfinished := r.rows()
	return &Journal{log: log, header: namespace}, rows, unfinished, nil
}

func lockDirectory(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the state directory: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(&contract.Error{
			Code: contract.FailedPrecondition, Message: fmt.Sprintf("another agent uses the state directory %s", dir),
			Err: err, Remedy: "stop it, or give each node its own --state-dir",
		}, f.Close())
	}
	return f, nil
}

// reading is the state of the rows after some lines.
type reading struct {
	namespace  string
	mine       bool
	memory     map[contract.Key]contract.Entry
	unfinished []Noted
}

// line takes one record.
func (l *reading) line(text []byte) error {
	var r record
	if err := decodeRecord(text, &r); err != nil {
		return err
	}
	switch {
	case r.Namespace != "":
		clear(l.memory)
		l.mine, l.unfinished = r.Namespace == l.namespace, nil
	case r.Done != nil:
		settle(l.memory, l.unfinished, *r.Done)
		l.unfinished = nil
	case r.Begin != nil:
		l.unfinished = r.Begin
	default:
		for _, e := range r.Rows {
			if e.Entry != nil {
				l.memory[e.Entry.Key()] = e.Entry
			}
		}
	}
	return nil
}

// rows gives those of this namespace in order, and the batch that was not finished.
func (l *reading) rows() (rows []contract.Entry, unfinished []Noted) {
	if !l.mine {
		return nil, nil
	}
	for _, key := range slices.SortedFunc(maps.Keys(l.memory), contract.Key.Compare) {
		rows = append(rows, l.memory[key])
	}
	return rows, l.unfinished
}

// Batch is the form of a batch in the journal: nothing (a nil entry) where an update cannot succeed and might not even
// be written down.
func Batch(updates []contract.Update) []Noted {
	out := make([]Noted, len(updates))
	for i, u := range updates {
		switch {
		case u.Entry == nil:
		case u.Op == contract.Delete:
			out[i] = Noted{Op: u.Op, Key: u.Entry.Key()}
		case contract.Validate(u.Entry) == nil:
			out[i] = Noted{Op: u.Op, Key: u.Entry.Key(), Entry: Tagged{u.Entry}}
		}
	}
	return out
}

func settle(memory map[contract.Key]contract.Entry, updates []Noted, failed []int) {
	bad := map[int]bool{}
	for _, i := range failed {
		bad[i] = true
	}
	for i, u := range updates {
		switch {
		case bad[i]:
		case u.Op == contract.Delete:
			delete(memory, u.Key)
		case u.Entry.Entry != nil:
			memory[u.Key] = u.Entry.Entry
		}
	}
}

// Begin notes a batch. It is not synced: it has to outlive the agent, not the machine, whose kernel
// state would be gone as well. entries are the rows as they are before the batch.
func (j *Journal) Begin(updates []Noted, entries func() []contract.Entry) error {
	b, err := encodeRecord(record{Begin: updates})
	if err != nil {
		return err
	}
	if err := j.log.Begin(b, j.state(entries)); err != nil {
		return fmt.Errorf("write the rows: %w", err)
	}
	return nil
}

// Done ends the batch and syncs. errs has one element per update of Begin's batch, entries are the
// rows as they are after it.
func (j *Journal) Done(errs []error, entries func() []contract.Entry) error {
	failed := []int{}
	for i, err := range errs {
		if err != nil {
			failed = append(failed, i)
		}
	}
	b, err := encodeRecord(record{Done: &failed})
	if err == nil {
		err = j.log.Commit(b, j.state(entries))
	} else {
		err = errors.Join(err, j.log.Spoil())
	}
	if err != nil { // the data plane is ahead of the file now
		return fmt.Errorf("write the rows: %w", err)
	}
	return nil
}

// Compact writes the rows into a new file, syncs it and puts it in the place of the old one. When it fails, the file is
// unchanged, and the next Begin tries again if it has to.
func (j *Journal) Compact(entries []contract.Entry) error {
	return j.log.Rewrite(j.state(func() []contract.Entry { return entries }))
}

// state returns a function that writes all rows.
func (j *Journal) state(entries func() []contract.Entry) func(io.Writer) error {
	return func(w io.Writer) error {
		if err := writeRecord(w, record{Namespace: j.header}); err != nil {
			return err
		}
		for rows := range slices.Chunk(entries(), rowsPerRecord) {
			r := record{Rows: make([]Tagged, len(rows))}
			for i, e := range rows {
				r.Rows[i] = Tagged{e}
			}
			if err := writeRecord(w, r); err != nil {
				return err
			}
		}
		return nil
	}
}

func writeRecord(w io.Writer, r record) error {
	b, err := encodeRecord(r)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// Close releases the file and the directory.
func (j *Journal) Close() error { return errors.Join(j.log.Close(), j.lock.Close()) }

func encodeRecord(r record) ([]byte, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode rows: %w", err)
	}
	return durable.Summed(b), nil
}

func decodeRecord(line []byte, r *record) error {
	text, err := durable.Unsummed(line)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, r)
}

// MarshalJSON writes the kind and the entry.
func (t Tagged) MarshalJSON() ([]byte, error) {
	b, err := json.Marshal(t.Entry)
	if err != nil {
		return nil, err
	}
	return json.Marshal(tagged{kindOf(t.Entry), b})
}

// UnmarshalJSON reads an entry of the kind it names, and believes only a valid one.
func (t *Tagged) UnmarshalJSON(b []byte) error {
	var raw tagged
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	entry, err := decodeKind(raw)
	if err != nil {
		return err
	}
	t.Entry = entry
	return nil
}

// kindOf is empty for the nil entry of an update that could not succeed.
func kindOf(e contract.Entry) string {
	kind, _ := contract.KindOf(e)
	return kind.Name
}

func decodeKind(raw tagged) (contract.Entry, error) {
	if raw.Kind == "" {
		return nil, nil
	}
	kind, known := contract.KindNamed(raw.Kind)
	if !known {
		return nil, fmt.Errorf("kind %q is unknown", raw.Kind)
	}
	return kind.Parse(raw.Entry)
}
