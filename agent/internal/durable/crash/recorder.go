// SPDX-License-Identifier: Apache-2.0

package crash

import (
	"io/fs"
	"maps"
	"slices"

	"sextant/agent/internal/durable"
)

// A recorder is a disk in memory that remembers every operation, so that the disks that a crash leaves can be built afterwards.
type recorder struct {
	begins contents // the first content, all of it durable
	ops    []op
	now    *replayed
}

// contents is the state of a disk: file contents by name.
type contents map[string][]byte

type opKind int

const (
	opCreate opKind = iota // or truncates the file of that name
	opWrite
	opTruncate
	opSync
	opRename
	opRemove
	opSyncFolder
)

// op is an operation that changes a disk or makes a change durable.
type op struct {
	kind     opKind
	name, to string
	file     int
	data     []byte
	size     int64
}

// replayed is a disk after some operations.
type replayed struct {
	files []*recorded
	names map[string]int // as processes see them
	// kept are the names that a loss of power may leave: those of the last sync of the folder, and all since.
	kept []map[string]int
}

type recorded struct{ data, synced []byte }

var _ durable.Disk = (*recorder)(nil)

func newRecorder(begins contents) *recorder {
	return &recorder{begins: begins, now: newReplayed(begins)}
}

func newReplayed(begins contents) *replayed {
	r := &replayed{names: map[string]int{}}
	for _, name := range slices.Sorted(maps.Keys(begins)) {
		r.names[name] = len(r.files)
		r.files = append(r.files, &recorded{slices.Clone(begins[name]), slices.Clone(begins[name])})
	}
	r.kept = []map[string]int{maps.Clone(r.names)}
	return r
}

func (r *recorder) do(o op) {
	r.ops = append(r.ops, o)
	r.now.do(o)
}

func (r *replayed) do(o op) {
	switch o.kind {
	case opCreate:
		if o.file < len(r.files) {
			r.files[o.file].data = nil
			return
		}
		r.files = append(r.files, &recorded{})
		r.names[o.name] = o.file
	case opWrite:
		r.files[o.file].data = append(r.files[o.file].data, o.data...)
		return
	case opTruncate:
		r.files[o.file].data = r.files[o.file].data[:o.size:o.size]
		return
	case opSync:
		r.files[o.file].synced = slices.Clone(r.files[o.file].data)
		return
	case opRename:
		r.names[o.to] = r.names[o.name]
		delete(r.names, o.name)
	case opRemove:
		delete(r.names, o.name)
	case opSyncFolder:
		r.kept = nil
	}
	r.kept = append(r.kept, maps.Clone(r.names))
}

// after gives the disk after the first operations.
func (r *recorder) after(ops int) *replayed {
	out := newReplayed(r.begins)
	for _, o := range r.ops[:ops] {
		out.do(o)
	}
	return out
}

func (r *recorder) ReadFile(name string) ([]byte, error) {
	file, there := r.now.names[name]
	if !there {
		return nil, fs.ErrNotExist
	}
	return slices.Clone(r.now.files[file].data), nil
}

func (r *recorder) Create(name string) (durable.File, error) {
	file, there := r.now.names[name]
	if !there {
		file = len(r.now.files)
	}
	r.do(op{kind: opCreate, name: name, file: file})
	return &recordedHandle{r, file}, nil
}

func (r *recorder) Rename(from, to string) error {
	if _, there := r.now.names[from]; !there {
		return fs.ErrNotExist
	}
	r.do(op{kind: opRename, name: from, to: to})
	return nil
}

func (r *recorder) Remove(name string) error {
	r.do(op{kind: opRemove, name: name})
	return nil
}

func (r *recorder) SyncFolder(string) error {
	r.do(op{kind: opSyncFolder})
	return nil
}

type recordedHandle struct {
	disk *recorder
	file int
}

func (h *recordedHandle) Write(b []byte) (int, error) {
	h.disk.do(op{kind: opWrite, file: h.file, data: slices.Clone(b)})
	return len(b), nil
}

func (h *recordedHandle) Truncate(sizeBytes int64) error {
	h.disk.do(op{kind: opTruncate, file: h.file, size: sizeBytes})
	return nil
}

func (h *recordedHandle) Sync() error {
	h.disk.do(op{kind: opSync, file: h.file})
	return nil
}

func (h *recordedHandle) Close() error { return nil }
