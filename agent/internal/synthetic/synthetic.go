// SPDX-License-Identifier: Apache-2.0

// Package synthetic gives next hops addresses. A next hop of the contract is a port and two MAC addresses; kernels and
// VPP know neighbours by IP address. So each next hop gets one of its own with a static neighbour (ADR 2):
//
//	next_hop 258  ->  fd5e:7e00::102 and 169.254.1.2, both on PORT, MAC dst_mac
//
// The addresses exist inside the node only and never appear in a packet.
package synthetic

import (
	"net/netip"

	"sextant/agent/internal/contract"
)

// V6 is of a unique local prefix (RFC 4193); the next hop's id is the last 16 bits.
func V6(id contract.NextHopID) netip.Addr {
	return netip.AddrFrom16([16]byte{0xfd, 0x5e, 0x7e, 0x00, 14: byte(id >> 8), 15: byte(id)})
}

// V4 is a link-local address (RFC 3927) that ends in the next hop's id.
func V4(id contract.NextHopID) netip.Addr {
	return netip.AddrFrom4([4]byte{169, 254, byte(id >> 8), byte(id)})
}

// For gives the one of the family of an address.
func For(family netip.Addr, id contract.NextHopID) netip.Addr {
	if family.Is4() {
		return V4(id)
	}
	return V6(id)
}

// Is reports whether an address is of the ranges above, so that orphaned objects can be distinguished from foreign
// ones.
func Is(a netip.Addr) bool {
	if a.Is4() {
		return netip.PrefixFrom(V4(0), 16).Contains(a)
	}
	return netip.PrefixFrom(V6(0), 112).Contains(a)
}

// Range6 are the addresses that nodes use inside themselves: those above, of watched lists, and of VPP's policies. No packet goes
// to them.
func Range6() netip.Prefix { return netip.PrefixFrom(V6(0), 31) }

// Range4 is the same in IPv4.
func Range4() netip.Prefix { return netip.PrefixFrom(V4(0), 16) }

// Shares divides weights by their common divisor, as 100:300 is 1:3 and data planes hold small numbers only.
func Shares(weights []uint64) []uint64 {
	var common uint64
	for _, w := range weights {
		common = gcd(common, w)
	}
	shares := make([]uint64, len(weights))
	for i, w := range weights {
		shares[i] = w / common
	}
	return shares
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
