// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"github.com/mdlayher/netlink"
	linklib "github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
	"sextant/agent/internal/netspace"
	"sextant/agent/internal/plane"
	"sextant/agent/internal/punt"
)

// readLinks lists the interfaces of the namespace by name.
func (n *Node) readLinks() (map[string]linklib.Link, error) {
	links, err := netspace.Whole(n.links.LinkList)
	if err != nil {
		return nil, fmt.Errorf("list interfaces of network namespace %s: %w", n.ns.name, err)
	}
	byName := map[string]linklib.Link{}
	for _, l := range links {
		byName[l.Attrs().Name] = l
	}
	return byName, nil
}

// portsOf looks every port up; one whose interface is gone has Index 0.
func (n *Node) portsOf(links map[string]linklib.Link) map[contract.PortID]contract.Port {
	ports := map[contract.PortID]contract.Port{}
	for id, name := range n.options.Ports {
		p := portOf(id, name, links[name])
		if l := links[name]; l != nil {
			p.Speed = contract.PortSpeed(n.speeds.Of(name, l.Type()))
		}
		ports[id] = p
	}
	return ports
}

func portOf(id contract.PortID, name string, l linklib.Link) contract.Port {
	p := contract.Port{ID: id, Name: name}
	if l == nil {
		return p
	}
	a := l.Attrs()
	copy(p.MAC[:], a.HardwareAddr)
	p.Index, p.MTUBytes = uint32(a.Index), uint32(a.MTU)
	p.Enabled = a.RawFlags&unix.IFF_UP != 0
	p.Up = p.Enabled && a.RawFlags&unix.IFF_LOWER_UP != 0
	if s := a.Statistics; s != nil {
		p.In = contract.PortCounters{Octets: s.RxBytes, Packets: s.RxPackets, Multicast: s.Multicast, Errors: s.RxErrors, Discards: s.RxDropped}
		p.Out = contract.PortCounters{Octets: s.TxBytes, Packets: s.TxPackets, Errors: s.TxErrors, Discards: s.TxDropped}
	}
	return p
}

func states(ports map[contract.PortID]contract.Port) map[contract.PortID]portState {
	out := map[contract.PortID]portState{}
	for id, p := range ports {
		out[id] = portState{Index: int(p.Index), Up: p.Enabled, MAC: p.MAC}
	}
	return out
}

func indexes(ports map[contract.PortID]portState) map[contract.PortID]int {
	out := map[contract.PortID]int{}
	for id, p := range ports {
		out[id] = p.Index
	}
	return out
}

func smallestMTU(ports map[contract.PortID]contract.Port) int {
	smallest := 0
	for _, p := range ports {
		if m := int(p.MTUBytes); m != 0 && (smallest == 0 || m < smallest) {
			smallest = m
		}
	}
	return smallest
}

// probeCounter counts the probes at a port separately, nil where it does not.
type probeCounter interface {
	Probes(port contract.PortID) (*contract.ProbeCounters, error)
}

// Ports lists the ports in the order of their ids, with addresses and counters. Probes are read first: those that
// arrive meanwhile count as traffic for a moment, and are not missed there.
func (n *Node) Ports(context.Context) ([]contract.Port, error) {
	probes := map[contract.PortID]*contract.ProbeCounters{}
	for id := range n.options.Ports {
		counted, err := n.probes.Probes(id)
		if err != nil {
			return nil, err
		}
		probes[id] = counted
	}
	links, err := n.readLinks()
	if err != nil {
		return nil, err
	}
	ports := n.portsOf(links)
	addresses, err := netspace.Whole(func() ([]linklib.Addr, error) { return n.links.AddrList(nil, unix.AF_UNSPEC) })
	if err != nil {
		return nil, fmt.Errorf("list addresses of network namespace %s: %w", n.ns.name, err)
	}
	byIndex := map[uint32][]netip.Prefix{}
	for _, a := range addresses {
		bits, _ := a.Mask.Size()
		if addr, ok := netip.AddrFromSlice(a.IP); ok {
			byIndex[uint32(a.LinkIndex)] = append(byIndex[uint32(a.LinkIndex)], netip.PrefixFrom(addr.Unmap(), bits))
		}
	}
	var list []contract.Port
	for _, id := range slices.Sorted(maps.Keys(ports)) {
		p := ports[id]
		p.Addresses, p.Probes = byIndex[p.Index], probes[id]
		list = append(list, p)
	}
	return list, nil
}

