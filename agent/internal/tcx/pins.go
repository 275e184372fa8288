// SPDX-License-Identifier: Apache-2.0

package tcx

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// Pins are a folder in a bpffs, in which programs and their maps have names by their ids: a folder for each program, by
// its name, and in that program-ID and map-ID. A process that may enter the folder opens them; without, opening an id
// takes CAP_SYS_ADMIN. The zero Pins are no folder: ids are opened as the kernel has them.
//
// A program is pinned before it is attached, and those before it are let go of when it is attached everywhere: whenever
// an agent ends, its attached programs can be opened.
type Pins struct{ folder string }

const (
	programPin = "program-"
	mapPin     = "map-"
)

// OpenPins takes a folder if it is in a bpffs; else they are no Pins.
func OpenPins(folder string) (Pins, error) {
	var fs unix.Statfs_t
	err := unix.Statfs(folder, &fs)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || err == nil && uint32(fs.Type) != unix.BPF_FS_MAGIC {
		return Pins{}, nil
	}
	if err != nil {
		return Pins{}, fmt.Errorf("look at %s: %w", folder, err)
	}
	return Pins{folder}, nil
}

// There says whether there is a folder.
func (p Pins) There() bool { return p.folder != "" }

// Program of an id; nil if it is none that was pinned, so a foreign one. The caller closes it.
func (p Pins) Program(id ebpf.ProgramID) (*ebpf.Program, error) {
	if !p.There() {
		program, err := ebpf.NewProgramFromID(id)
		return program, takesAdmin(err)
	}
	path, err := p.find(programPin, uint32(id))
	if err != nil || path == "" {
		return nil, err
	}
	program, err := ebpf.LoadPinnedProgram(path, nil)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return program, nil
}

// Map of an id. The caller closes it.
func (p Pins) Map(id ebpf.MapID) (*ebpf.Map, error) {
	if !p.There() {
		m, err := ebpf.NewMapFromID(id)
		return m, takesAdmin(err)
	}
	path, err := p.find(mapPin, uint32(id))
	if err != nil {
		return nil, err
	}
	if path == "" {
		return nil, fmt.Errorf("map %d is not in %s: %w", id, p.folder, os.ErrNotExist)
	}
	m, err := ebpf.LoadPinnedMap(path, nil)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return m, nil
}

// Maps opens the maps that a program holds, by name: of those that are wanted the ones that into lacks. Its constants, in maps whose
// names begin with a dot, are never wanted: another program has its own.
func (p Pins) Maps(program *ebpf.Program, wanted map[string]*ebpf.MapSpec, into map[string]*ebpf.Map) error {
	info, err := program.Info()
	if err != nil {
		return fmt.Errorf("read program %s: %w", program, err)
	}
	ids, _ := info.MapIDs()
	for _, id := range ids {
		m, err := p.Map(id)
		if errors.Is(err, os.ErrNotExist) && p.There() {
			continue // constants: all others were pinned before the program was attached
		}
		if err != nil {
			return fmt.Errorf("open map %d of program %s: %w", id, program, err)
		}
		info, err := m.Info()
		if err != nil {
			return errors.Join(fmt.Errorf("read map %d: %w", id, err), m.Close())
		}
		if _, known := wanted[info.Name]; !known || strings.HasPrefix(info.Name, ".") || into[info.Name] != nil {
			_ = m.Close()
			continue
		}
		into[info.Name] = m
	}
	return nil
}

func takesAdmin(err error) error {
	if !errors.Is(err, unix.EPERM) {
		return err
	}
	return fmt.Errorf("%w: finding programs that are attached takes CAP_SYS_ADMIN, or a bpffs in the state folder, which `sextant-agent prepare` makes", err)
}

// find a pin in whatever folder; "" if there is none.
func (p Pins) find(kind string, id uint32) (string, error) {
	folders, err := p.folders()
	if err != nil {
		return "", err
	}
	for _, name := range folders {
		path := p.path(name, kind, id)
		_, err := os.Lstat(path)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("look for a pin: %w", err)
		}
	}
	return "", nil
}

