// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/cilium/ebpf"
	linklib "github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/netspace"
	"sextant/agent/internal/pair"
)

const (
	edgeProgram   = "sextant_edge"
	probesProgram = "sextant_probes" // at egress
)

// programs are the eBPF half: the maps that the kernel holds, and where the program is attached. There is no pair:
// dropped packets go nowhere.
type programs struct {
	options  pair.Options
	devices  pair.Pair
	egress   pair.Pair
	objects  *bpfObjects // nil while nothing is loaded
	probes   *probeCounters
	attached map[int]bool
	own      func(device string) bool // the agent's devices, at which judged packets arrive
}

// newPrograms touch nothing yet.
func newPrograms(options pair.Options, own func(device string) bool) programs {
	p := programs{options: options, devices: devicesOf(options), probes: &probeCounters{}, attached: map[int]bool{}, own: own}
	p.egress = p.devices
	p.egress.Egress = true
	return p
}

func devicesOf(o pair.Options) pair.Pair {
	return pair.Pair{Plane: "the edge", Links: o.Links, Do: o.Do, Pins: o.Pins, Programs: []string{edgeProgram, probesProgram}}
}

// Close lets go of the program and its maps, which stay attached.
func (p *programs) Close() error {
	if p.objects == nil {
		return nil
	}
	err := errors.Join(p.probes.follow(nil), p.objects.Close())
	p.objects = nil
	return err
}

// load brings the program into the kernel, over the maps that a former agent's still holds; false if it is there already.
func (p *programs) load() (fresh bool, err error) {
	if p.objects != nil {
		return false, nil
	}
	formers, err := holders(&p.devices)
	if err != nil {
		return false, err
	}
	var objects bpfObjects
	err = p.devices.Load(formers, loadBpf, &objects, func() {
		p.options.Log("edge: the maps of the former agent are laid out differently; counters begin anew")
	})
	if err != nil {
		return false, err
	}
	p.objects = &objects
	return true, errors.Join(p.probes.follow(objects.EdgeProbes), pair.Begin(objects.EdgeDropped), pair.Begin(objects.EdgeDropsMore))
}

// holders are the devices that have the program; the first one's is enough, they share their maps.
func holders(devices *pair.Pair) ([]pair.Former, error) {
	links, err := netspace.Whole(devices.Links.LinkList)
	if err != nil {
		return nil, fmt.Errorf("list interfaces: %w", err)
	}
	for _, l := range links {
		index := l.Attrs().Index
		program, err := devices.Attached(index, edgeProgram)
		if errors.Is(err, unix.ENODEV) { // gone meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		if program != nil {
			return []pair.Former{{Index: index, Program: edgeProgram}}, program.Close()
		}
	}
	return nil, nil
}

// learn writes new and changed elements into the maps.
func (p *programs) learn(w *wanted) error {
	if w.staleSIDs {
		if err := pair.PutMissing(p.objects.EdgeSids, w.sids, pair.Equal); err != nil {
			return err
		}
	}
	if w.staleSources {
		if err := pair.PutMissing(p.objects.EdgeSources, w.sources, pair.Equal); err != nil {
			return err
		}
	}
	if w.staleGateways {
		if err := pair.PutMissing(p.objects.EdgeGateways, w.gateways, pair.Equal); err != nil {
			return err
		}
	}
	if !w.stalePeers {
		return nil
	}
	anew := map[bpfPeer]bpfCounters{}
	for key := range w.renewed {
		if zero, there := w.peers[key]; there {
			anew[key] = zero
		}
	}
	if err := pair.PutAll(p.objects.EdgePeers, anew); err != nil {
		return err
	}
	return pair.PutMissing(p.objects.EdgePeers, w.peers, isThere)
}

// forget deletes all other elements from the maps, and compares their content.
func (p *programs) forget(w *wanted) error {
	if w.staleSIDs {
		if err := settle(p.objects.EdgeSids, w.sids, pair.Equal); err != nil {
			return err
		}
	}
	if w.staleSources {
		if err := settle(p.objects.EdgeSources, w.sources, pair.Equal); err != nil {
			return err
		}
	}
	if w.staleGateways {
		if err := settle(p.objects.EdgeGateways, w.gateways, pair.Equal); err != nil {
			return err
		}
	}
	if w.stalePeers {
		return settle(p.objects.EdgePeers, w.peers, isThere)
	}
	return nil
}

// isThere: the counters of a peer are the program's.
func isThere(bpfCounters, bpfCounters) bool { return true }

// settle deletes unwanted elements, and reads back the others.
func settle[K, V comparable](m *ebpf.Map, wanted map[K]V, same func(held, wanted V) bool) error {
	if err := pair.Sync(m, wanted, same); err != nil {
		return err
	}
	held, err := pair.Contents[K, V](m)
	if err != nil {
		return err
	}
	if !maps.EqualFunc(held, wanted, same) {
		return fmt.Errorf("map %s has not what was written to it: %d entries of %d", m, len(held), len(wanted))
	}
	return nil
}

