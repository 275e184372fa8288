// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"errors"
	"fmt"

	linklib "github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/netspace"
)

// host is the Linux side of VPP's packet interfaces. The agent reads there the state that VPP does not report: VPP
// never notices that the other end of a veth pair is down.
type host struct {
	handle netns.NsHandle
	links  *linklib.Handle
}

func openHost(name string) (*host, error) {
	handle, err := netspace.Open(name, "run as root, and give --netns the namespace that VPP runs in")
	if err != nil {
		return nil, err
	}
	links, err := linklib.NewHandleAt(handle, unix.NETLINK_ROUTE)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open link netlink: %w", err), netspace.Close(handle))
	}
	return &host{handle, links}, nil
}

func (h *host) fd() int { return netspace.FD(h.handle) }

func (h *host) close() error {
	h.links.Close()
	return netspace.Close(h.handle)
}

// hostLink is the Linux interface behind one of VPP's.
type hostLink struct {
	index   int
	carrier bool
}

func (h *host) read() (map[string]hostLink, error) {
	links, err := netspace.Whole(h.links.LinkList)
	if err != nil {
		return nil, fmt.Errorf("list Linux interfaces: %w", err)
	}
	out := map[string]hostLink{}
	for _, l := range links {
		a := l.Attrs()
		out[a.Name] = hostLink{a.Index, a.RawFlags&unix.IFF_LOWER_UP != 0}
	}
	return out, nil
}
