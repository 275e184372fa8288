// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"errors"
	"fmt"

	linklib "github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/edge"
	"sextant/agent/internal/livelive"
	"sextant/agent/internal/mobile"
	"sextant/agent/internal/sera"
)

// Drops reads from the kernel the drops of the agent's programs in a network namespace and their reasons, whether an
// agent runs there or not.
func Drops(netNS string) (drops []contract.Drop, err error) {
	ns, err := openNamespace(netNS)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, ns.close()) }()
	links, err := linklib.NewHandleAt(ns.handle, unix.NETLINK_ROUTE)
	if err != nil {
		return nil, fmt.Errorf("open link netlink: %w", err)
	}
	defer links.Close()
	for _, of := range []func(*linklib.Handle, func(func() error) error) ([]contract.Drop, error){edge.Drops, livelive.Drops, mobile.Drops, sera.Drops} {
		some, err := of(links, ns.do)
		if err != nil {
			return nil, err
		}
		drops = append(drops, some...)
	}
	internal, err := internalDrops(ns.fd())
	return append(drops, internal...), err
}
