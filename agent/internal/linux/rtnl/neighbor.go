// SPDX-License-Identifier: Apache-2.0

package rtnl

import (
	"encoding/binary"
	"fmt"
	"net/netip"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// A Neighbor is a permanent entry of the neighbour table. Protocol says whose it is.
type Neighbor struct {
	Dev      int
	Addr     netip.Addr
	MAC      [6]byte
	Protocol uint8
	// Permanent is set by reading; neighbours that the agent writes always are.
	Permanent bool
}

const ndmsgBytes = 12

func (n Neighbor) marshal() ([]byte, error) {
	msg := make([]byte, ndmsgBytes)
	msg[0] = family(n.Addr)
	binary.NativeEndian.PutUint32(msg[4:], uint32(n.Dev))
	binary.NativeEndian.PutUint16(msg[8:], unix.NUD_PERMANENT)
	ae := netlink.NewAttributeEncoder()
	ae.Bytes(ndaDst, n.Addr.AsSlice())
	ae.Bytes(ndaLLAddr, n.MAC[:])
	ae.Uint8(ndaProtocol, n.Protocol)
	attrs, err := ae.Encode()
	if err != nil {
		return nil, fmt.Errorf("encode neighbour %s: %w", n.Addr, err)
	}
	return append(msg, attrs...), nil
}

// marshalKey names a neighbour for reading or deleting it.
func (n Neighbor) marshalKey() ([]byte, error) {
	msg := make([]byte, ndmsgBytes)
	msg[0] = family(n.Addr)
	binary.NativeEndian.PutUint32(msg[4:], uint32(n.Dev))
	ae := netlink.NewAttributeEncoder()
	ae.Bytes(ndaDst, n.Addr.AsSlice())
	attrs, err := ae.Encode()
	if err != nil {
		return nil, fmt.Errorf("encode neighbour %s: %w", n.Addr, err)
	}
	return append(msg, attrs...), nil
}

func unmarshalNeighbor(b []byte) (Neighbor, error) {
	if len(b) < ndmsgBytes {
		return Neighbor{}, fmt.Errorf("decode neighbour: %d bytes are no ndmsg", len(b))
	}
	n := Neighbor{
		Dev:       int(int32(binary.NativeEndian.Uint32(b[4:]))),
		Permanent: binary.NativeEndian.Uint16(b[8:])&unix.NUD_PERMANENT != 0,
	}
	ad, err := netlink.NewAttributeDecoder(b[ndmsgBytes:])
	if err != nil {
		return Neighbor{}, fmt.Errorf("decode neighbour attributes: %w", err)
	}
	for ad.Next() {
		switch ad.Type() {
		case ndaDst:
			if n.Addr, err = addrOf(ad.Bytes(), len(ad.Bytes())); err != nil {
				return Neighbor{}, fmt.Errorf("decode neighbour: %w", err)
			}
		case ndaLLAddr:
			copy(n.MAC[:], ad.Bytes())
		case ndaProtocol:
			n.Protocol = ad.Uint8()
		}
	}
	if err := ad.Err(); err != nil {
		return Neighbor{}, fmt.Errorf("decode neighbour: %w", err)
	}
	return n, nil
}
