// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/journal"
)

// smallDisk mounts a file system of so many bytes, and gives a function that fills it but for some.
func smallDisk(t *testing.T, bytes int) (dir string, leave func(bytes int)) {
	t.Helper()
	needRoot(t)
	dir = t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Skipf("needs a mount of its own for a disk that is full: %v; run as root outside of a container that forbids it", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	filler := filepath.Join(dir, "filler")
	return dir, func(bytes int) {
		if err := os.RemoveAll(filler); err != nil {
			t.Fatal(err)
		}
		var disk unix.Statfs_t
		if err := unix.Statfs(dir, &disk); err != nil {
			t.Fatal(err)
		}
		if room := int(disk.Bavail)*int(disk.Bsize) - bytes; room > 0 {
			if err := os.WriteFile(filler, make([]byte, room), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestAFullDiskAndARestartLoseNoRow(t *testing.T) {
	dir, leave := smallDisk(t, 256<<10)
	ns, far := newNamespace(t, "n"), newNamespace(t, "far")
	wire(t, ns, "p1", far, "f1")
	ports := map[contract.PortID]string{1: "p1"}
	start := func() *Node {
		n, err := Open(Options{NetNS: ns, Ports: ports, StateDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	n := start()
	mustApply(t, n, insert(hop(ns, 1, 1)))
	leave(4096)
	want := []string{"next_hop 1"}
	refused := 0
	for i := range 40 {
		e := via(fmt.Sprintf("fd00:%x::/64", i+1), 1)
		if n.Apply(context.Background(), insert(e))[0] != nil {
			refused++
			continue
		}
		want = append(want, e.Key().String())
	}
	slices.Sort(want)
	if refused == 0 || len(want) < 3 {
		t.Fatalf("%d of 40 writes were refused, want some", refused)
	}
	for _, room := range []int{4096, 0} { // a restart with little room, and with none
		leave(room)
		before := in(t, ns, "ip -6 route show proto 200")
		if err := n.Close(); err != nil {
			t.Fatal(err)
		}
		n = start()
		if after := in(t, ns, "ip -6 route show proto 200"); after != before {
			t.Errorf("%d bytes of room: a restart changed the routes from\n%s\nto\n%s", room, before, after)
		}
		got := stored(t, n, "")
		for _, key := range want {
			if !slices.Contains(got, key) {
				t.Errorf("%d bytes of room: %s was acknowledged and is forgotten", room, key)
			}
		}
	}
	wantCode(t, n, contract.Update{Op: contract.Insert, Entry: list(9, "fcbb::1")}, contract.ResourceExhausted, "make room in "+dir)
	leave(128 << 10)
	mustApply(t, n, insert(list(9, "fcbb::1")))
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	n = start()
	if got := stored(t, n, contract.TableSIDList); len(got) != 1 {
		t.Errorf("after room was made: lists %v, want the one that was written", got)
	}
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, journal.Name+".damaged")); err == nil {
		t.Error("a full disk is no damage")
	}
}
