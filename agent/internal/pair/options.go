// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"net/netip"

	linklib "github.com/vishvananda/netlink"

	"sextant/agent/internal/rows"
	"sextant/agent/internal/tcx"
)

// Options says where a plane with programs works.
type Options struct {
	// Rows are the node's.
	Rows rows.Reader
	// Around returns the state that the plane depends on besides rows.
	Around func() (Around, error)
	// Links is a handle of the node's namespace, Do runs a function on a thread inside of it.
	Links *linklib.Handle
	Do    func(func() error) error
	// Pins are where programs are found again.
	Pins tcx.Pins
	// Prepare keeps a device of a pair silent, and lets the kernel route packets that arrive at it.
	Prepare func(name string) error
	Log     func(format string, args ...any)
}

// Around is the node's state besides its rows.
type Around struct {
	// Ports are interface indexes.
	Ports []int
	// Source of outer headers, and of ICMPv6 errors; not valid where there is none.
	Source netip.Addr
	// Own are addresses that the kernel takes itself.
	Own []netip.Prefix
	// StackIndex and StackMAC are a device whose arrivals the kernel routes.
	StackIndex int
	StackMAC   [6]byte
}
