// SPDX-License-Identifier: Apache-2.0

package rtnl

import (
	"encoding/binary"
	"fmt"
	"net/netip"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// An Address of an interface. Protocol says whose it is (kernel 5.18 and newer).
type Address struct {
	Dev      int
	Prefix   netip.Prefix
	Protocol uint8
}

const ifaddrmsgBytes = 8

func (a Address) marshal() ([]byte, error) {
	msg := make([]byte, ifaddrmsgBytes)
	msg[0], msg[1] = family(a.Prefix.Addr()), byte(a.Prefix.Bits())
	binary.NativeEndian.PutUint32(msg[4:], uint32(a.Dev))
	ae := netlink.NewAttributeEncoder()
	ae.Bytes(ifaLocal, a.Prefix.Addr().AsSlice())
	ae.Bytes(ifaAddress, a.Prefix.Addr().AsSlice())
	ae.Uint32(ifaFlags, unix.IFA_F_NODAD)
	ae.Uint8(ifaProto, a.Protocol)
	attrs, err := ae.Encode()
	if err != nil {
		return nil, fmt.Errorf("encode address %s: %w", a.Prefix, err)
	}
	return append(msg, attrs...), nil
}

func unmarshalAddress(b []byte) (Address, error) {
	if len(b) < ifaddrmsgBytes {
		return Address{}, fmt.Errorf("decode address: %d bytes are no ifaddrmsg", len(b))
	}
	a := Address{Dev: int(int32(binary.NativeEndian.Uint32(b[4:])))}
	ad, err := netlink.NewAttributeDecoder(b[ifaddrmsgBytes:])
	if err != nil {
		return Address{}, fmt.Errorf("decode address attributes: %w", err)
	}
	var local, address netip.Addr
	for ad.Next() {
		switch ad.Type() {
		case ifaLocal: // the node's own one where a peer has an address too
			local, err = addrOf(ad.Bytes(), len(ad.Bytes()))
		case ifaAddress:
			address, err = addrOf(ad.Bytes(), len(ad.Bytes()))
		case ifaProto:
			a.Protocol = ad.Uint8()
		}
		if err != nil {
			return Address{}, fmt.Errorf("decode address: %w", err)
		}
	}
	if err := ad.Err(); err != nil {
		return Address{}, fmt.Errorf("decode address: %w", err)
	}
	if !local.IsValid() {
		local = address
	}
	a.Prefix = netip.PrefixFrom(local, int(b[1]))
	return a, nil
}
