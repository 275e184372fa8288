// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cilium/ebpf"
	linklib "github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/netspace"
	"sextant/agent/internal/tcx"
)

const (
	portProgram   = "sextant_port"
	numberProgram = "sextant_number"
)

// programs are the eBPF half: what the kernel holds, and what is attached where.
type programs struct {
	options   Options
	objects   *bpfObjects // nil while nothing is loaded
	near, far int         // ifindex
	swept     bool        // no device but the pair and the ports of that time has the port program
	ports     []int
}

func (p *programs) tcx() tcx.Namespace { return tcx.Namespace{Do: p.options.Do} }

// Close lets go of the programs and maps, which stay attached.
func (p *programs) Close() error {
	if p.objects == nil {
		return nil
	}
	err := p.objects.Close()
	p.objects = nil
	return err
}

// load brings the programs into the kernel, over the maps that a former agent's programs still hold.
func (p *programs) load() error {
	if err := p.makePair(); err != nil {
		return err
	}
	if p.objects != nil {
		return nil
	}
	held, err := p.heldMaps()
	if err != nil {
		return err
	}
	defer func() {
		for _, m := range held {
			_ = m.Close()
		}
	}()
	var objects bpfObjects
	err = loadBpfObjects(&objects, &ebpf.CollectionOptions{MapReplacements: held})
	if errors.Is(err, ebpf.ErrMapIncompatible) {
		p.options.Log("livelive: the maps of the former agent are laid out differently; flows are numbered anew")
		err = loadBpfObjects(&objects, nil)
	}
	if err != nil {
		return &contract.Error{
			Code: contract.FailedPrecondition, Message: "Live-Live needs eBPF, which this kernel does not load", Err: err,
			Remedy: "use Linux 6.6 or newer with CONFIG_BPF_SYSCALL; `sextant-agent check` says more",
		}
	}
	p.objects = &objects
	return nil
}

// heldMaps are the maps of the programs that a former agent left at the pair.
func (p *programs) heldMaps() (map[string]*ebpf.Map, error) {
	held := map[string]*ebpf.Map{}
	spec, err := loadBpf()
	if err != nil {
		return nil, err
	}
	program, err := p.attached(p.far, numberProgram)
	if err != nil || program == nil {
		return held, err
	}
	defer program.Close()
	port, err := p.attached(p.near, portProgram)
	if err != nil {
		return nil, err
	}
	programs := []*ebpf.Program{program}
	if port != nil {
		defer port.Close()
		programs = append(programs, port)
	}
	for _, one := range programs {
		if err := tcx.Maps(one, spec.Maps, held); err != nil {
			return nil, err
		}
	}
	return held, nil
}

func (p *programs) attached(index int, name string) (*ebpf.Program, error) {
	program, err := p.tcx().Attached(index, name)
	return program, needed(err)
}

// needed says of a kernel without TCX what it takes.
func needed(err error) error {
	if !errors.Is(err, tcx.ErrUnsupported) {
		return err
	}
	return &contract.Error{
		Code: contract.FailedPrecondition, Message: "Live-Live needs TCX, which this kernel does not have", Err: err,
		Remedy: "use Linux 6.6 or newer with CONFIG_BPF_SYSCALL; `sextant-agent check` says more",
	}
}

// attachAll puts the programs where packets arrive. The near end has the ports' as well, where no packet
// arrives: so the maps that only it uses stay when every port is gone.
func (p *programs) attachAll(ports []int) error {
	if err := p.attach(p.far, p.objects.SextantNumber); err != nil {
		return err
	}
	if err := p.attach(p.near, p.objects.SextantPort); err != nil {
		return err
	}
	for _, index := range slices.Sorted(slices.Values(ports)) {
		if err := p.attach(index, p.objects.SextantPort); err != nil {
			return err
		}
	}
	return p.sweep(ports)
}

func (p *programs) attach(index int, program *ebpf.Program) error {
	return needed(p.tcx().Attach(index, program))
}

// sweep takes the port program off whatever is no port any more: the agent that attached it may have had others, and
// knows nothing but the namespace in common with this one. It looks again when the ports change.
func (p *programs) sweep(ports []int) error {
	ports = slices.Sorted(slices.Values(ports))
	if p.swept && slices.Equal(ports, p.ports) {
		return nil
	}
	links, err := netspace.Whole(p.options.Links.LinkList)
	if err != nil {
		return fmt.Errorf("list interfaces: %w", err)
	}
	for _, l := range links {
		index := l.Attrs().Index
		if l.Attrs().Name == nearDevice || slices.Contains(ports, index) {
			continue
		}
		if err := needed(p.tcx().Detach(index, portProgram)); err != nil && !errors.Is(err, unix.ENODEV) {
			return fmt.Errorf("detach %s from interface %s: %w", portProgram, l.Attrs().Name, err)
		}
	}
	p.swept, p.ports = true, ports
	return nil
}

// remove takes everything away, also where somebody has taken a part of it before.
func (p *programs) remove() error {
	var without *contract.Error // a kernel without TCX has nothing to detach
	if err := p.sweep(nil); err != nil && !errors.As(err, &without) {
		return err
	}
	l, err := p.options.Links.LinkByName(nearDevice)
	var notFound linklib.LinkNotFoundError
	if errors.As(err, &notFound) || err == nil && l.Type() != "veth" { // not ours
		return p.Close()
	}
	if err != nil {
		return fmt.Errorf("find %s: %w", nearDevice, err)
	}
	return errors.Join(p.options.Links.LinkDel(l), p.Close())
}
