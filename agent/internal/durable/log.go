// SPDX-License-Identifier: Apache-2.0

package durable

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// A Log is a file that grows by whole appends and is written anew when it has grown too much. It holds at any moment
// the content of the last Rewrite and every append that succeeded since, in order; an append that failed leaves nothing
// behind which a later one would stand. After a crash its end may hold a part of an append whose Sync did not return,
// so records carry a checksum or an end mark.
//
// An append is in the kernel's hands when Append returns, which is enough against the death of this process; Sync makes
// it durable. After a Sync that failed the part of the file that is on the disk is unknown, and another Sync would not
// report it: the kernel has forgotten it (fsync(2)). The log then takes nothing before a Rewrite.
type Log struct {
	disk Disk
	path string
	file File // nil: a Rewrite has to come first

	sizeBytes, rewrittenBytes int64
	limitBytes                int64
}

// smallestLimitBytes of appends are never worth a Rewrite.
const smallestLimitBytes = 1 << 20

// ErrSpoiled says that a Rewrite has to come first.
var ErrSpoiled = errors.New("the file has to be written anew first")

// OpenLog reads a log. It takes appends after the first Rewrite.
func OpenLog(disk Disk, path string) (*Log, []byte, error) {
	data, err := disk.ReadFile(path)
	return &Log{disk: disk, path: path}, data, err
}

// Spoiled says that a Rewrite has to come first.
func (l *Log) Spoiled() bool { return l.file == nil }

// Spoil is called where the owner knows more than the file does.
func (l *Log) Spoil() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// Append adds bytes, all of them or none.
func (l *Log) Append(b []byte) error {
	if l.file == nil {
		return ErrSpoiled
	}
	if _, err := l.file.Write(b); err != nil {
		if cut := l.file.Truncate(l.sizeBytes); cut != nil {
			err = errors.Join(err, fmt.Errorf("cut off what is half written: %w", cut), l.Spoil())
		}
		return err
	}
	l.sizeBytes += int64(len(b))
	return nil
}

// Sync makes all appends durable.
func (l *Log) Sync() error {
	if l.file == nil {
		return ErrSpoiled
	}
	if err := l.file.Sync(); err != nil {
		return errors.Join(err, l.Spoil())
	}
	return nil
}

// Overgrown reports whether more was appended than a Rewrite would have to write, so that rewriting costs no more than
// appending did.
func (l *Log) Overgrown() bool { return l.sizeBytes-l.rewrittenBytes > l.limitBytes }

// Rewrite exchanges the whole file, durably. When it fails the content of the log stays, and an overgrown one waits
// until it has grown as much again before it reports so once more.
func (l *Log) Rewrite(content func(io.Writer) error) error {
	counted := &counter{}
	file, err := replace(l.disk, l.path, func(w io.Writer) error {
		counted.to = w
		buffered := bufio.NewWriterSize(counted, 1<<16)
		if err := content(buffered); err != nil {
			return err
		}
		return buffered.Flush()
	})
	if err != nil {
		l.limitBytes = max(smallestLimitBytes, 2*l.limitBytes)
		if file != nil { // the one that was appended to is no longer the one of this name
			err = errors.Join(err, file.Close(), l.Spoil())
		}
		return err
	}
	old := l.file
	l.file, l.sizeBytes, l.rewrittenBytes = file, counted.bytes, counted.bytes
	l.limitBytes = max(smallestLimitBytes, counted.bytes)
	if old != nil {
		_ = old.Close() // superseded
	}
	return nil
}

// Close releases the file.
func (l *Log) Close() error { return l.Spoil() }

type counter struct {
	to    io.Writer
	bytes int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.bytes += int64(n)
	return n, err
}
