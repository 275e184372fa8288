// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
)

// foreignRoutes knows the routes of others that would go before the agent's: same table, same
// destination, metric not above the agent's highest. There are few, but finding them needs a full
// dump; so the dump is kept for as long as no notification tells of a change by anyone else. The
// notifications wait in the socket's buffer until the next batch looks: no goroutine, and no moment
// at which a change that was finished before a batch began is not yet seen.
type foreignRoutes struct {
	events *netlink.Conn
	known  bool
	routes map[tableDst]rtnl.Route // the one with the lowest metric
}

type tableDst struct {
	table uint32
	dst   netip.Prefix
}

// Groups of linux/rtnetlink.h.
const (
	rtnlgrpIPv4Route = 7
	rtnlgrpIPv6Route = 11
)

const eventBufferBytes = 4 << 20

func watchForeignRoutes(netns int) (*foreignRoutes, error) {
	events, err := netlink.Dial(unix.NETLINK_ROUTE, &netlink.Config{NetNS: netns})
	if err != nil {
		return nil, fmt.Errorf("open route events: %w", err)
	}
	err = errors.Join(events.SetReadBuffer(eventBufferBytes), events.JoinGroup(rtnlgrpIPv4Route), events.JoinGroup(rtnlgrpIPv6Route))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("follow route changes: %w", err), events.Close())
	}
	return &foreignRoutes{events: events}, nil
}

func (f *foreignRoutes) close() error { return f.events.Close() }

// drain reads what has happened, without waiting. A change by others, or more changes than fit,
// forgets the dump.
func (f *foreignRoutes) drain() error {
	raw, err := f.events.SyscallConn()
	if err != nil {
		return fmt.Errorf("read route changes: %w", err)
	}
	buffer := make([]byte, 1<<16)
	var failure error
	err = raw.Control(func(fd uintptr) {
		for failure == nil {
			size, _, err := unix.Recvfrom(int(fd), buffer, unix.MSG_DONTWAIT)
			switch {
			case errors.Is(err, unix.EAGAIN):
				return
			case errors.Is(err, unix.ENOBUFS):
				f.known = false
			case err != nil:
				failure = err
			case othersIn(buffer[:size]):
				f.known = false
			}
		}
	})
	if err := errors.Join(err, failure); err != nil {
		return fmt.Errorf("read route changes: %w", err)
	}
	return nil
}

// othersIn says whether any route message of a datagram has another protocol than the agent's.
func othersIn(b []byte) bool {
	const protocolAt = unix.NLMSG_HDRLEN + 5 // rtm_protocol
	for len(b) > protocolAt {
		if b[protocolAt] != Protocol {
			return true
		}
		size := (int(binary.NativeEndian.Uint32(b)) + 3) &^ 3
		if size < unix.NLMSG_HDRLEN || size > len(b) {
			return true // no message: look again to be sure
		}
		b = b[size:]
	}
	return false
}

// refuse says whether a foreign route stands in the way of one of the agent's.
func (f *foreignRoutes) refuse(conn *rtnl.Conn, key contract.Key, r rtnl.Route) error {
	if !f.known {
		if err := f.load(conn); err != nil {
			return err
		}
	}
	other, ok := f.routes[tableDst{r.Table, r.Dst}]
	if !ok || other.Metric > r.Metric {
		return nil
	}
	return &contract.Error{
		Code: contract.FailedPrecondition,
		Message: fmt.Sprintf("%s: table %d has a route to %s that is not the agent's (protocol %d, metric %d) and goes before it (metric %d)",
			key, r.Table, r.Dst, other.Protocol, other.Metric, r.Metric),
		Remedy: fmt.Sprintf("remove that route, or give it a metric above %d", r.Metric),
	}
}

func (f *foreignRoutes) load(conn *rtnl.Conn) error {
	f.routes = map[tableDst]rtnl.Route{}
	for _, family := range []byte{unix.AF_INET6, unix.AF_INET} {
		routes, err := conn.Routes(family, rtnl.Filter{})
		if err != nil {
			return err
		}
		for _, r := range routes {
			id := tableDst{r.Table, r.Dst}
			if r.Protocol == Protocol || r.Metric > metricRoute {
				continue
			}
			if other, ok := f.routes[id]; !ok || r.Metric < other.Metric {
				f.routes[id] = r
			}
		}
	}
	f.known = true
	return nil
}
