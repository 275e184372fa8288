// SPDX-License-Identifier: Apache-2.0

package rtnl

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// Conn is a route netlink socket of one namespace. It is not safe for concurrent use.
type Conn struct{ nl *netlink.Conn }

// receiveBufferBytes holds the answers to a write: the route as the kernel echoes it, and the
// acknowledgement. A dump is paced by the kernel and needs no room.
const receiveBufferBytes = 1 << 20

// Dial opens a socket in the namespace of the descriptor, or in the current one when it is 0.
func Dial(netns int) (*Conn, error) {
	nl, err := netlink.Dial(unix.NETLINK_ROUTE, &netlink.Config{NetNS: netns, Strict: true})
	if err != nil {
		return nil, fmt.Errorf("open route netlink: %w", err)
	}
	if err := nl.SetReadBuffer(receiveBufferBytes); err != nil {
		return nil, errors.Join(fmt.Errorf("size route netlink buffer: %w", err), nl.Close())
	}
	return &Conn{nl}, nil
}

// Close ends the socket.
func (c *Conn) Close() error { return c.nl.Close() }

// SetRoute writes a route and gives it back as the kernel holds it: the kernel fills the echo (NLM_F_ECHO) from its own
// table, after dropping attributes that it ignores. With replace an existing route of the same table, destination and
// metric is exchanged atomically, without it that is EEXIST.
func (c *Conn) SetRoute(r Route, replace bool) (Route, error) {
	b, err := r.marshal()
	if err != nil {
		return Route{}, err
	}
	flags := netlink.Create | netlink.Excl
	if replace {
		flags = netlink.Create | netlink.Replace
	}
	answers, err := c.insist(unix.RTM_NEWROUTE, flags|netlink.Echo, b)
	if err != nil {
		return Route{}, err
	}
	for _, m := range answers {
		if m.Header.Type == unix.RTM_NEWROUTE {
			return unmarshalRoute(m.Data)
		}
	}
	return c.find(r) // an IPv4 route that was there exactly so is not echoed
}

// find reads one route by its identity.
func (c *Conn) find(r Route) (Route, error) {
	routes, err := c.Routes(family(r.Dst.Addr()), Filter{Table: r.Table, Protocol: r.Protocol})
	if err != nil {
		return Route{}, err
	}
	for _, got := range routes {
		if got.Dst == r.Dst && got.Metric == r.Metric {
			return got, nil
		}
	}
	return Route{}, fmt.Errorf("the kernel accepted route %s and does not show it", r.Dst)
}

// DeleteRoute deletes the route of this table, destination, metric and protocol; ESRCH if there is none.
func (c *Conn) DeleteRoute(r Route) error {
	r.Hops = nil
	b, err := r.marshal()
	if err != nil {
		return err
	}
	_, err = c.exchange(unix.RTM_DELROUTE, 0, b)
	return err
}

// Filter selects routes of a dump; 0 selects all.
type Filter struct {
	Table    uint32
	Protocol uint8
}

// Routes dumps the routes of a family (unix.AF_INET, unix.AF_INET6); the kernel does the filtering.
func (c *Conn) Routes(family byte, f Filter) ([]Route, error) {
	msg := make([]byte, rtmsgBytes)
	msg[0], msg[5] = family, f.Protocol
	ae := netlink.NewAttributeEncoder()
	if f.Table != 0 {
		ae.Uint32(rtaTable, f.Table)
	}
	attrs, err := ae.Encode()
	if err != nil {
		return nil, fmt.Errorf("encode route filter: %w", err)
	}
	answers, err := c.dump(unix.RTM_GETROUTE, append(msg, attrs...))
	if err != nil {
		if f.Table != 0 && errors.Is(err, unix.ENOENT) { // strict dumps refuse a table that was never used
			return nil, nil
		}
		return nil, fmt.Errorf("dump routes: %w", err)
	}
	var routes []Route
	for _, m := range answers {
		if m.Header.Type != unix.RTM_NEWROUTE {
			continue
		}
		r, err := unmarshalRoute(m.Data)
		if err != nil {
			return nil, err
		}
		if f.Protocol == 0 || r.Protocol == f.Protocol {
			routes = append(routes, r)
		}
	}
	return routes, nil
}

// SetNeighbor writes a permanent neighbour and gives it back as the kernel holds it.
func (c *Conn) SetNeighbor(n Neighbor) (Neighbor, error) {
	b, err := n.marshal()
	if err != nil {
		return Neighbor{}, err
	}
	if _, err := c.exchange(unix.RTM_NEWNEIGH, netlink.Create|netlink.Replace, b); err != nil {
		return Neighbor{}, err
	}
	if b, err = n.marshalKey(); err != nil {
		return Neighbor{}, err
	}
	answers, err := c.exchange(unix.RTM_GETNEIGH, 0, b)
	if err != nil {
		return Neighbor{}, fmt.Errorf("read neighbour %s back: %w", n.Addr, err)
	}
	for _, m := range answers {
		if m.Header.Type == unix.RTM_NEWNEIGH {
			return unmarshalNeighbor(m.Data)
		}
	}
	return Neighbor{}, fmt.Errorf("the kernel does not show neighbour %s", n.Addr)
}

