// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"errors"
	"fmt"

	linklib "github.com/vishvananda/netlink"

	"sextant/agent/internal/contract"
)

// The numbering pair: what is sent into the near end is cut into packets as they go on the wire, and
// arrives at the far end, where they are numbered.
const (
	nearDevice = "sextant2"
	farDevice  = "sextant3"
	// A packet of any port fits.
	pairMTU = 65535
	// In bytes; the kernel takes nothing below its longest TCP header.
	leastGSO = 1024
)

// makePair makes the numbering pair, or adopts it. Segmentation is the near end's: it takes one segment,
// so that the kernel cuts what has more, and 1 KiB (less the kernel refuses), which cuts also what came
// from elsewhere and does not say how many segments it has. Checksums may stay undone: they go with the packet.
func (p *programs) makePair() error {
	_, err := p.options.Links.LinkByName(nearDevice)
	var notFound linklib.LinkNotFoundError
	if errors.As(err, &notFound) {
		pair := &linklib.Veth{LinkAttrs: linklib.LinkAttrs{Name: nearDevice, MTU: pairMTU}, PeerName: farDevice, PeerMTU: pairMTU}
		err = p.options.Links.LinkAdd(pair)
	}
	if err != nil {
		return fmt.Errorf("make the device pair %s and %s (a veth): %w", nearDevice, farDevice, err)
	}
	for _, end := range []struct {
		name  string
		index *int
	}{{nearDevice, &p.near}, {farDevice, &p.far}} {
		name, index := end.name, end.index
		l, err := p.options.Links.LinkByName(name)
		if err != nil {
			return fmt.Errorf("find %s: %w", name, err)
		}
		if l.Type() != "veth" {
			return contract.Errorf(contract.FailedPrecondition, "%s is a %s, not the agent's veth; rename or delete it", name, l.Type())
		}
		*index = l.Attrs().Index
		if name == nearDevice && (l.Attrs().GSOMaxSegs != 1 || l.Attrs().GSOMaxSize != leastGSO) {
			if err := errors.Join(p.options.Links.LinkSetGSOMaxSegs(l, 1), p.options.Links.LinkSetGSOMaxSize(l, leastGSO)); err != nil {
				return fmt.Errorf("switch segmentation offload of %s off: %w", name, err)
			}
		}
		if err := p.options.Prepare(name); err != nil {
			return err
		}
	}
	return nil
}
