// SPDX-License-Identifier: Apache-2.0

package rtnl

import (
	"encoding/binary"
	"fmt"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// Carrier is the kernel's report of the carrier of an interface.
type Carrier struct {
	Dev    int
	Up     bool
	Losses uint32 // since the interface was made; one whose carrier was gone for a moment only has no other trace of it
}

// Carriers dumps those of all interfaces.
func (c *Conn) Carriers() ([]Carrier, error) {
	answers, err := c.dump(unix.RTM_GETLINK, make([]byte, unix.SizeofIfInfomsg))
	if err != nil {
		return nil, fmt.Errorf("dump interfaces: %w", err)
	}
	return CarriersOf(answers)
}

// CarriersOf reads the messages about interfaces that are there.
func CarriersOf(messages []netlink.Message) ([]Carrier, error) {
	return decodeAll(messages, unix.RTM_NEWLINK, unmarshalCarrier)
}

func unmarshalCarrier(b []byte) (Carrier, error) {
	if len(b) < unix.SizeofIfInfomsg {
		return Carrier{}, fmt.Errorf("decode interface: %d bytes are no ifinfomsg", len(b))
	}
	carrier := Carrier{
		Dev: int(int32(binary.NativeEndian.Uint32(b[4:]))),
		Up:  binary.NativeEndian.Uint32(b[8:])&unix.IFF_LOWER_UP != 0,
	}
	ad, err := netlink.NewAttributeDecoder(b[unix.SizeofIfInfomsg:])
	if err != nil {
		return Carrier{}, fmt.Errorf("decode interface %d: %w", carrier.Dev, err)
	}
	for ad.Next() {
		if ad.Type() == unix.IFLA_CARRIER_DOWN_COUNT {
			carrier.Losses = ad.Uint32()
		}
	}
	if err := ad.Err(); err != nil {
		return Carrier{}, fmt.Errorf("decode interface %d: %w", carrier.Dev, err)
	}
	return carrier, nil
}
