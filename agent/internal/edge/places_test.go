// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"maps"
	"slices"
	"strings"
	"testing"

	linklib "github.com/vishvananda/netlink"

	"sextant/agent/internal/contract"
)

// device of a namespace; master and parent are indexes.
func device(index int, name, kind, encapsulation string, master, parent int) linklib.Link {
	attrs := linklib.LinkAttrs{Index: index, Name: name, EncapType: encapsulation, MasterIndex: master, ParentIndex: parent}
	return &linklib.GenericLink{LinkAttrs: attrs, LinkType: kind}
}

func TestEveryPacketIsJudgedOnce(t *testing.T) {
	links := []linklib.Link{
		device(1, "lo", "device", "loopback", 0, 0),
		device(2, "p1", "device", "ether", 0, 0),
		device(3, "p2", "device", "ether", 0, 0), // a port without a role
		device(4, "eth0", "device", "ether", 0, 0),
		device(5, "sextant0", "veth", "ether", 0, 0),
		device(6, "br0", "bridge", "ether", 0, 0),
		device(7, "m1", "veth", "ether", 6, 0),
		device(8, "v7", "vrf", "ether", 0, 0),
		device(9, "m2", "veth", "ether", 8, 0),
		device(10, "eth0.5", "vlan", "ether", 0, 4),
		device(11, "eth1", "device", "ether", 0, 0), // beneath a port
		device(12, "p3", "macvlan", "ether", 0, 11),
		device(13, "wg0", "wireguard", "none", 0, 0),
		device(14, "p4", "ip6tnl", "tunnel6", 0, 0),
		device(15, "bond0", "bond", "ether", 0, 0), // a port, whose frames come by another
		device(16, "eth2", "device", "ether", 15, 0),
	}
	ports := map[contract.PortID]int{1: 2, 2: 3, 3: 12, 4: 14, 5: 15, 6: 0}
	roles := map[contract.PortID]uint32{1: roleExternal, 3: roleExternal, 4: roleInternal, 5: roleInternal, 6: roleExternal}
	got := placesOf(links, ports, roles, func(name string) bool { return strings.HasPrefix(name, "sextant") })
	want := map[uint32]uint32{2: 1, 12: 3, 14: 4 | bare, 15: 5, 4: 0, 6: 0, 9: 0, 13: bare}
	if !maps.Equal(got, want) {
		t.Errorf("judged at %v, want %v; at %v", got, want, slices.Sorted(maps.Keys(got)))
	}
}
