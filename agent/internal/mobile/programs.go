// SPDX-License-Identifier: Apache-2.0

package mobile

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
	mobileProgram = "sextant_mobile"
	// A packet that enters a slice is no Live-Live flow: it is looked up before.
	liveLiveProgram = "sextant_port"
)

// programs are the eBPF half: what the kernel holds, and what is attached where.
type programs struct {
	options   Options
	objects   *bpfObjects // nil while nothing is loaded
	near, far int         // ifindex
	cpus      int
	maskCount uint16
	swept     bool // no device but the pair and the ports of that time has the program
	ports     []int
}

func (p *programs) tcx() tcx.Namespace { return tcx.Namespace{Do: p.options.Do} }

// Close lets go of the program and its maps, which stay attached.
func (p *programs) Close() error {
	if p.objects == nil {
		return nil
	}
	err := p.objects.Close()
	p.objects = nil
	return err
}

// load brings the program into the kernel, over the maps that a former agent's still holds.
func (p *programs) load() (err error) {
	if err := p.makePair(); err != nil {
		return err
	}
	if p.objects != nil {
		return nil
	}
	if p.cpus, err = ebpf.PossibleCPU(); err != nil {
		return err
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
		p.options.Log("mobile: the maps of the former agent are laid out differently; counters begin anew")
		err = loadBpfObjects(&objects, nil)
	}
	if err != nil {
		return &contract.Error{
			Code: contract.FailedPrecondition, Message: "GTP needs eBPF, which this kernel does not load", Err: err,
			Remedy: "use Linux 6.6 or newer with CONFIG_BPF_SYSCALL; `sextant-agent check` says more",
		}
	}
	p.objects = &objects
	return nil
}

// heldMaps are the maps of the program that a former agent left at the pair.
func (p *programs) heldMaps() (map[string]*ebpf.Map, error) {
	held := map[string]*ebpf.Map{}
	spec, err := loadBpf()
	if err != nil {
		return nil, err
	}
	program, err := p.tcx().Attached(p.far, mobileProgram)
	if err != nil || program == nil {
		return held, needed(err)
	}
	defer program.Close()
	return held, tcx.Maps(program, spec.Maps, held)
}

// needed says of a kernel without TCX what it takes.
func needed(err error) error {
	if !errors.Is(err, tcx.ErrUnsupported) {
		return err
	}
	return &contract.Error{
		Code: contract.FailedPrecondition, Message: "GTP needs TCX, which this kernel does not have", Err: err,
		Remedy: "use Linux 6.6 or newer with CONFIG_BPF_SYSCALL; `sextant-agent check` says more",
	}
}

// settle writes what all packets meet, and attaches the program where they arrive.
func (p *programs) settle(around Around, held census) error {
	if err := p.setSettings(around, held); err != nil {
		return err
	}
	for _, index := range append([]int{p.far}, slices.Sorted(slices.Values(around.Ports))...) {
		if err := needed(p.tcx().Attach(index, p.objects.SextantMobile, liveLiveProgram)); err != nil {
			return err
		}
	}
	return p.sweep(around.Ports)
}

func (p *programs) setSettings(around Around, held census) error {
	wanted := bpfSettings{
		Near: uint32(p.near), Far: uint32(p.far), Stack: uint32(around.StackIndex), StackMac: around.StackMAC, MaskCount: p.maskCount,
		HasUes: bit(held.ues > 0), HasUePrefixes: bit(held.ranges > 0),
	}
	if around.Source.IsValid() {
		wanted.Source = around.Source.As16()
	}
	for _, own := range around.Own {
		if a := own.Addr(); a.Is4() && !a.IsLoopback() && !a.IsLinkLocalUnicast() {
			wanted.Address = a.As4()
			break
		}
	}
	var now bpfSettings
	if err := p.objects.SettingsMap.Lookup(uint32(0), &now); err == nil && now == wanted {
		return nil
	}
	if err := p.objects.SettingsMap.Put(uint32(0), wanted); err != nil {
		return fmt.Errorf("write map settings: %w", err)
	}
	return nil
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// sweep takes the program off whatever is no port any more: the agent that attached it may have had others, and knows
// nothing but the namespace in common with this one. It looks again when the ports change.
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
		if l.Attrs().Name == farDevice || slices.Contains(ports, index) {
			continue
		}
		if err := needed(p.tcx().Detach(index, mobileProgram)); err != nil && !errors.Is(err, unix.ENODEV) {
			return fmt.Errorf("detach %s from interface %s: %w", mobileProgram, l.Attrs().Name, err)
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
