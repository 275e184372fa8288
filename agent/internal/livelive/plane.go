// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	linklib "github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/netspace"
)

// The numbering pair: what is sent into the near end is cut into packets as they go on the wire, and
// arrives at the far end, where they are numbered.
const (
	nearDevice = "sextant2"
	farDevice  = "sextant3"
	// A packet of any port fits.
	pairMTU = 65535
	// In bytes; the kernel takes nothing below its longest TCP header.
	leastGSO = 1024
)

const (
	portProgram   = "sextant_port"
	numberProgram = "sextant_number"
)

// Options says where a Plane works.
type Options struct {
	// Links is a handle of the node's namespace, Do runs a function on a thread inside of it.
	Links *linklib.Handle
	Do    func(func() error) error
	// Prepare keeps a device of the pair silent, and lets the kernel route what arrives at it.
	Prepare func(name string) error
	Log     func(format string, args ...any)
}

// A Plane holds one namespace's Live-Live. It is not safe for concurrent use; its owner's lock is.
type Plane struct {
	options   Options
	objects   *bpfObjects // nil while nothing is loaded
	near, far int         // ifindex
	swept     bool        // no device but the pair and the ports of that time has the port program
	ports     []int
}

// New makes a Plane; it touches nothing until Sync.
func New(options Options) *Plane {
	return &Plane{options: options}
}

// Close lets go of the programs and maps, which stay attached.
func (p *Plane) Close() error {
	if p.objects == nil {
		return nil
	}
	err := p.objects.Close()
	p.objects = nil
	return err
}

// load brings the programs into the kernel, over the maps that a former agent's programs still hold.
func (p *Plane) load() error {
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
func (p *Plane) heldMaps() (map[string]*ebpf.Map, error) {
	held := map[string]*ebpf.Map{}
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
		if err := mapsOf(one, held); err != nil {
			return nil, err
		}
	}
	return held, nil
}

// mapsOf opens the maps that a program holds, by name.
func mapsOf(program *ebpf.Program, into map[string]*ebpf.Map) error {
	spec, err := loadBpf()
	if err != nil {
		return err
	}
	info, err := program.Info()
	if err != nil {
		return fmt.Errorf("read program %s: %w", program, err)
	}
	ids, _ := info.MapIDs()
	for _, id := range ids {
		m, err := ebpf.NewMapFromID(id)
		if err != nil {
			return fmt.Errorf("open map %d of program %s: %w", id, program, err)
		}
		info, err := m.Info()
		if err != nil {
			return errors.Join(fmt.Errorf("read map %d: %w", id, err), m.Close())
		}
		if _, known := spec.Maps[info.Name]; !known || into[info.Name] != nil {
			_ = m.Close()
			continue
		}
		into[info.Name] = m
	}
	return nil
}

// attached is the agent's program of this name at a device's ingress, nil if there is none.
func (p *Plane) attached(index int, name string) (*ebpf.Program, error) {
	var found *ebpf.Program
	err := p.options.Do(func() error {
		result, err := link.QueryPrograms(link.QueryOptions{Target: index, Attach: ebpf.AttachTCXIngress})
		if err != nil {
			return err
		}
		for _, one := range result.Programs {
			program, err := ebpf.NewProgramFromID(one.ID)
			if err != nil {
				continue // detached meanwhile
			}
			info, err := program.Info()
			if err == nil && info.Name == name && found == nil {
				found = program
				continue
			}
			_ = program.Close()
		}
		return nil
	})
	if errors.Is(err, unix.ENODEV) {
		return nil, fmt.Errorf("interface %d is gone: %w", index, err)
	}
	if err != nil {
		return nil, &contract.Error{
			Code: contract.FailedPrecondition, Message: "Live-Live needs TCX, which this kernel does not have", Err: err,
			Remedy: "use Linux 6.6 or newer with CONFIG_BPF_SYSCALL; `sextant-agent check` says more",
		}
	}
	return found, nil
}