// DeleteNeighbor deletes by device and address; ENOENT if there is none.
func (c *Conn) DeleteNeighbor(n Neighbor) error {
	b, err := n.marshalKey()
	if err != nil {
		return err
	}
	_, err = c.exchange(unix.RTM_DELNEIGH, 0, b)
	return err
}

// Neighbors dumps the neighbour table of a family.
func (c *Conn) Neighbors(family byte) ([]Neighbor, error) {
	msg := make([]byte, ndmsgBytes)
	msg[0] = family
	answers, err := c.dump(unix.RTM_GETNEIGH, msg)
	if err != nil {
		return nil, fmt.Errorf("dump neighbours: %w", err)
	}
	return decodeAll(answers, unix.RTM_NEWNEIGH, unmarshalNeighbor)
}

// AddAddress puts an address on an interface; EEXIST if it is there.
func (c *Conn) AddAddress(a Address) error {
	b, err := a.marshal()
	if err != nil {
		return err
	}
	_, err = c.exchange(unix.RTM_NEWADDR, netlink.Create|netlink.Excl, b)
	return err
}

// DeleteAddress takes an address off an interface; EADDRNOTAVAIL if it is not there.
func (c *Conn) DeleteAddress(dev int, p netip.Prefix) error {
	b, err := Address{Dev: dev, Prefix: p}.marshal()
	if err != nil {
		return err
	}
	_, err = c.exchange(unix.RTM_DELADDR, 0, b)
	return err
}

// Addresses dumps the addresses of a family on all interfaces.
func (c *Conn) Addresses(family byte) ([]Address, error) {
	msg := make([]byte, ifaddrmsgBytes)
	msg[0] = family
	answers, err := c.dump(unix.RTM_GETADDR, msg)
	if err != nil {
		return nil, fmt.Errorf("dump addresses: %w", err)
	}
	return decodeAll(answers, unix.RTM_NEWADDR, unmarshalAddress)
}

func decodeAll[T any](answers []netlink.Message, kind netlink.HeaderType, decode func([]byte) (T, error)) ([]T, error) {
	var out []T
	for _, m := range answers {
		if m.Header.Type != kind {
			continue
		}
		v, err := decode(m.Data)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// dumpAttempts bounds repeating a dump that others keep changing.
const dumpAttempts = 10

// dump reads all objects of a kind. When others change the table meanwhile, the kernel marks the dump
// as inconsistent, and it is read again; the last one is taken as it is.
func (c *Conn) dump(kind netlink.HeaderType, data []byte) (answers []netlink.Message, err error) {
	for range dumpAttempts {
		answers, err = c.nl.Execute(netlink.Message{
			Header: netlink.Header{Type: kind, Flags: netlink.Request | netlink.Dump},
			Data:   data,
		})
		if err != nil || !slices.ContainsFunc(answers, interrupted) {
			break
		}
	}
	return answers, err
}

func interrupted(m netlink.Message) bool { return m.Header.Flags&netlink.DumpInterrupted != 0 }

// exchange sends a request and collects the messages before its acknowledgement. A refusal keeps the kernel's own words
// (extended acknowledgement) and errno.
func (c *Conn) exchange(kind netlink.HeaderType, flags netlink.HeaderFlags, data []byte) ([]netlink.Message, error) {
	_, err := c.nl.Send(netlink.Message{
		Header: netlink.Header{Type: kind, Flags: netlink.Request | netlink.Acknowledge | flags},
		Data:   data,
	})
	if err != nil {
		return nil, fmt.Errorf("send to kernel: %w", err)
	}
	var answers []netlink.Message
	for {
		messages, err := c.nl.Receive()
		if err != nil {
			return nil, kernelError(err)
		}
		for _, m := range messages {
			if m.Header.Type == netlink.Error {
				return answers, nil
			}
			answers = append(answers, m)
		}
	}
}

// Bounds of waiting for memory.
const (
	firstWait = time.Millisecond
	lastWait  = 512 * time.Millisecond
)

// insist repeats an exchange that fails for want of memory. A seg6 route needs per-CPU memory without sleeping
// (dst_cache_init, GFP_ATOMIC), of which a burst of routes uses up the prepared part; the kernel prepares more within
// milliseconds (seen on 6.18 after some 4,000 routes). A lack that lasts a second is real.
func (c *Conn) insist(kind netlink.HeaderType, flags netlink.HeaderFlags, data []byte) ([]netlink.Message, error) {
	for wait := firstWait; ; wait *= 2 {
		answers, err := c.exchange(kind, flags, data)
		if !errors.Is(err, unix.ENOMEM) || wait > lastWait {
			return answers, err
		}
		time.Sleep(wait)
	}
}

// kernelError puts the kernel's sentence before its errno.
func kernelError(err error) error {
	var op *netlink.OpError
	if !errors.As(err, &op) {
		return err
	}
	if op.Message != "" {
		return fmt.Errorf("%s: %w", op.Message, op.Err)
	}
	return op.Err
}