// SetPortEnabled sets the administrative state of a port, by its interface name.
func (n *Node) SetPortEnabled(_ context.Context, name string, enabled bool) error {
	if !slices.Contains(slices.Collect(maps.Values(n.options.Ports)), name) {
		return contract.Errorf(contract.NotFound, "%q is not a port of this node; its ports are %v", name, slices.Sorted(maps.Values(n.options.Ports)))
	}
	l, err := n.links.LinkByName(name)
	if err != nil {
		return &contract.Error{Code: contract.FailedPrecondition, Message: fmt.Sprintf("interface %q is gone", name), Err: err}
	}
	change := n.links.LinkSetDown
	if enabled {
		change = n.links.LinkSetUp
	}
	if err := change(l); err != nil {
		return &contract.Error{Code: contract.Internal, Message: fmt.Sprintf("set interface %q enabled=%t", name, enabled), Err: err}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.refreshPorts()
}

// startWatching follows link changes: rows that hang on a port come and go with it, and watchers are notified.
func (n *Node) startWatching() error {
	events, err := follow(n.ns.fd(), unix.NETLINK_ROUTE, rtnl.GroupLink)
	if err != nil {
		return err
	}
	n.events = events
	lo, err := n.loopback()
	if err != nil {
		return err
	}
	if n.tunnels, err = openCarriers(n.ns.fd(), lo); err != nil {
		return err
	}
	if err := n.tunnels.lookAnew(); err != nil { // a carrier may have gone while no agent lived
		return err
	}
	if err := n.watch.Publish(n.Ports); err != nil {
		return err
	}
	n.running.Go(n.followLinks)
	return nil
}

// followLinks ends when the events socket is closed. Tunnels come first, as packets wait for them.
func (n *Node) followLinks() {
	for {
		messages, err := n.events.Receive()
		if n.closing.Load() {
			return
		}
		if err != nil && !errors.Is(err, unix.ENOBUFS) {
			n.options.Log("link events of network namespace %s end: %v", n.ns.name, err)
			return
		}
		lost := n.lostCarriers(messages, err != nil)
		n.mu.Lock()
		if n.removed {
			n.mu.Unlock()
			return
		}
		n.restoring.lost(lost)
		err = n.refreshPorts()
		n.mu.Unlock()
		if err == nil {
			err = n.watch.Publish(n.Ports)
		}
		if err != nil {
			n.options.Log("after a link change: %v", err)
		}
	}
}

// lostCarriers has tunnels follow carrier events. After too many events at once (ENOBUFS) the kernel is asked.
func (n *Node) lostCarriers(messages []netlink.Message, tooMany bool) []int {
	now, err := rtnl.CarriersOf(messages)
	if tooMany {
		now, err = n.tunnels.conn.Carriers()
	}
	lost := n.tunnels.lost(now)
	if err != nil {
		n.options.Log("it is unknown which interfaces have lost their carrier: %v", err)
	}
	if len(lost) > 0 || err != nil {
		if err := n.tunnels.lookAnew(); err != nil {
			n.options.Log("%v", err)
		}
	}
	return lost
}

// setPorts takes over the found ports. Called with mu held.
func (n *Node) setPorts(now map[contract.PortID]portState) {
	n.ports = now
	exits := map[contract.PortID]punt.Exit{}
	for id, state := range now {
		exits[id] = punt.Exit{Name: n.options.Ports[id], Index: state.Index, Up: state.Up}
	}
	n.exits.Set(exits)
}

// refreshPorts looks at the ports and reconciles everything that depends on them. Called with mu held.
func (n *Node) refreshPorts() error {
	if n.removed {
		return contract.Errorf(contract.FailedPrecondition, "the agent has been uninstalled from network namespace %s", n.ns.name)
	}
	links, err := n.readLinks()
	if err != nil {
		return err
	}
	found := n.portsOf(links)
	changed := map[contract.PortID]bool{}
	now, before := states(found), n.ports
	n.restoring.look(found, now)
	n.setPorts(now)
	errs := []error{n.edge.Keep(plane.Seen{Ports: true})} // a new port lets packets in already
	for id, state := range now {
		if state.sameDevice(before[id]) {
			continue
		}
		changed[id] = true
		if state.Index != 0 && state.Index != before[id].Index {
			errs = append(errs, n.ns.set(portSettings(n.options.Ports[id])))
		}
	}
	if n.devices.intactIn(links) {
		errs = append(errs, n.setPairMTU(smallestMTU(found)))
	} else {
		n.options.Log("the devices %s and %s of network namespace %s were taken down or deleted; they are made again", sidDevice, steeringDevice, n.ns.name)
		errs = append(errs, n.ensurePair(smallestMTU(found)))
		errs = append(errs, n.restore(n.rows.Keys()))
	}
	if len(changed) > 0 {
		n.announce(changed)
	}
	maps.Copy(changed, newlyHeld(before, now))
	if len(changed) > 0 {
		errs = append(errs, n.restore(n.hangingOn(changed)))
	}
	errs = append(errs, n.each(func(p plane.Plane) error { return p.Keep(plane.Seen{Ports: true}) }))
	return errors.Join(errs...)
}

// WatchPorts notifies of changes of ports, though not of their counters alone. A slow reader gets the latest state of
// each port, not every state between. The channel is closed when ctx ends.
func (n *Node) WatchPorts(ctx context.Context) (<-chan contract.Port, error) {
	return n.watch.Subscribe(ctx)
}
