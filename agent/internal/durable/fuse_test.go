// SPDX-License-Identifier: Apache-2.0

package durable_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"sextant/agent/internal/durable"
)

// faults are the calls of a file system that fail: those from a number on, for a while.
type faults struct {
	mu          sync.Mutex
	calls       int
	first, last int
	errno       syscall.Errno
}

// fails counts a call.
func (f *faults) fails() syscall.Errno {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	if f.first <= f.calls && f.calls <= f.last {
		return f.errno
	}
	return fs.OK
}

// plan makes the calls first to last fail from now on, and returns how many there were before.
func (f *faults) plan(first, last int, errno syscall.Errno) (calls int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	calls = f.calls
	f.calls, f.first, f.last, f.errno = 0, first, last, errno
	return calls
}

// A node of a file system over another folder, of which writes, syncs, truncations, new files and renames may fail.
type node struct {
	*fs.LoopbackNode
	faults *faults
}

// WrapChild makes nodes below this one fail, too.
func (n *node) WrapChild(_ context.Context, child fs.InodeEmbedder) fs.InodeEmbedder {
	return &node{child.(*fs.LoopbackNode), n.faults}
}

func (n *node) Create(
	ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut,
) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	if errno := n.faults.fails(); errno != fs.OK {
		return nil, nil, 0, errno
	}
	inode, file, how, errno := n.LoopbackNode.Create(ctx, name, flags, mode, out)
	return inode, hide(file), how, errno
}

// Open hides the descriptor as Create does: the kernel refuses (EIO) to open in both ways at once, and closes files late.
func (n *node) Open(ctx context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	file, how, errno := n.LoopbackNode.Open(ctx, flags)
	return hide(file), how, errno
}

// An opened file has no more than these methods: for one that reveals its descriptor the kernel makes the calls itself.
type opened interface {
	fs.FileReleaser
	fs.FileReader
	fs.FileWriter
	fs.FileFsyncer
	fs.FileFlusher
	fs.FileGetattrer
	fs.FileSetattrer
}

func hide(file fs.FileHandle) fs.FileHandle {
	if all, ok := file.(opened); ok {
		return struct{ opened }{all}
	}
	return file
}

func (n *node) Write(ctx context.Context, file fs.FileHandle, data []byte, at int64) (uint32, syscall.Errno) {
	if errno := n.faults.fails(); errno != fs.OK {
		return 0, errno
	}
	return file.(fs.FileWriter).Write(ctx, data, at)
}

func (n *node) Fsync(ctx context.Context, file fs.FileHandle, flags uint32) syscall.Errno {
	if errno := n.faults.fails(); errno != fs.OK {
		return errno
	}
	if synced, ok := file.(fs.FileFsyncer); ok {
		return synced.Fsync(ctx, flags)
	}
	return fs.OK
}

func (n *node) Setattr(
	ctx context.Context, file fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut,
) syscall.Errno {
	if _, truncated := in.GetSize(); truncated {
		if errno := n.faults.fails(); errno != fs.OK {
			return errno
		}
	}
	return n.LoopbackNode.Setattr(ctx, file, in, out)
}

func (n *node) Rename(
	ctx context.Context, name string, parent fs.InodeEmbedder, to string, flags uint32,
) syscall.Errno {
	if errno := n.faults.fails(); errno != fs.OK {
		return errno
	}
	return n.LoopbackNode.Rename(ctx, name, parent, to, flags)
}

// mounted gives the folder of a file system that fails as planned, and the plan.
func mounted(t *testing.T) (string, *faults) {
	t.Helper()
	if _, err := os.Stat("/dev/fuse"); err != nil || os.Geteuid() != 0 {
		t.Skip("no file system that fails: it needs root and /dev/fuse")
	}
	planned := &faults{}
	root := &fs.LoopbackRoot{Path: t.TempDir()}
	top := &node{&fs.LoopbackNode{RootData: root}, planned}
	root.RootNode = top
	folder := t.TempDir()
	server, err := fs.Mount(folder, top, &fs.Options{MountOptions: fuse.MountOptions{DirectMountStrict: true}})
	if err != nil {
		t.Skipf("no file system that fails: %v", err)
	}
	t.Cleanup(func() {
		if err := server.Unmount(); err != nil {
			t.Error(err)
		}
	})
	return folder, planned
}

// written adds words to a log on the disk of the machine, writes it anew twice, and returns the words that were acknowledged.
func written(t *testing.T, path string) (acknowledged []string) {
	t.Helper()
	w := openWordsAt(t, durable.OS{}, path, true)
	defer func() { _ = w.log.Close() }()
	for i := range 11 {
		if one := fmt.Sprintf("word%d", i); w.add(one) == nil {
			acknowledged = slices.Clone(w.all) // with it, the appends refused before
		}
		if i%4 == 3 {
			_ = w.log.Rewrite(w.state)
		}
	}
	return acknowledged
}

func TestARecordLogKeepsWhatWasAcknowledgedWhicheverCallOfAFileSystemFails(t *testing.T) {
	folder, faults := mounted(t)
	run := 0
	check := func(first, last int, errno syscall.Errno) int {
		run++
		path := filepath.Join(folder, fmt.Sprint(run), "f")
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		faults.plan(first, last, errno)
		acknowledged := written(t, path)
		calls := faults.plan(0, -1, fs.OK)
		for opening := range 2 {
			w := openWordsAt(t, durable.OS{}, path, true)
			if len(w.said) > 0 {
				t.Errorf("calls %d to %d, %v: opening %d says %q", first, last, errno, opening, w.said)
			}
			for _, one := range acknowledged {
				if !slices.Contains(w.all, one) {
					t.Errorf("calls %d to %d, %v: opening %d has %s, and not %s", first, last, errno, opening, strings.Join(w.all, " "), one)
				}
			}
			if err := w.add(fmt.Sprintf("after%d", opening)); err != nil {
				t.Errorf("calls %d to %d, %v: there is room again: %v", first, last, errno, err)
			}
			if err := w.log.Close(); err != nil {
				t.Error(err)
			}
		}
		return calls
	}
	calls := check(0, -1, fs.OK)
	if calls < 25 {
		t.Fatalf("%d calls of the file system", calls)
	}
	for first := 1; first <= calls; first++ {
		for _, errno := range []syscall.Errno{syscall.EIO, syscall.ENOSPC} {
			check(first, first, errno)
			check(first, 1<<30, errno)
		}
	}
	t.Logf("%d runs, %d calls each", run, calls)
}
