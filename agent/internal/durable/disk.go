// SPDX-License-Identifier: Apache-2.0

// Package durable keeps files over every crash: of the process, of the machine, of the room on the disk.
package durable

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// A Disk is where the files are. Tests put one in its place that fails and loses power.
type Disk interface {
	// ReadFile gives a file's bytes, or an error that is fs.ErrNotExist.
	ReadFile(name string) ([]byte, error)
	// Create opens an empty file for appending, whatever was there.
	Create(name string) (File, error)
	Rename(from, to string) error
	Remove(name string) error
	// SyncFolder makes the names in a folder durable.
	SyncFolder(name string) error
}

// A File is open for appending.
type File interface {
	io.WriteCloser
	Sync() error
	Truncate(sizeBytes int64) error
}

// OS is the disk of the machine.
type OS struct{}

var _ Disk = OS{}

// ReadFile reads a whole file.
func (OS) ReadFile(name string) ([]byte, error) { return os.ReadFile(name) }

// Create makes a file that only its owner may read.
func (OS) Create(name string) (File, error) {
	return os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
}

// Rename puts a file in the place of another.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove deletes a file.
func (OS) Remove(name string) error { return os.Remove(name) }

// SyncFolder syncs the folder's own file.
func (OS) SyncFolder(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Replace exchanges a whole file: after any crash it holds the old bytes or the new ones.
func Replace(disk Disk, path string, content func(io.Writer) error) error {
	file, err := replace(disk, path, content)
	if file != nil {
		err = errors.Join(err, file.Close())
	}
	return err
}

// replace gives the new file, open for appending; with an error as well where the file is in its place, but a loss of
// power could bring the old one back. Each step is taken only when the one before it has succeeded, and a failure
// leaves no half-written file behind, which would take up the room it lacked.
func replace(disk Disk, path string, content func(io.Writer) error) (File, error) {
	next := path + ".next"
	file, err := disk.Create(next)
	if err != nil {
		return nil, err
	}
	err = content(file)
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = disk.Rename(next, path)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close(), disk.Remove(next))
	}
	return file, disk.SyncFolder(filepath.Dir(path))
}
