// SPDX-License-Identifier: Apache-2.0

// Package pair is the common part of planes with programs on Linux: programs at ports, and a device pair of their own,
// of which packets come out as they go on the wire.
package pair

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cilium/ebpf"
	linklib "github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/netspace"
	"sextant/agent/internal/tcx"
)

// A Pair is a veth whose near end cuts super-packets into packets; they arrive at the far end.
type Pair struct {
	// Near and Far are the names of the ends.
	Near, Far string
	// Checksums says that none arrives undone.
	Checksums bool
	// Uncut leaves super-packets whole.
	Uncut bool
	// Plane is whose the pair is, as sentences name it.
	Plane string
	// Links is a handle of the node's namespace, Do runs a function on a thread inside of it.
	Links *linklib.Handle
	Do    func(func() error) error
	// Pins are where the programs, which have these names, are found again.
	Pins     tcx.Pins
	Programs []string
	// Prepare keeps an end silent, and lets the kernel route packets that arrive at it.
	Prepare func(name string) error
	// Egress is where programs are attached, instead of ingress.
	Egress bool

	// NearIndex and FarIndex are known once the pair is made.
	NearIndex, FarIndex int

	objects any  // a struct of bpf2go, that former ones are not let go of yet for
	swept   bool // no device but the end that is kept and the ports of that time has the program
	ports   []int
}

const (
	// A packet of any port fits.
	mtu = 65535
	// In bytes; the kernel takes nothing below its longest TCP header.
	leastGSO = 1024
)

// Make makes the pair, or adopts it. Segmentation, but for Uncut, is the near end's: it takes one segment, so that the
// kernel cuts packets that have more, and 1 KiB (less the kernel refuses), which cuts also packets that came from
// elsewhere and do not say how many segments they have.
func (p *Pair) Make() error {
	_, err := p.Links.LinkByName(p.Near)
	var notFound linklib.LinkNotFoundError
	if errors.As(err, &notFound) {
		veth := &linklib.Veth{LinkAttrs: linklib.LinkAttrs{Name: p.Near, MTU: mtu}, PeerName: p.Far, PeerMTU: mtu}
		err = p.Links.LinkAdd(veth)
	}
	if err != nil {
		return fmt.Errorf("make the device pair %s and %s (a veth): %w", p.Near, p.Far, err)
	}
	for _, end := range []struct {
		name  string
		index *int
	}{{p.Near, &p.NearIndex}, {p.Far, &p.FarIndex}} {
		l, err := p.Links.LinkByName(end.name)
		if err != nil {
			return fmt.Errorf("find %s: %w", end.name, err)
		}
		if l.Type() != "veth" {
			return contract.Errorf(contract.FailedPrecondition, "%s is a %s, not the agent's veth; rename or delete it", end.name, l.Type())
		}
		*end.index = l.Attrs().Index
		if end.name == p.Near && !p.Uncut {
			if err := p.switchOff(l); err != nil {
				return err
			}
		}
		if err := p.Prepare(end.name); err != nil {
			return err
		}
	}
	return nil
}

// switchOff switches off the offloads of the near end.
func (p *Pair) switchOff(l linklib.Link) error {
	if l.Attrs().GSOMaxSegs != 1 || l.Attrs().GSOMaxSize != leastGSO {
		if err := errors.Join(p.Links.LinkSetGSOMaxSegs(l, 1), p.Links.LinkSetGSOMaxSize(l, leastGSO)); err != nil {
			return fmt.Errorf("switch segmentation offload of %s off: %w", p.Near, err)
		}
	}
	if !p.Checksums {
		return nil
	}
	if err := p.Do(func() error { return checksumOff(p.Near) }); err != nil {
		return fmt.Errorf("switch checksum offload of %s off: %w", p.Near, err)
	}
	return nil
}

// A Former is a program that an agent before this one may have left at a device. Where the first of several is not there, none is.
type Former struct {
	Index   int
	Program string
}

// Load brings programs into the kernel, over the maps that a former agent's still hold, as a struct of bpf2go. Where
// these are laid out differently, anew is called and the maps are new.
func (p *Pair) Load(formers []Former, specOf func() (*ebpf.CollectionSpec, error), objects io.Closer, anew func()) error {
	spec, err := specOf()
	if err != nil {
		return err
	}
	if err := findable(spec); err != nil {
		return err
	}
	held := map[string]*ebpf.Map{}
	defer func() {
		for _, m := range held {
			_ = m.Close()
		}
	}()
	for _, former := range formers {
		there, err := p.hold(former, spec, held)
		if err != nil {
			return err
		}
		if !there {
			break
		}
	}
	err = spec.LoadAndAssign(objects, &ebpf.CollectionOptions{MapReplacements: held})
	if errors.Is(err, ebpf.ErrMapIncompatible) {
		anew()
		if spec, err = specOf(); err == nil {
			err = spec.LoadAndAssign(objects, nil)
		}
	}
	if err != nil {
		return &contract.Error{
			Code: contract.FailedPrecondition, Message: p.Plane + " needs eBPF, which this kernel does not load", Err: err,
			Remedy: "use Linux 6.6 or newer with CONFIG_BPF_SYSCALL; `sextant-agent check` says more",
		}
	}
	if err := p.Pins.Keep(objects); err != nil {
		return errors.Join(err, objects.Close())
	}
	p.objects = objects
	return nil
}

