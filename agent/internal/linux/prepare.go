// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	linklib "github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
)

// The node's own device pair. It carries no packets: routes need a device, and these two are always up.
const (
	sidDevice      = "sextant0"
	steeringDevice = "sextant1"
)

type devicePair struct {
	sid, steering int // ifindex
	mtuBytes      int
}

// intactIn reports whether the pair is the same as when it was made.
func (p devicePair) intactIn(links map[string]linklib.Link) bool {
	for name, index := range map[string]int{sidDevice: p.sid, steeringDevice: p.steering} {
		l, ok := links[name]
		if !ok || l.Attrs().Index != index || l.Attrs().RawFlags&unix.IFF_UP == 0 {
			return false
		}
	}
	return true
}

func (devicePair) steeringName() string { return steeringDevice }

// nodeSettings are the sysctls of the namespace, and why: forwarding, because a node forwards; no seg6_enabled, which
// SIDs, as routes of seg6local, do not need (seen on 6.18), and with which any sender of an SRH to any address of the
// node has it carried out; no strict reverse path check, because a packet of a tunnel has its inner source; hashing
// over the flow (for IPv6 by chosen fields, which see the inner headers of encapsulated packets), because otherwise all
// flows between two hosts take one member.
func nodeSettings() []sysctl {
	return []sysctl{
		{"ipv4/ip_forward", "1"},
		{"ipv6/conf/all/forwarding", "1"},
		{"ipv6/conf/all/seg6_enabled", "0"},
		{"ipv6/conf/default/seg6_enabled", "0"},
		{"ipv4/conf/all/rp_filter", "0"},
		{"ipv4/conf/default/rp_filter", "0"},
		{"ipv4/fib_multipath_hash_policy", "1"},
		{"ipv6/fib_multipath_hash_policy", "3"},
		{"ipv6/fib_multipath_hash_fields", hashFields},
	}
}

// hashFields: outer and inner addresses, protocols and ports; no flow labels, which a sender may
// change within a connection (Documentation/networking/ip-sysctl, fib_multipath_hash_fields).
const hashFields = "3575" // 0x0df7

// portSettings are the sysctls of each port: a link without carrier must not attract traffic, and an
// interface that is taken down and up again keeps the addresses an operator gave it.
func portSettings(name string) []sysctl {
	return []sysctl{
		{"ipv6/conf/" + name + "/seg6_enabled", "0"},
		{"ipv6/conf/" + name + "/forwarding", "1"},
		{"ipv6/conf/" + name + "/ignore_routes_with_linkdown", "1"},
		{"ipv6/conf/" + name + "/keep_addr_on_down", "1"},
		{"ipv4/conf/" + name + "/rp_filter", "0"},
		{"ipv4/conf/" + name + "/ignore_routes_with_linkdown", "1"},
	}
}

// pairSettings keep the pair silent: no addresses, no neighbour discovery (and no multicast, by a flag).
func pairSettings(name string) []sysctl {
	return []sysctl{
		{"ipv6/conf/" + name + "/addr_gen_mode", "1"},
		{"ipv6/conf/" + name + "/accept_dad", "0"},
		{"ipv6/conf/" + name + "/forwarding", "1"},
		{"ipv6/conf/" + name + "/seg6_enabled", "0"},
		{"ipv4/conf/" + name + "/rp_filter", "0"},
	}
}

