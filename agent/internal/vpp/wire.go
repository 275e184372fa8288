// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"net/netip"

	"go.fd.io/govpp/binapi/ip_types"
)

// Addresses as VPP's API writes them, and back.

func address(a netip.Addr) ip_types.Address {
	var out ip_types.Address
	if a.Is4() {
		out.Af = ip_types.ADDRESS_IP4
		out.Un.SetIP4(a.As4())
		return out
	}
	out.Af = ip_types.ADDRESS_IP6
	if a.IsValid() {
		out.Un.SetIP6(a.As16())
	}
	return out
}

func prefix(p netip.Prefix) ip_types.Prefix {
	return ip_types.Prefix{Address: address(p.Addr()), Len: uint8(p.Bits())}
}

func sixteen(a netip.Addr) ip_types.IP6Address {
	if !a.IsValid() {
		return ip_types.IP6Address{}
	}
	return a.As16()
}

func addressFrom(a ip_types.Address) netip.Addr {
	if a.Af == ip_types.ADDRESS_IP4 {
		return netip.AddrFrom4(a.Un.GetIP4())
	}
	return netip.AddrFrom16(a.Un.GetIP6())
}

func prefixFrom(p ip_types.Prefix) netip.Prefix {
	return netip.PrefixFrom(addressFrom(p.Address), int(p.Len))
}