// findable refuses a map that the next agent would not find: the kernel keeps 15 characters of a name.
func findable(spec *ebpf.CollectionSpec) error {
	for name := range spec.Maps {
		if len(name) >= unix.BPF_OBJ_NAME_LEN {
			return fmt.Errorf("map %s: its name is longer than the %d characters that the kernel keeps", name, unix.BPF_OBJ_NAME_LEN-1)
		}
	}
	return nil
}

// hold opens the maps of a former program; false if it is not there.
func (p *Pair) hold(former Former, spec *ebpf.CollectionSpec, held map[string]*ebpf.Map) (bool, error) {
	program, err := p.Attached(former.Index, former.Program)
	if err != nil || program == nil {
		return false, err
	}
	defer program.Close()
	return true, p.Pins.Maps(program, spec.Maps, held)
}

func (p *Pair) namespace() tcx.Namespace {
	return tcx.Namespace{Do: p.Do, Pins: p.Pins, Egress: p.Egress}
}

// Attached is the program of this name at a device, nil if there is none. The caller closes it.
func (p *Pair) Attached(index int, name string) (*ebpf.Program, error) {
	program, err := p.namespace().Attached(index, name)
	return program, p.needed(err)
}

// Attach makes sure that the program is at a device, see tcx.
func (p *Pair) Attach(index int, program *ebpf.Program, before ...string) error {
	return p.needed(p.namespace().Attach(index, program, before...))
}

// AttachFirst makes sure that the program is at a device before all others, see tcx.
func (p *Pair) AttachFirst(index int, program *ebpf.Program) (there bool, err error) {
	there, err = p.namespace().AttachFirst(index, program)
	return there, p.needed(err)
}

// needed adds the requirements to the error of a kernel without TCX.
func (p *Pair) needed(err error) error {
	if !errors.Is(err, tcx.ErrUnsupported) {
		return err
	}
	return &contract.Error{
		Code: contract.FailedPrecondition, Message: p.Plane + " needs TCX, which this kernel does not have", Err: err,
		Remedy: "use Linux 6.6 or newer with CONFIG_BPF_SYSCALL; `sextant-agent check` says more",
	}
}

// Sweep takes a program off whatever is no port any more, but for one of the ends: the agent that attached it may have had
// others, and knows nothing but the namespace in common with this one. It looks again when the ports change.
func (p *Pair) Sweep(program, end string, ports []int) error {
	ports = slices.Sorted(slices.Values(ports))
	if p.swept && slices.Equal(ports, p.ports) {
		return p.settle()
	}
	links, err := netspace.Whole(p.Links.LinkList)
	if err != nil {
		return fmt.Errorf("list interfaces: %w", err)
	}
	for _, l := range links {
		index := l.Attrs().Index
		if l.Attrs().Name == end || slices.Contains(ports, index) {
			continue
		}
		if err := p.needed(p.namespace().Detach(index, program)); err != nil && !errors.Is(err, unix.ENODEV) {
			return fmt.Errorf("detach %s from interface %s: %w", program, l.Attrs().Name, err)
		}
	}
	p.swept, p.ports = true, ports
	return p.settle()
}

// settle lets go of former programs, as soon as these are where they belong and nowhere else is another.
func (p *Pair) settle() error {
	if p.objects == nil {
		return nil
	}
	if err := p.Pins.Settle(p.objects); err != nil {
		return err
	}
	p.objects = nil
	return nil
}

// Remove takes the program off all ports and deletes the pair, also where a part of it is gone already.
func (p *Pair) Remove(program, end string) error {
	var without *contract.Error // a kernel without TCX has nothing to detach
	if err := p.Sweep(program, end, nil); err != nil && !errors.As(err, &without) {
		return err
	}
	l, err := p.Links.LinkByName(p.Near)
	var notFound linklib.LinkNotFoundError
	if err != nil && !errors.As(err, &notFound) {
		return fmt.Errorf("find %s: %w", p.Near, err)
	}
	if err == nil && l.Type() == "veth" { // else not ours
		if err := p.Links.LinkDel(l); err != nil {
			return err
		}
	}
	return p.Forget()
}

// Forget lets go of the programs, which are attached nowhere any more.
func (p *Pair) Forget() error {
	p.objects = nil
	return p.Pins.Drop(p.Programs...)
}
