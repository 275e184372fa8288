// SPDX-License-Identifier: Apache-2.0

package tcx

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"golang.org/x/sys/unix"
)

// pinsOf is an empty folder of pins.
func pinsOf(t *testing.T) Pins {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root to mount a bpffs; run: sudo go test ./internal/tcx")
	}
	folder := t.TempDir()
	if err := unix.Mount("bpf", folder, "bpf", 0, "mode=0700"); err != nil {
		t.Skipf("this kernel has no bpffs (%v); use one with CONFIG_BPF_SYSCALL", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
	pins, err := OpenPins(folder)
	if err != nil || !pins.There() {
		t.Fatalf("got %v, %v", pins, err)
	}
	return pins
}

// set has the form of bpf2go's output, with a map of maps and constants.
type set struct {
	testPrograms
	testMaps
}

type testPrograms struct{ Filter *ebpf.Program }

type testMaps struct{ Counts, Sets *ebpf.Map }

func (s *set) Close() error { return errors.Join(s.Filter.Close(), s.Counts.Close(), s.Sets.Close()) }

func newSet(t *testing.T, name string, others map[string]*ebpf.Map) *set {
	t.Helper()
	array := func(name string) *ebpf.MapSpec {
		return &ebpf.MapSpec{Name: name, Type: ebpf.Array, KeySize: 4, ValueSize: 8, MaxEntries: 1}
	}
	constants := array(".rodata")
	constants.Flags = unix.BPF_F_RDONLY_PROG
	constants.Contents = []ebpf.MapKV{{Key: uint32(0), Value: uint64(7)}}
	use := func(name string) asm.Instructions {
		return asm.Instructions{asm.LoadMapPtr(asm.R1, 0).WithReference(name)}
	}
	spec := &ebpf.CollectionSpec{
		Maps: map[string]*ebpf.MapSpec{
			"counts": array("counts"), ".rodata": constants,
			"sets": {Name: "sets", Type: ebpf.HashOfMaps, KeySize: 4, ValueSize: 4, MaxEntries: 4, InnerMap: array("inner")},
		},
		Programs: map[string]*ebpf.ProgramSpec{"filter": {
			Name: name, Type: ebpf.SchedCLS, License: "GPL",
			Instructions: slices.Concat(use("counts"), use("sets"), use(".rodata"), asm.Instructions{asm.Mov.Imm(asm.R0, -1), asm.Return()}),
		}},
	}
	all, err := ebpf.NewCollectionWithOptions(spec, ebpf.CollectionOptions{MapReplacements: others})
	if err != nil {
		t.Skipf("this kernel loads no such program (%v); use Linux 6.6 or newer with CONFIG_BPF_SYSCALL", err)
	}
	defer all.Close()
	s := &set{testPrograms{all.DetachProgram("filter")}, testMaps{all.DetachMap("counts"), all.DetachMap("sets")}}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func programID(t *testing.T, p *ebpf.Program) ebpf.ProgramID {
	t.Helper()
	_, id, _, err := identify(p)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func mapID(t *testing.T, m *ebpf.Map) ebpf.MapID {
	t.Helper()
	id, err := idOf(m)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// names are the pins of a program, without their numbers, sorted.
func names(t *testing.T, p Pins, program string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(p.folder, program))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		kind, _, _ := strings.Cut(e.Name(), "-")
		all = append(all, kind)
	}
	slices.Sort(all)
	return all
}

func TestAFolderThatIsNoBPFFSHasNoPins(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{t.TempDir(), filepath.Join(t.TempDir(), "not", "there"), filepath.Join(file, "bpf")} {
		if pins, err := OpenPins(folder); err != nil || pins.There() {
			t.Errorf("%s: got %v, %v", folder, pins, err)
		}
	}
}

func TestWhatWasPinnedIsFoundByItsID(t *testing.T) {
	n := scratch(t)
	n.Pins = pinsOf(t)
	s := newSet(t, "sextant_test", nil)
	for range 2 {
		if err := n.Pins.Keep(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := n.Attach(lo, s.Filter); err != nil {
		t.Fatal(err)
	}
	if err := n.Attach(lo, program(t, "sextant_test2")); err != nil {
		t.Fatal(err)
	}
	found, err := n.Attached(lo, "sextant_test")
	if err != nil || found == nil {
		t.Fatalf("found %v, %v", found, err)
	}
	defer found.Close()
	if stranger, err := n.Attached(lo, "sextant_test2"); err != nil || stranger != nil {
		t.Errorf("found what was not pinned: %v, %v", stranger, err)
	}
	held := map[string]*ebpf.Map{}
	if err := n.Pins.Maps(found, map[string]*ebpf.MapSpec{"counts": nil, "sets": nil, ".rodata": nil}, held); err != nil {
		t.Fatal(err)
	}
	for _, m := range held {
		defer m.Close()
	}
	if held["counts"] == nil || held["sets"] == nil || len(held) != 2 || mapID(t, held["counts"]) != mapID(t, s.Counts) {
		t.Errorf("it holds %v", held)
	}
}

// A constant of a former program is not that of the one that comes after it.
func TestConstantsAreNotTakenOver(t *testing.T) {
	scratch(t)
	held := map[string]*ebpf.Map{}
	if err := (Pins{}).Maps(newSet(t, "sextant_test", nil).Filter, map[string]*ebpf.MapSpec{"counts": nil, ".rodata": nil}, held); err != nil {
		t.Fatal(err)
	}
	for _, m := range held {
		defer m.Close()
	}
	if held["counts"] == nil || len(held) != 1 {
		t.Errorf("taken over are %v", held)
	}
}

// Whenever an agent ends between two steps, attached programs are pinned.
func TestFormerProgramsAreLetGoOfWhenNothingHasThem(t *testing.T) {
	scratch(t)
	pins := pinsOf(t)
	first := newSet(t, "sextant_test", nil)
	inner, err := ebpf.NewMap(&ebpf.MapSpec{Type: ebpf.Array, KeySize: 4, ValueSize: 8, MaxEntries: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer inner.Close()
	for _, err := range []error{pins.Keep(first), pins.KeepMap("sextant_test", inner), first.Sets.Put(uint32(1), inner)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	second := newSet(t, "sextant_test", map[string]*ebpf.Map{"sets": first.Sets})
	if err := pins.Keep(second); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, pins, "sextant_test"), []string{"map", "map", "map", "map", "program", "program"}; !slices.Equal(got, want) {
		t.Errorf("with both there are %v, want %v", got, want)
	}
	if err := pins.Settle(second); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, pins, "sextant_test"), []string{"map", "map", "map", "program"}; !slices.Equal(got, want) {
		t.Errorf("with the second there are %v, want %v", got, want)
	}
	if p, err := pins.Program(programID(t, first.Filter)); p != nil || err != nil {
		t.Errorf("the first is found: %v, %v", p, err)
	}
	for _, id := range []ebpf.MapID{mapID(t, inner), mapID(t, second.Counts)} {
		m, err := pins.Map(id)
		if err != nil {
			t.Fatal(err)
		}
		_ = m.Close()
	}
	if err := pins.ForgetMap("sextant_test", mapID(t, inner)); err != nil {
		t.Fatal(err)
	}
	if _, err := pins.Map(mapID(t, inner)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the inner map is found: %v", err)
	}
	for range 2 {
		if err := pins.Drop("sextant_test"); err != nil {
			t.Fatal(err)
		}
	}
	if left := names(t, pins, "sextant_test"); left != nil {
		t.Errorf("left are %v", left)
	}
}

func TestWhatAnAgentWithoutPinsLeftIsPinned(t *testing.T) {
	n := scratch(t)
	s := newSet(t, "sextant_test", nil)
	for _, p := range []*ebpf.Program{s.Filter, program(t, "others")} {
		if err := n.Attach(lo, p); err != nil {
			t.Fatal(err)
		}
	}
	n.Pins = pinsOf(t)
	for range 2 {
		if unknown, err := n.Collect([]int{lo, 4711}, "sextant_"); err != nil || len(unknown) != 0 {
			t.Fatalf("got %v, %v", unknown, err)
		}
	}
	found, err := n.Attached(lo, "sextant_test")
	if err != nil || found == nil {
		t.Fatalf("found %v, %v", found, err)
	}
	_ = found.Close()
	if got := names(t, n.Pins, "others"); got != nil {
		t.Errorf("others' program is pinned: %v", got)
	}
}
