// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"errors"
	"fmt"
	"net/netip"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/linux/rtnl"
)

// A carriers has tunnels look their routes up anew when an interface has lost its carrier. The kernel looks a route up
// for each packet it forwards, and leaves out next hops without carrier; but a seg6 tunnel remembers the route of its
// outer packets (seg6_input_core, dst_cache) for as long as nothing is written into the FIB, and a lost carrier writes
// nothing (fib6_ifdown, seen in 6.18): packets that this node steers would be sent to a dead port for ever. An address
// that comes makes all that is remembered invalid (rt_genid_bump_ipv6), however many routes and tunnels there are, and
// goes again.
//
// It has a socket of its own and waits for nothing else: a batch may hold the node for longer than packets have time.
type carriers struct {
	conn     *rtnl.Conn
	loopback int
	known    map[int]rtnl.Carrier
}

// passing is the address that comes and goes. It is one of the block of next hops, beyond their 16 bits.
func passing() netip.Prefix { return netip.MustParsePrefix("fd5e:7e00::1:0/128") }

func openCarriers(netns, loopback int) (*carriers, error) {
	conn, err := rtnl.Dial(netns)
	if err != nil {
		return nil, err
	}
	now, err := conn.Carriers()
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	c := &carriers{conn: conn, loopback: loopback, known: map[int]rtnl.Carrier{}}
	c.lost(now)
	return c, nil
}

func (c *carriers) close() error { return c.conn.Close() }

// lost takes note of interfaces, and returns those that have lost their carrier since, though they may have it again:
// the kernel may report a short loss only when it is over. For an interface that is new it is not known that it had
// none.
func (c *carriers) lost(now []rtnl.Carrier) []int {
	var lost []int
	for _, carrier := range now {
		before, known := c.known[carrier.Dev]
		if !carrier.Up && (before.Up || !known) || known && carrier.Losses != before.Losses {
			lost = append(lost, carrier.Dev)
		}
		c.known[carrier.Dev] = carrier
	}
	return lost
}

// lookAnew invalidates the routes that tunnels remember. The address may be there still, of an agent that was killed in between.
// A program that manages the addresses of lo may have removed it by then.
func (c *carriers) lookAnew() error {
	err := c.conn.AddAddress(rtnl.Address{Dev: c.loopback, Prefix: passing(), Protocol: Protocol})
	if err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("have tunnels look their routes up anew: %w", err)
	}
	if err := c.conn.DeleteAddress(c.loopback, passing()); err != nil && !errors.Is(err, unix.EADDRNOTAVAIL) {
		return fmt.Errorf("take %s away again: %w", passing(), err)
	}
	return nil
}