// prepare makes the namespace a node: sysctls, the loopback up, the device pair, the ports found.
func (n *Node) prepare() error {
	if err := n.ns.set(nodeSettings()); err != nil {
		return fmt.Errorf("prepare network namespace %s: %w", n.ns.name, err)
	}
	if err := n.setUp("lo"); err != nil {
		return err
	}
	links, err := n.readLinks()
	if err != nil {
		return err
	}
	found := n.portsOf(links)
	for _, id := range slices.Sorted(maps.Keys(n.options.Ports)) {
		name := n.options.Ports[id]
		if id == 0 || id > contract.MaxPort {
			return contract.Errorf(contract.InvalidArgument, "port %d=%s: port numbers are 1 to %d", id, name, contract.MaxPort)
		}
		if found[id].Index == 0 {
			return &contract.Error{
				Code:    contract.FailedPrecondition,
				Message: fmt.Sprintf("port %d: network namespace %s has no interface %q", id, n.ns.name, name),
				Remedy:  "make the interface first, or correct --port",
			}
		}
		if err := n.ns.set(portSettings(name)); err != nil {
			return fmt.Errorf("prepare port %d: %w", id, err)
		}
	}
	n.setPorts(states(found))
	return n.ensurePair(smallestMTU(found))
}

func isUp(l linklib.Link) bool { return l.Attrs().RawFlags&unix.IFF_UP != 0 }

func (n *Node) setUp(name string) error {
	l, err := n.links.LinkByName(name)
	if err != nil {
		return fmt.Errorf("find interface %s in network namespace %s: %w", name, n.ns.name, err)
	}
	if isUp(l) {
		return nil
	}
	if err := n.links.LinkSetUp(l); err != nil {
		return fmt.Errorf("set interface %s up: %w", name, err)
	}
	return nil
}

// ensurePair makes the device pair, or adopts it as it stands.
func (n *Node) ensurePair(mtu int) error {
	if _, err := n.links.LinkByName(sidDevice); err != nil {
		var notFound linklib.LinkNotFoundError
		if !errors.As(err, &notFound) {
			return fmt.Errorf("find %s: %w", sidDevice, err)
		}
		pair := &linklib.Veth{LinkAttrs: linklib.LinkAttrs{Name: sidDevice, MTU: mtu}, PeerName: steeringDevice, PeerMTU: uint32(mtu)}
		if err := n.links.LinkAdd(pair); err != nil {
			return fmt.Errorf("make the device pair %s and %s (a veth): %w", sidDevice, steeringDevice, err)
		}
	}
	for _, name := range []string{sidDevice, steeringDevice} {
		l, err := n.links.LinkByName(name)
		if err != nil {
			return fmt.Errorf("find %s: %w", name, err)
		}
		if l.Type() != "veth" {
			return contract.Errorf(contract.FailedPrecondition, "%s is a %s, not the agent's veth; rename or delete it", name, l.Type())
		}
		if err := n.silence(l); err != nil {
			return err
		}
		if name == sidDevice {
			n.devices.sid = l.Attrs().Index
		} else {
			n.devices.steering = l.Attrs().Index
		}
	}
	n.devices.mtuBytes = 0
	return n.setPairMTU(mtu)
}

// setPairMTU keeps the pair as narrow as the narrowest port: a sender on this node may use the MTU of its routes, less
// the SRH.
func (n *Node) setPairMTU(mtu int) error {
	if mtu == 0 || mtu == n.devices.mtuBytes {
		return nil
	}
	for _, name := range []string{sidDevice, steeringDevice} {
		l, err := n.links.LinkByName(name)
		if err != nil {
			return fmt.Errorf("find %s: %w", name, err)
		}
		if l.Attrs().MTU == mtu {
			continue
		}
		if err := n.links.LinkSetMTU(l, mtu); err != nil {
			return fmt.Errorf("set the MTU of %s to %d: %w", name, mtu, err)
		}
	}
	n.devices.mtuBytes = mtu
	return nil
}

// silence prepares a device of the agent's own and sets it up.
func (n *Node) silence(l linklib.Link) error {
	name := l.Attrs().Name
	if isUp(l) {
		return nil
	}
	if err := n.ns.set(pairSettings(name)); err != nil {
		return fmt.Errorf("prepare %s: %w", name, err)
	}
	if err := errors.Join(n.links.LinkSetMulticastOff(l), n.links.LinkSetUp(l)); err != nil {
		return fmt.Errorf("set %s up: %w", name, err)
	}
	return nil
}
