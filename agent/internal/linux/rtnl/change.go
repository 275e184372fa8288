// SPDX-License-Identifier: Apache-2.0

package rtnl

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

// Groups of notifications, linux/rtnetlink.h.
const (
	GroupLink        = 1
	GroupNeighbor    = 3
	GroupIPv4Address = 5
	GroupIPv4Route   = 7
	GroupIPv4Rule    = 8
	GroupIPv6Address = 9
	GroupIPv6Route   = 11
	GroupIPv6Rule    = 19
)

// A Change is a notification: the new or deleted object, and the socket that changed it. One of Route, Neighbor,
// Address and Rule is set.
type Change struct {
	// PortID is the socket that asked for the change (Conn.PortID), 0 for the kernel itself.
	PortID   uint32
	Gone     bool
	Route    *Route
	Neighbor *Neighbor
	Address  *Address
	Rule     *Rule
}

// Changes reads a datagram of notifications. Kinds without a reader here are left out.
func Changes(b []byte) ([]Change, error) {
	var out []Change
	for len(b) > 0 {
		if len(b) < unix.NLMSG_HDRLEN {
			return out, fmt.Errorf("decode notification: %d bytes are no message", len(b))
		}
		size := int(binary.NativeEndian.Uint32(b))
		if size < unix.NLMSG_HDRLEN || size > len(b) {
			return out, fmt.Errorf("decode notification: a message of %d bytes in %d", size, len(b))
		}
		c, known, err := change(binary.NativeEndian.Uint16(b[4:]), b[unix.NLMSG_HDRLEN:size])
		if err != nil {
			return out, err
		}
		if known {
			c.PortID = binary.NativeEndian.Uint32(b[12:])
			out = append(out, c)
		}
		b = b[min((size+3)&^3, len(b)):]
	}
	return out, nil
}

func change(kind uint16, body []byte) (c Change, known bool, err error) {
	switch kind {
	case unix.RTM_NEWROUTE, unix.RTM_DELROUTE:
		r, err := unmarshalRoute(body)
		return Change{Gone: kind == unix.RTM_DELROUTE, Route: &r}, err == nil, err
	case unix.RTM_NEWNEIGH, unix.RTM_DELNEIGH:
		n, err := unmarshalNeighbor(body)
		return Change{Gone: kind == unix.RTM_DELNEIGH, Neighbor: &n}, err == nil, err
	case unix.RTM_NEWADDR, unix.RTM_DELADDR:
		a, err := unmarshalAddress(body)
		return Change{Gone: kind == unix.RTM_DELADDR, Address: &a}, err == nil, err
	case unix.RTM_NEWRULE, unix.RTM_DELRULE:
		r, err := unmarshalRule(body)
		return Change{Gone: kind == unix.RTM_DELRULE, Rule: &r}, err == nil, err
	}
	return Change{}, false, nil
}

// PortID is the number by which notifications name the changes of this connection.
func (c *Conn) PortID() (uint32, error) {
	raw, err := c.nl.SyscallConn()
	if err != nil {
		return 0, fmt.Errorf("name the netlink socket: %w", err)
	}
	var name unix.Sockaddr
	var failure error
	if err := raw.Control(func(fd uintptr) { name, failure = unix.Getsockname(int(fd)) }); err != nil {
		failure = err
	}
	own, ok := name.(*unix.SockaddrNetlink)
	if failure != nil || !ok {
		return 0, fmt.Errorf("name the netlink socket: %w", failure)
	}
	return own.Pid, nil
}
