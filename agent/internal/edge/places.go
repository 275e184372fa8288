// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"slices"

	linklib "github.com/vishvananda/netlink"

	"sextant/agent/internal/contract"
)

// placesOf returns the interfaces where packets are judged, by index, with their roles as in bpf/edge.h: where a port
// with a role is, and where no port is, since the kernel routes packets that come in there as well.
func placesOf(
	links []linklib.Link, ports map[contract.PortID]int, roles map[contract.PortID]uint32, own func(device string) bool,
) map[uint32]uint32 {
	byIndex := map[int]linklib.Link{}
	for _, l := range links {
		byIndex[l.Attrs().Index] = l
	}
	places := map[uint32]uint32{}
	isPort := map[int]bool{}
	for port, index := range ports {
		isPort[index] = true
		if roles[port] != 0 && index != 0 {
			places[uint32(index)] = uint32(port) | bareness(byIndex[index])
		}
	}
	beneath := belowPorts(isPort, byIndex)
	for index, l := range byIndex {
		if !isPort[index] && !beneath[index] && !own(l.Attrs().Name) && isJudged(l, byIndex) {
			places[uint32(index)] = uint32(noPort) | bareness(l)
		}
	}
	return places
}

// isJudged: packets at other interfaces are judged where they came in before, or where they go to from there.
func isJudged(l linklib.Link, all map[int]linklib.Link) bool {
	switch l.Type() {
	case "vlan", "vrf": // of which the packets come in at another device
		return false
	}
	if l.Attrs().EncapType == "loopback" {
		return false
	}
	master := all[l.Attrs().MasterIndex] // a bridge's or a bond's packets are judged as those of the bridge, or the bond
	return l.Attrs().MasterIndex == 0 || master != nil && master.Type() == "vrf"
}

// belowPorts are the devices whose frames are those of ports with addresses of their own above them.
func belowPorts(isPort map[int]bool, all map[int]linklib.Link) map[int]bool {
	below := map[int]bool{}
	for index := range isPort {
		for l := all[index]; l != nil && slices.Contains([]string{"macvlan", "macvtap", "ipvlan", "ipvtap", "macsec"}, l.Type()); l = all[l.Attrs().ParentIndex] {
			below[l.Attrs().ParentIndex] = true
		}
	}
	return below
}

// bareness is of an interface whose packets come in without a link layer.
func bareness(l linklib.Link) uint32 {
	if l == nil || l.Attrs().EncapType == "ether" || l.Attrs().EncapType == "loopback" {
		return 0
	}
	return bare
}
