// SPDX-License-Identifier: Apache-2.0

// Package crash is a disk for tests: it fails on request, and shows every state that a death of the process or a loss
// of power could leave.
package crash

import (
	"bytes"
	"io/fs"
	"iter"
	"maps"
	"slices"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/durable"
)

// Unlimited room.
const Unlimited = -1

// A Disk in memory. It is not safe for concurrent use.
type Disk struct {
	// Steps counts the operations that change something; FailFrom and FailTo are the half-open range of those that fail.
	Steps, FailFrom, FailTo int
	// RoomBytes is how much can still be written before ENOSPC, Unlimited by default.
	RoomBytes int
	// TornBytes is how much of a failing write arrives.
	TornBytes int

	seen map[string]*file // the names as processes see them
	kept map[string]*file // as they are after a loss of power
}

// file has the durable content beside the visible one.
type file struct {
	data, synced []byte
	// links and opens: the room is given back once no name and no handle is left.
	links, opens int
	// forgotten: a sync failed, and later ones report success without writing the data that it left (fsync(2)).
	forgotten bool
}

var _ durable.Disk = (*Disk)(nil)

// New gives an empty disk.
func New() *Disk {
	return &Disk{RoomBytes: Unlimited, seen: map[string]*file{}, kept: map[string]*file{}}
}

// step says whether the operation that begins now fails.
func (d *Disk) step() error {
	d.Steps++
	if d.Steps > d.FailFrom && d.Steps <= d.FailTo {
		return unix.EIO
	}
	return nil
}

// ReadFile reads the content that processes see.
func (d *Disk) ReadFile(name string) ([]byte, error) {
	f := d.seen[name]
	if f == nil {
		return nil, fs.ErrNotExist
	}
	return slices.Clone(f.data), nil
}

// Create replaces the content at once, as O_TRUNC does.
func (d *Disk) Create(name string) (durable.File, error) {
	if err := d.step(); err != nil {
		return nil, err
	}
	f := &file{links: 1, opens: 1}
	d.unlink(name)
	d.seen[name] = f
	return &handle{disk: d, file: f}, nil
}

// unlink takes a name away.
func (d *Disk) unlink(name string) {
	if f := d.seen[name]; f != nil {
		f.links--
		d.release(f)
		delete(d.seen, name)
	}
}

// release gives back the room of a file that nothing refers to.
func (d *Disk) release(f *file) {
	if f.links == 0 && f.opens == 0 && d.RoomBytes != Unlimited {
		d.RoomBytes += len(f.data)
	}
}

// Rename is seen at once, and durable with the folder.
func (d *Disk) Rename(from, to string) error {
	if err := d.step(); err != nil {
		return err
	}
	if d.seen[from] == nil {
		return fs.ErrNotExist
	}
	f := d.seen[from]
	delete(d.seen, from)
	d.unlink(to)
	d.seen[to] = f
	return nil
}

// Remove is seen at once, and durable with the folder.
func (d *Disk) Remove(name string) error {
	if err := d.step(); err != nil {
		return err
	}
	d.unlink(name)
	return nil
}

// SyncFolder makes all names durable.
func (d *Disk) SyncFolder(string) error {
	if err := d.step(); err != nil {
		return err
	}
	d.kept = maps.Clone(d.seen)
	return nil
}

// Killed gives the disk that the death of this process leaves now.
func (d *Disk) Killed() *Disk { return image(d.seen, func(f *file) []byte { return f.data }) }

// After gives every disk that a crash may leave now: the visible content, after the death of this process; after a loss
// of power the old names or the new ones, and any part of the data that was not synced, down to a byte, with and
// without zero bytes for the rest.
func (d *Disk) After() iter.Seq[*Disk] {
	return func(yield func(*Disk) bool) {
		if !yield(d.Killed()) {
			return
		}
		for _, names := range []map[string]*file{d.seen, d.kept} {
			if !yield(image(names, func(f *file) []byte { return f.synced })) {
				return
			}
			for _, f := range slices.Compact(slices.Collect(maps.Values(names))) {
				for _, content := range f.remains() {
					left := image(names, func(other *file) []byte {
						if other == f {
							return content
						}
						return other.synced
					})
					if !yield(left) {
						return
					}
				}
			}
		}
	}
}

func image(names map[string]*file, content func(*file) []byte) *Disk {
	d := New()
	for name, f := range names {
		b := slices.Clone(content(f))
		d.seen[name] = &file{data: b, synced: b, links: 1}
	}
	d.kept = maps.Clone(d.seen)
	return d
}

// remains are the contents that a file may have after a loss of power.
func (f *file) remains() [][]byte {
	out := [][]byte{f.synced, f.data}
	if !bytes.HasPrefix(f.data, f.synced) {
		return out
	}
	for size := len(f.synced); size < len(f.data); size++ {
		out = append(out, f.data[:size:size])
	}
	for _, size := range []int{len(f.synced), (len(f.synced) + len(f.data)) / 2} { // longer than the data in it
		out = append(out, append(slices.Clone(f.data[:size]), make([]byte, len(f.data)-size)...))
	}
	return out
}

type handle struct {
	disk   *Disk
	file   *file
	closed bool
}

func (h *handle) Write(b []byte) (int, error) {
	size, failure := len(b), h.disk.step()
	if failure != nil {
		size = min(size, h.disk.TornBytes)
	}
	if room := h.disk.RoomBytes; room != Unlimited && size > room {
		size, failure = room, unix.ENOSPC
	}
	if h.disk.RoomBytes != Unlimited {
		h.disk.RoomBytes -= size
	}
	h.file.data = append(h.file.data, b[:size]...)
	return size, failure
}

func (h *handle) Truncate(sizeBytes int64) error {
	if err := h.disk.step(); err != nil {
		return err
	}
	if h.disk.RoomBytes != Unlimited {
		h.disk.RoomBytes += len(h.file.data) - int(sizeBytes)
	}
	h.file.data = h.file.data[:sizeBytes:sizeBytes]
	return nil
}

func (h *handle) Sync() error {
	if err := h.disk.step(); err != nil {
		h.file.forgotten = true
		return err
	}
	if !h.file.forgotten {
		h.file.synced = slices.Clone(h.file.data)
	}
	return nil
}

func (h *handle) Close() error {
	if !h.closed {
		h.closed = true
		h.file.opens--
		h.disk.release(h.file)
	}
	return nil
}
