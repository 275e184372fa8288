// SPDX-License-Identifier: Apache-2.0

package rtnl

import (
	"errors"
	"fmt"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// batchBytes of messages go to the kernel at once; it carries them out one after the other within the call.
const batchBytes = 32 << 10

// ReplaceRoutes exchanges routes of the same table, destination and metric, each atomically, and all of them sooner
// than one by one: nothing is echoed, so that the kernel's routes have to be read otherwise, and only the last one of
// many is acknowledged. It gives an error (or nil) per route.
func (c *Conn) ReplaceRoutes(routes []Route) []error {
	errs := make([]error, len(routes))
	var batch []netlink.Message
	first, size := 0, 0
	flush := func(end int) {
		if !c.takesAll(batch) { // then each for itself, which also waits for memory (see insist)
			for i := first; i < end; i++ {
				if errs[i] == nil {
					_, errs[i] = c.SetRoute(routes[i], true)
				}
			}
		}
		batch, first, size = nil, end, 0
	}
	for i, r := range routes {
		b, err := r.marshal()
		if err != nil {
			errs[i] = fmt.Errorf("route %s: %w", r.Dst, err)
			continue
		}
		if size+len(b) > batchBytes {
			flush(i)
		}
		batch = append(batch, netlink.Message{
			Header: netlink.Header{Type: unix.RTM_NEWROUTE, Flags: netlink.Request | netlink.Create | netlink.Replace}, Data: b,
		})
		size += len(b)
	}
	flush(len(routes))
	return errs
}

// takesAll sends requests in one call, and says whether the kernel has refused none. It answers refused requests, and
// the last one.
func (c *Conn) takesAll(requests []netlink.Message) bool {
	if len(requests) == 0 {
		return true
	}
	last := &requests[len(requests)-1]
	last.Header.Flags |= netlink.Acknowledge
	if _, err := c.nl.SendMessages(requests); err != nil {
		return false
	}
	all := true
	for {
		messages, err := c.nl.Receive()
		if err != nil {
			var refusal *netlink.OpError
			if !errors.As(err, &refusal) || refusal.Sequence == 0 || refusal.Sequence == last.Header.Sequence {
				return false
			}
			all = false // and the answer to the last one is still to come
			continue
		}
		for _, m := range messages {
			if m.Header.Type == netlink.Error && m.Header.Sequence == last.Header.Sequence {
				return all
			}
		}
	}
}
