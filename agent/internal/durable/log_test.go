// SPDX-License-Identifier: Apache-2.0

package durable_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/durable"
	"sextant/agent/internal/durable/crash"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func TestAReplacedFileIsOldOrNewWhateverFailsAndWheneverPowerGoes(t *testing.T) {
	for failing := range 8 {
		for _, torn := range []int{0, 1, 2} {
			disk := crash.New()
			if err := durable.Replace(disk, "dir/f", text("old")); err != nil {
				t.Fatal(err)
			}
			disk.FailFrom, disk.FailTo, disk.TornBytes = disk.Steps+failing, disk.Steps+failing+1, torn
			err := durable.Replace(disk, "dir/f", text("new"))
			for after := range disk.After() {
				got, _ := after.ReadFile("dir/f")
				if string(got) != "new" && (err == nil || string(got) != "old") {
					t.Errorf("step %d fails (%v): after a crash the file holds %q", failing, err, got)
				}
			}
			if _, missing := disk.ReadFile("dir/f.next"); missing == nil && failing < 4 && err != nil {
				t.Errorf("step %d fails: a half-written file takes up room", failing)
			}
		}
	}
}

func TestALogHoldsTheAppendsThatSucceededAndNothingElse(t *testing.T) {
	for failing := range 9 {
		for _, lasting := range []int{1, 2} {
			for torn := range 3 {
				disk := crash.New()
				log, _, err := durable.OpenLog(disk, "dir/f")
				if err == nil || log.Append([]byte("x")) == nil {
					t.Fatalf("a new log: %v, and it takes an append before its first rewrite", err)
				}
				if err := log.Rewrite(text("0")); err != nil {
					t.Fatal(err)
				}
				disk.FailFrom, disk.FailTo, disk.TornBytes = disk.Steps+failing, disk.Steps+failing+lasting, torn
				want := "0"
				for _, word := range []string{"aaa", "bbb", "ccc", "ddd"} {
					if log.Spoiled() {
						if err := log.Rewrite(text(want)); err != nil {
							continue
						}
					}
					if log.Append([]byte(word)) == nil {
						want += word
					}
					if log.Sync() != nil {
						continue
					}
					for after := range disk.After() {
						if got, _ := after.ReadFile("dir/f"); !strings.HasPrefix(string(got), want) {
							t.Errorf("step %d fails: %q is left of %q, which was synced", failing, got, want)
						}
					}
				}
			}
		}
	}
}

func TestAFailedSyncIsNotRepeatedButWrittenAnew(t *testing.T) {
	disk := crash.New()
	log, _, _ := durable.OpenLog(disk, "f")
	if err := log.Rewrite(text("0")); err != nil {
		t.Fatal(err)
	}
	if err := log.Append([]byte("a")); err != nil {
		t.Fatal(err)
	}
	disk.FailFrom, disk.FailTo = disk.Steps, disk.Steps+1
	if err := log.Sync(); !errors.Is(err, unix.EIO) {
		t.Fatalf("Sync = %v", err)
	}
	if err := log.Sync(); !errors.Is(err, durable.ErrSpoiled) {
		t.Errorf("a second Sync = %v, want ErrSpoiled", err)
	}
	if err := log.Append([]byte("b")); !errors.Is(err, durable.ErrSpoiled) {
		t.Errorf("Append = %v, want ErrSpoiled", err)
	}
}

func TestALogIsOvergrownByBytes(t *testing.T) {
	log, _, _ := durable.OpenLog(crash.New(), "f")
	if err := log.Rewrite(text("0")); err != nil {
		t.Fatal(err)
	}
	large := bytes.Repeat([]byte("x"), 600<<10)
	for _, want := range []bool{false, true} {
		if err := log.Append(large); err != nil || log.Overgrown() != want {
			t.Errorf("overgrown %t, want %t (%v)", log.Overgrown(), want, err)
		}
	}
	if err := log.Rewrite(text("0")); err != nil || log.Overgrown() {
		t.Errorf("overgrown after a rewrite (%v)", err)
	}
}

func TestTheMachinesDiskDoesTheSame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	log, _, err := durable.OpenLog(durable.OS{}, path)
	if !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("OpenLog = %v", err)
	}
	if err := errors.Join(log.Rewrite(text("one ")), log.Append([]byte("two ")), log.Sync(), log.Rewrite(text("three ")), log.Append([]byte("four")), log.Close()); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != "three four" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	names, err := os.ReadDir(filepath.Dir(path))
	if err != nil || !slices.ContainsFunc(names, func(e os.DirEntry) bool { return e.Name() == "f" }) || len(names) != 1 {
		t.Errorf("the folder holds %v, %v", names, err)
	}
}
