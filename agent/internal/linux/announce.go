// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"encoding/binary"
	"net/netip"

	linklib "github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/netspace"
)

// announce sends the MAC address of the ports' addresses to their links. A host that keeps the one that this node had
// before it was rebooted with other interfaces goes on sending there: for seconds if it happens to ask, else for
// minutes (RFC 4861, 7.2.6; RFC 5227, 2.3). Nothing waits for it, so a message that cannot be sent is only logged.
// Called with mu held.
func (n *Node) announce(ports map[contract.PortID]bool) {
	addresses, err := netspace.Whole(func() ([]linklib.Addr, error) { return n.links.AddrList(nil, unix.AF_UNSPEC) })
	if err != nil {
		n.options.Log("addresses are not announced: %v", err)
		return
	}
	for id := range ports {
		state := n.ports[id]
		if state.Index == 0 || !state.Up {
			continue
		}
		for _, a := range addresses {
			address, ok := netip.AddrFromSlice(a.IP)
			if !ok || a.LinkIndex != state.Index || a.Flags&unix.IFA_F_TENTATIVE != 0 {
				continue
			}
			if err := n.punts.Send(context.Background(), state.Index, announcement(address.Unmap(), state.MAC)); err != nil {
				n.options.Log("address %s of port %d is not announced: %v", address, id, err)
			}
		}
	}
}

// announcement is a frame of which every host on the link takes note that knows the address already.
func announcement(address netip.Addr, mac [6]byte) []byte {
	if address.Is4() {
		return arpAnnouncement(address, mac)
	}
	return neighborAdvertisement(address, mac)
}

// arpAnnouncement is a request for the address that has it as its sender's, too (RFC 5227, 2.3).
func arpAnnouncement(address netip.Addr, mac [6]byte) []byte {
	f := append([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, mac[:]...)
	f = append(f, 0x08, 0x06, 0, 1, 0x08, 0x00, 6, 4, 0, 1)
	f = append(append(f, mac[:]...), address.AsSlice()...)
	return append(append(f, make([]byte, 6)...), address.AsSlice()...)
}

// neighborAdvertisement goes to all nodes, of a router, and overrides their entries (RFC 4861, 4.4).
func neighborAdvertisement(address netip.Addr, mac [6]byte) []byte {
	const router, override, hopLimit = 0x80, 0x20, 255
	allNodes := netip.MustParseAddr("ff02::1")
	icmp := []byte{136, 0, 0, 0, router | override, 0, 0, 0}
	icmp = append(append(icmp, address.AsSlice()...), 2, 1) // target link-layer address, in units of 8 bytes
	icmp = append(icmp, mac[:]...)
	pseudo := append(append([]byte{}, address.AsSlice()...), allNodes.AsSlice()...)
	pseudo = binary.BigEndian.AppendUint32(pseudo, uint32(len(icmp)))
	pseudo = append(pseudo, 0, 0, 0, unix.IPPROTO_ICMPV6)
	binary.BigEndian.PutUint16(icmp[2:], internetChecksum(append(pseudo, icmp...)))

	f := append([]byte{0x33, 0x33, 0, 0, 0, 1}, mac[:]...)
	f = append(f, 0x86, 0xdd, 0x60, 0, 0, 0)
	f = append(binary.BigEndian.AppendUint16(f, uint16(len(icmp))), unix.IPPROTO_ICMPV6, hopLimit)
	f = append(append(f, address.AsSlice()...), allNodes.AsSlice()...)
	return append(f, icmp...)
}
