// SPDX-License-Identifier: Apache-2.0

package tcx

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"
)

// Collect pins the programs that an agent without Pins has left at devices: programs whose names begin so, and their
// maps. It takes CAP_SYS_ADMIN; the ids of programs that could not be looked at, which may be foreign, come back.
func (n Namespace) Collect(devices []int, prefix string) (unknown []ebpf.ProgramID, err error) {
	if !n.Pins.There() {
		return nil, nil
	}
	err = n.Do(func() error {
		for _, device := range devices {
			for _, hook := range []ebpf.AttachType{ebpf.AttachTCXIngress, ebpf.AttachTCXEgress} {
				one, err := n.Pins.collectAt(device, hook, prefix)
				if err != nil {
					return err
				}
				unknown = append(unknown, one...)
			}
		}
		return nil
	})
	return unknown, err
}

// collectAt one hook of a device. A kernel without TCX has nothing there; attaching something reports that.
func (p Pins) collectAt(device int, hook ebpf.AttachType, prefix string) (unknown []ebpf.ProgramID, err error) {
	result, err := link.QueryPrograms(link.QueryOptions{Target: device, Attach: hook})
	if err != nil {
		return nil, nil //nolint:nilerr // no TCX, or no device any more
	}
	for _, one := range result.Programs {
		known, err := p.collect(one.ID, prefix)
		if err != nil {
			return nil, err
		}
		if !known {
			unknown = append(unknown, one.ID)
		}
	}
	return unknown, nil
}

// collect one program, maps first. False: it is not pinned, and cannot be looked at.
func (p Pins) collect(id ebpf.ProgramID, prefix string) (known bool, err error) {
	pin, err := p.find(programPin, uint32(id))
	if err != nil || pin != "" {
		return true, err
	}
	program, err := ebpf.NewProgramFromID(id)
	if errors.Is(err, unix.EPERM) {
		return false, nil
	}
	if err != nil {
		return true, nil // detached meanwhile
	}
	defer program.Close()
	name, _, used, err := identify(program)
	if err != nil || !strings.HasPrefix(name, prefix) {
		return true, err
	}
	for id := range used {
		if err := p.collectMap(name, id); err != nil {
			return true, err
		}
	}
	return true, p.keepProgram(program)
}

func (p Pins) collectMap(program string, id ebpf.MapID) error {
	m, err := ebpf.NewMapFromID(id)
	if err != nil {
		return fmt.Errorf("open map %d of program %s: %w", id, program, err)
	}
	defer m.Close()
	inner, err := innerOf([]*ebpf.Map{m})
	if err != nil {
		return err
	}
	for id := range inner {
		if err := p.collectMap(program, id); err != nil && !errors.Is(err, unix.ENOENT) {
			return err
		}
	}
	return p.KeepMap(program, m)
}