// assign gives ports their roles and attaches the program to them, and to interfaces that are no port, which are
// external. A role is there before its port is, and the port before the program; they go the other way round. Another
// role is one word.
func (p *programs) assign(roles map[contract.PortID]uint32, ports map[contract.PortID]int) error {
	links, err := netspace.Whole(p.options.Links.LinkList)
	if err != nil {
		return fmt.Errorf("list interfaces: %w", err)
	}
	words := map[uint32]uint32{uint32(noPort): roleOf(contract.EdgePort{External: true, DropSRH: true})}
	for number := range uint32(maxPorts) {
		if role := roles[contract.PortID(number)]; role != 0 || number != uint32(noPort) {
			words[number] = role
		}
	}
	placed := placesOf(links, ports, roles, p.own)
	numbers := map[uint32]uint32{}
	for index, number := range placed {
		if number != uint32(noPort) {
			numbers[index] = number
		}
	}
	if err := p.writeRoles(words, func(word uint32) bool { return word != 0 }); err != nil {
		return err
	}
	if err := p.syncVLANs(ports); err != nil {
		return err
	}
	if err := pair.PutMissing(p.objects.EdgePorts, numbers, pair.Equal); err != nil {
		return err
	}
	if err := p.attach(slices.Sorted(maps.Keys(placed))); err != nil {
		return err
	}
	if err := settle(p.objects.EdgePorts, numbers, pair.Equal); err != nil {
		return err
	}
	if err := p.writeRoles(words, func(word uint32) bool { return word == 0 }); err != nil {
		return err
	}
	return settle(p.objects.EdgeRoles, words, pair.Equal)
}

func (p *programs) writeRoles(words map[uint32]uint32, which func(word uint32) bool) error {
	some := map[uint32]uint32{}
	for number, word := range words {
		if which(word) {
			some[number] = word
		}
	}
	return pair.PutMissing(p.objects.EdgeRoles, some, pair.Equal)
}

// syncVLANs has frames of a VLAN that is a port of its own judged there.
func (p *programs) syncVLANs(ports map[contract.PortID]int) error {
	own := map[bpfVlan]uint32{}
	for _, index := range ports {
		if index == 0 {
			continue
		}
		l, err := p.options.Links.LinkByIndex(index)
		if err != nil {
			continue // gone meanwhile, of which the node will be notified
		}
		if vlan, ok := l.(*linklib.Vlan); ok {
			own[bpfVlan{Index: uint32(vlan.ParentIndex), Id: uint32(vlan.VlanId)}] = 0
		}
	}
	return pair.Sync(p.objects.EdgeVlans, own, pair.Equal)
}

// attach has the program before all others at these devices, and nowhere else.
func (p *programs) attach(devices []uint32) error {
	now := map[int]bool{}
	var indexes []int
	for _, device := range devices {
		index := int(device)
		there, err := p.devices.AttachFirst(index, p.objects.SextantEdge)
		if errors.Is(err, unix.ENODEV) { // gone meanwhile, of which the node will be notified
			continue
		}
		if err != nil {
			return err
		}
		if !there && p.attached[index] {
			p.options.Log("edge: another program detached the filter from interface %d; it is attached again", index)
		}
		now[index] = true
		indexes = append(indexes, index)
	}
	p.attached = now
	return p.devices.Sweep(edgeProgram, "", indexes)
}

// attachProbes has the program that counts probes at the egress of internal ports, and nowhere else. It goes before assign,
// which lets go of the pins of all former programs.
func (p *programs) attachProbes(roles map[contract.PortID]uint32, ports map[contract.PortID]int) error {
	var indexes []int
	for port, role := range roles {
		index := ports[port]
		if role&roleInternal == 0 || index == 0 {
			continue
		}
		err := p.egress.Attach(index, p.objects.SextantProbes)
		if errors.Is(err, unix.ENODEV) { // gone meanwhile, which the kernel will report
			continue
		}
		if err != nil {
			return err
		}
		indexes = append(indexes, index)
	}
	p.probes.assign(roles)
	return p.egress.Sweep(probesProgram, "", indexes)
}

// remove takes everything away, also where a part of it is gone already.
func (p *programs) remove() error {
	p.attached = map[int]bool{}
	var without *contract.Error // a kernel without TCX has nothing to detach
	for _, err := range []error{p.egress.Sweep(probesProgram, "", nil), p.devices.Sweep(edgeProgram, "", nil)} {
		if err != nil && !errors.As(err, &without) {
			return err
		}
	}
	return errors.Join(p.devices.Forget(), p.Close())
}