func (p Pins) folders() ([]string, error) {
	entries, err := os.ReadDir(p.folder)
	if err != nil {
		return nil, fmt.Errorf("look for pins: %w", err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() { // a fresh bpffs has files of the kernel's
			names = append(names, e.Name())
		}
	}
	return names, nil
}

func (p Pins) path(name, kind string, id uint32) string {
	return filepath.Join(p.folder, name, kind+strconv.FormatUint(uint64(id), 10))
}

// Keep pins the programs of a struct of bpf2go, and the maps that they use.
func (p Pins) Keep(objects any) error {
	if !p.There() {
		return nil
	}
	programs, maps := fieldsOf(objects)
	for _, program := range programs {
		if err := p.keep(program, maps); err != nil {
			return err
		}
	}
	return nil
}

func (p Pins) keep(program *ebpf.Program, maps []*ebpf.Map) error {
	name, _, used, err := identify(program)
	if err != nil {
		return err
	}
	for _, m := range maps {
		id, err := idOf(m)
		if err != nil {
			return err
		}
		if used[id] {
			if err := p.KeepMap(name, m); err != nil {
				return err
			}
		}
	}
	return p.keepProgram(program)
}

func (p Pins) keepProgram(program *ebpf.Program) error {
	name, id, _, err := identify(program)
	if err != nil {
		return err
	}
	return p.pin(name, programPin, uint32(id), func() (pinner, error) { return program.Clone() })
}

// KeepMap pins a map that a program comes to by another one.
func (p Pins) KeepMap(program string, m *ebpf.Map) error {
	if !p.There() {
		return nil
	}
	id, err := idOf(m)
	if err != nil {
		return err
	}
	return p.pin(program, mapPin, uint32(id), func() (pinner, error) { return m.Clone() })
}

type pinner interface {
	Pin(path string) error
	Close() error
}

// pin pins an object that is not pinned yet. The library moves the pin that an object has, and here it may have
// several: so it is a copy's.
func (p Pins) pin(name, kind string, id uint32, clone func() (pinner, error)) error {
	if err := os.Mkdir(filepath.Join(p.folder, name), 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("make a folder of pins: %w", err)
	}
	what, err := clone()
	if err != nil {
		return fmt.Errorf("pin: %w", err)
	}
	path := p.path(name, kind, id)
	err = what.Pin(path)
	if errors.Is(err, os.ErrExist) {
		err = nil
	}
	if err := errors.Join(err, what.Close()); err != nil {
		return fmt.Errorf("pin %s: %w", path, err)
	}
	return nil
}

// ForgetMap lets go of a map that was kept by KeepMap.
func (p Pins) ForgetMap(program string, id ebpf.MapID) error {
	if !p.There() {
		return nil
	}
	return gone(os.Remove(p.path(program, mapPin, uint32(id))))
}

// Settle lets go of former agents' programs of these names: they are attached nowhere any more.
func (p Pins) Settle(objects any) error {
	if !p.There() {
		return nil
	}
	programs, maps := fieldsOf(objects)
	inner, err := innerOf(maps)
	if err != nil {
		return err
	}
	for _, program := range programs {
		name, id, used, err := identify(program)
		if err != nil {
			return err
		}
		for m := range inner {
			used[m] = true
		}
		err = p.remove(name, func(kind string, pinned uint32) bool {
			return kind == programPin && pinned == uint32(id) || kind == mapPin && used[ebpf.MapID(pinned)]
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Drop lets go of all that belongs to programs of these names.
func (p Pins) Drop(names ...string) error {
	if !p.There() {
		return nil
	}
	for _, name := range names {
		if err := p.remove(name, func(string, uint32) bool { return false }); err != nil {
			return err
		}
		if err := gone(os.Remove(filepath.Join(p.folder, name))); err != nil {
			return err
		}
	}
	return nil
}

func (p Pins) remove(name string, but func(kind string, id uint32) bool) error {
	entries, err := os.ReadDir(filepath.Join(p.folder, name))
	if err := gone(err); err != nil {
		return err
	}
	for _, e := range entries {
		kind, number, _ := strings.Cut(e.Name(), "-")
		if id, err := strconv.ParseUint(number, 10, 32); err == nil && but(kind+"-", uint32(id)) {
			continue
		}
		if err := gone(os.Remove(filepath.Join(p.folder, name, e.Name()))); err != nil {
			return err
		}
	}
	return nil
}

func gone(err error) error {
	if err == nil || errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("let go of a pin: %w", err)
}

// fieldsOf a struct of bpf2go are its programs and maps.
func fieldsOf(objects any) (programs []*ebpf.Program, maps []*ebpf.Map) {
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		for i := range v.NumField() {
			field := v.Field(i)
			switch {
			case field.Kind() == reflect.Struct:
				walk(field)
			case field.CanInterface() && !field.IsZero():
				switch one := field.Interface().(type) {
				case *ebpf.Program:
					programs = append(programs, one)
				case *ebpf.Map:
					maps = append(maps, one)
				}
			}
		}
	}
	walk(reflect.ValueOf(objects).Elem())
	return programs, maps
}

// innerOf are the maps that maps of maps lead to.
func innerOf(maps []*ebpf.Map) (map[ebpf.MapID]bool, error) {
	inner := map[ebpf.MapID]bool{}
	for _, m := range maps {
		if m.Type() != ebpf.HashOfMaps && m.Type() != ebpf.ArrayOfMaps {
			continue
		}
		var key, id uint32
		entries := m.Iterate()
		for entries.Next(&key, &id) {
			inner[ebpf.MapID(id)] = true
		}
		if err := entries.Err(); err != nil {
			return nil, fmt.Errorf("read map %s: %w", m, err)
		}
	}
	return inner, nil
}

func identify(program *ebpf.Program) (name string, id ebpf.ProgramID, maps map[ebpf.MapID]bool, err error) {
	info, err := program.Info()
	if err != nil {
		return "", 0, nil, fmt.Errorf("read program %s: %w", program, err)
	}
	id, _ = info.ID()
	maps = map[ebpf.MapID]bool{}
	ids, _ := info.MapIDs()
	for _, one := range ids {
		maps[one] = true
	}
	return info.Name, id, maps, nil
}

func idOf(m *ebpf.Map) (ebpf.MapID, error) {
	info, err := m.Info()
	if err != nil {
		return 0, fmt.Errorf("read map %s: %w", m, err)
	}
	id, _ := info.ID()
	return id, nil
}