// attach makes sure that exactly this program is the agent's at a device. One of a former agent is
// exchanged in place: no packet passes without.
func (p *Plane) attach(index int, program *ebpf.Program) error {
	name := programName(program, p.objects)
	present, err := p.attached(index, name)
	if err != nil {
		return err
	}
	options := link.RawAttachProgramOptions{Target: index, Program: program, Attach: ebpf.AttachTCXIngress}
	if present != nil {
		defer present.Close()
		if same(present, program) {
			return nil
		}
		options.Anchor = link.ReplaceProgram(present)
	}
	if err := p.options.Do(func() error { return link.RawAttachProgram(options) }); err != nil {
		return fmt.Errorf("attach %s to interface %d: %w", name, index, err)
	}
	return nil
}

func programName(program *ebpf.Program, objects *bpfObjects) string {
	if program == objects.SextantPort {
		return portProgram
	}
	return numberProgram
}

func same(a, b *ebpf.Program) bool {
	one, err := a.Info()
	if err != nil {
		return false
	}
	other, err := b.Info()
	if err != nil {
		return false
	}
	oneID, _ := one.ID()
	otherID, _ := other.ID()
	return oneID == otherID
}

func (p *Plane) detach(index int, name string) error {
	present, err := p.attached(index, name)
	if err != nil || present == nil {
		return err
	}
	defer present.Close()
	return p.options.Do(func() error {
		return link.RawDetachProgram(link.RawDetachProgramOptions{Target: index, Program: present, Attach: ebpf.AttachTCXIngress})
	})
}

// attachAll puts the programs where packets arrive. The near end has the ports' as well, where no packet
// arrives: so the maps that only it uses stay when every port is gone.
func (p *Plane) attachAll(ports []int) error {
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

// sweep takes the port program off whatever is no port any more: the agent that attached it may have had others, and
// knows nothing but the namespace in common with this one. It looks again when the ports change.
func (p *Plane) sweep(ports []int) error {
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
		if err := p.detach(index, portProgram); err != nil && !errors.Is(err, unix.ENODEV) {
			return fmt.Errorf("detach %s from interface %s: %w", portProgram, l.Attrs().Name, err)
		}
	}
	p.swept, p.ports = true, ports
	return nil
}

// remove takes everything away, also where somebody has taken a part of it before.
func (p *Plane) remove() error {
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

// makePair makes the numbering pair, or adopts it. Segmentation is the near end's: it takes one segment,
// so that the kernel cuts what has more, and 1 KiB (less the kernel refuses), which cuts also what came
// from elsewhere and does not say how many segments it has. Checksums may stay undone: they go with the packet.
func (p *Plane) makePair() error {
	_, err := p.options.Links.LinkByName(nearDevice)
	var notFound linklib.LinkNotFoundError
	if errors.As(err, &notFound) {
		pair := &linklib.Veth{LinkAttrs: linklib.LinkAttrs{Name: nearDevice, MTU: pairMTU}, PeerName: farDevice, PeerMTU: pairMTU}
		err = p.options.Links.LinkAdd(pair)
	}
	if err != nil {
		return fmt.Errorf("make the device pair %s and %s (a veth): %w", nearDevice, farDevice, err)
	}
	for _, end := range []struct {
		name  string
		index *int
	}{{nearDevice, &p.near}, {farDevice, &p.far}} {
		name, index := end.name, end.index
		l, err := p.options.Links.LinkByName(name)
		if err != nil {
			return fmt.Errorf("find %s: %w", name, err)
		}
		if l.Type() != "veth" {
			return contract.Errorf(contract.FailedPrecondition, "%s is a %s, not the agent's veth; rename or delete it", name, l.Type())
		}
		*index = l.Attrs().Index
		if name == nearDevice && (l.Attrs().GSOMaxSegs != 1 || l.Attrs().GSOMaxSize != leastGSO) {
			if err := errors.Join(p.options.Links.LinkSetGSOMaxSegs(l, 1), p.options.Links.LinkSetGSOMaxSize(l, leastGSO)); err != nil {
				return fmt.Errorf("switch segmentation offload of %s off: %w", name, err)
			}
		}
		if err := p.options.Prepare(name); err != nil {
			return err
		}
	}
	return nil
}
