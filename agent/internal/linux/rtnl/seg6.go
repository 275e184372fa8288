// SPDX-License-Identifier: Apache-2.0

package rtnl

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// Seg6Conn is a generic netlink socket to the seg6 family of one namespace. It is not safe for
// concurrent use.
type Seg6Conn struct {
	nl     *netlink.Conn
	family netlink.HeaderType
}

// Commands and attributes of linux/seg6_genl.h and linux/genetlink.h.
const (
	seg6SetTunnelSource = 3
	seg6GetTunnelSource = 4
	seg6Dst             = 1
	seg6Version         = 1

	ctrlGetFamily  = 3
	ctrlFamilyID   = 1
	ctrlFamilyName = 2
	genlBytes      = 4
)

// DialSeg6 opens a socket in the namespace of the descriptor. Its error wraps ENOENT on a kernel
// without seg6.
func DialSeg6(netns int) (*Seg6Conn, error) {
	nl, err := netlink.Dial(unix.NETLINK_GENERIC, &netlink.Config{NetNS: netns, Strict: true})
	if err != nil {
		return nil, fmt.Errorf("open generic netlink: %w", err)
	}
	c := &Seg6Conn{nl: nl}
	if c.family, err = c.resolve("SEG6"); err != nil {
		return nil, errors.Join(fmt.Errorf("find the kernel's SEG6 family: %w", err), nl.Close())
	}
	return c, nil
}

// Close ends the socket.
func (c *Seg6Conn) Close() error { return c.nl.Close() }

// TunnelSource is the source address of outer headers; the unspecified one lets the kernel choose.
func (c *Seg6Conn) TunnelSource() (netip.Addr, error) {
	b, err := c.execute(c.family, seg6GetTunnelSource, 0, nil)
	if err != nil {
		return netip.Addr{}, fmt.Errorf("get the encapsulation source: %w", err)
	}
	return findAddr(b)
}

// SetTunnelSource changes it for everything the namespace encapsulates.
func (c *Seg6Conn) SetTunnelSource(a netip.Addr) error {
	_, err := c.execute(c.family, seg6SetTunnelSource, netlink.Acknowledge, func(ae *netlink.AttributeEncoder) {
		ae.Bytes(seg6Dst, a.AsSlice())
	})
	if err != nil {
		return fmt.Errorf("set the encapsulation source: %w", err)
	}
	return nil
}

func findAddr(b []byte) (netip.Addr, error) {
	ad, err := netlink.NewAttributeDecoder(b)
	if err != nil {
		return netip.Addr{}, fmt.Errorf("decode the encapsulation source: %w", err)
	}
	for ad.Next() {
		if ad.Type() == seg6Dst {
			return addrOf(ad.Bytes(), 16)
		}
	}
	return netip.Addr{}, errors.Join(errors.New("the kernel gave no encapsulation source"), ad.Err())
}

func (c *Seg6Conn) resolve(name string) (netlink.HeaderType, error) {
	b, err := c.execute(unix.GENL_ID_CTRL, ctrlGetFamily, 0, func(ae *netlink.AttributeEncoder) {
		ae.String(ctrlFamilyName, name)
	})
	if err != nil {
		return 0, err
	}
	ad, err := netlink.NewAttributeDecoder(b)
	if err != nil {
		return 0, err
	}
	for ad.Next() {
		if ad.Type() == ctrlFamilyID {
			return netlink.HeaderType(ad.Uint16()), ad.Err()
		}
	}
	return 0, unix.ENOENT
}

// execute sends a command and gives the attributes of the first answer.
func (c *Seg6Conn) execute(family netlink.HeaderType, command byte, flags netlink.HeaderFlags, attrs func(*netlink.AttributeEncoder)) ([]byte, error) {
	ae := netlink.NewAttributeEncoder()
	if attrs != nil {
		attrs(ae)
	}
	b, err := ae.Encode()
	if err != nil {
		return nil, err
	}
	answers, err := c.nl.Execute(netlink.Message{
		Header: netlink.Header{Type: family, Flags: netlink.Request | flags},
		Data:   append([]byte{command, seg6Version, 0, 0}, b...),
	})
	if err != nil {
		return nil, kernelError(err)
	}
	for _, m := range answers {
		if m.Header.Type == family && len(m.Data) >= genlBytes {
			return m.Data[genlBytes:], nil
		}
	}
	return nil, nil
}
