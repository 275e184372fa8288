// SPDX-License-Identifier: Apache-2.0

// Package tcx attaches eBPF programs to the ingress or egress of devices (TCX, Linux 6.6), finds those that are there by their
// names, exchanges them in place, and takes them away. Programs live as long as they are attached: a later agent finds
// them, and their maps, through the devices.
package tcx

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"
)

// ErrUnsupported is of a kernel without TCX.
var ErrUnsupported = errors.New("this kernel has no TCX")

// errUnreadable is of a program that is there, and cannot be opened.
var errUnreadable = errors.New("a program that is attached cannot be looked at")

// A Namespace is where devices are.
type Namespace struct {
	// Do runs a function on a thread inside of it.
	Do func(func() error) error
	// Pins are where programs and maps are found by their ids.
	Pins Pins
	// Egress is where programs are looked for and attached, instead of ingress.
	Egress bool
}

func (n Namespace) hook() ebpf.AttachType {
	if n.Egress {
		return ebpf.AttachTCXEgress
	}
	return ebpf.AttachTCXIngress
}

// Attached is the program of this name at a device, nil if there is none. The caller closes it.
func (n Namespace) Attached(device int, name string) (*ebpf.Program, error) {
	return n.first(device, []string{name})
}

// first is, of the programs with one of the names, the one that runs first.
func (n Namespace) first(device int, names []string) (*ebpf.Program, error) {
	var found *ebpf.Program
	err := n.Do(func() error {
		result, err := link.QueryPrograms(link.QueryOptions{Target: device, Attach: n.hook()})
		if err != nil {
			return err
		}
		for _, one := range result.Programs {
			program, err := n.Pins.Program(one.ID)
			if err != nil && (n.Pins.There() || errors.Is(err, unix.EPERM)) {
				return fmt.Errorf("%w: %w", errUnreadable, err)
			}
			if err != nil || program == nil {
				continue // detached meanwhile, or foreign
			}
			if found == nil && isNamed(program, names) {
				found = program
				continue
			}
			_ = program.Close()
		}
		return nil
	})
	if errors.Is(err, unix.ENODEV) {
		return nil, fmt.Errorf("interface %d is gone: %w", device, err)
	}
	if errors.Is(err, errUnreadable) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return found, nil
}

func isNamed(program *ebpf.Program, names []string) bool {
	name, _, err := nameAndID(program)
	return err == nil && slices.Contains(names, name)
}

// Attach makes sure that exactly this program has its name at a device. One of a former agent is exchanged in place: no
// packet passes without, and its place among others stays. A new one goes behind all that are there, but before those
// that are to run after it, by their names.
func (n Namespace) Attach(device int, program *ebpf.Program, before ...string) error {
	_, err := n.attach(device, program, func() (link.Anchor, func(), error) {
		if len(before) == 0 {
			return nil, func() {}, nil
		}
		next, err := n.first(device, before)
		if err != nil || next == nil {
			return nil, func() {}, err
		}
		return link.BeforeProgram(next), func() { _ = next.Close() }, nil
	})
	return err
}

// AttachFirst is Attach, and a new program goes before all that are there. It says whether one of its name was there.
func (n Namespace) AttachFirst(device int, program *ebpf.Program) (there bool, err error) {
	return n.attach(device, program, func() (link.Anchor, func(), error) { return link.Head(), func() {}, nil })
}

// attach a program, a new one at the place that is asked for.
func (n Namespace) attach(device int, program *ebpf.Program, place func() (link.Anchor, func(), error)) (there bool, err error) {
	name, id, err := nameAndID(program)
	if err != nil {
		return false, fmt.Errorf("read a program: %w", err)
	}
	present, err := n.Attached(device, name)
	if err != nil {
		return false, err
	}
	options := link.RawAttachProgramOptions{Target: device, Program: program, Attach: n.hook()}
	if present != nil {
		defer present.Close()
		if _, there, err := nameAndID(present); err == nil && there == id {
			return true, nil
		}
		options.Anchor = link.ReplaceProgram(present)
	} else {
		anchor, release, err := place()
		if err != nil {
			return false, err
		}
		defer release()
		options.Anchor = anchor
	}
	if err := n.Do(func() error { return link.RawAttachProgram(options) }); err != nil {
		return present != nil, fmt.Errorf("attach %s to interface %d: %w", name, device, err)
	}
	return present != nil, nil
}

// Detach takes the program of this name off a device, if it is there.
func (n Namespace) Detach(device int, name string) error {
	present, err := n.Attached(device, name)
	if err != nil || present == nil {
		return err
	}
	defer present.Close()
	return n.Do(func() error {
		return link.RawDetachProgram(link.RawDetachProgramOptions{Target: device, Program: present, Attach: n.hook()})
	})
}

// Try attaches a program to a device for a moment. The kernel's own error is in the one that comes back.
func (n Namespace) Try(device int, program *ebpf.Program) error {
	return n.Do(func() error {
		options := link.RawAttachProgramOptions{Target: device, Program: program, Attach: n.hook()}
		return errors.Join(link.RawAttachProgram(options), link.RawDetachProgram(link.RawDetachProgramOptions(options)))
	})
}
