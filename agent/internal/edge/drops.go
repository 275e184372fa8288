// SPDX-License-Identifier: Apache-2.0

package edge

import (
	"errors"

	linklib "github.com/vishvananda/netlink"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
	"sextant/agent/internal/tcx"
)

// dropReasons are the sentences to the numbers of bpf/edge.h, which every port has cells for.
func dropReasons() pair.Reasons {
	return pair.Reasons{Plane: "edge", Map: droppedArray, Each: reasonsOf, Sentences: []string{
		"a packet from outside to a SID of the domain",
		"a packet from outside with a segment routing header",
		"a packet from outside with a source of the domain",
		"a packet from inside to a SID whose source is not the domain's",
	}}
}

// furtherReasons are those of the map beside it.
func furtherReasons() pair.Reasons {
	return pair.Reasons{Plane: "edge", Map: furtherMap, Each: reasonsOf, Sentences: []string{
		"a frame with more tags or extension headers than are read, or with packets inside of packets that are not",
		"a packet to an address that nodes use inside themselves (fd5e:7e00::/31, 169.254.0.0/16)",
	}}
}

// Drops reads the drops counted by the programs of a namespace, whichever agent attached them; nothing where there are
// none.
func Drops(links *linklib.Handle, do func(func() error) error) ([]contract.Drop, error) {
	devices := devicesOf(pair.Options{Links: links, Do: do})
	formers, err := holders(&devices)
	if errors.Is(err, tcx.ErrUnsupported) {
		return nil, nil
	}
	if err != nil || len(formers) == 0 {
		return nil, err
	}
	l, err := links.LinkByIndex(formers[0].Index)
	if err != nil {
		return nil, err
	}
	drops, err := dropReasons().At(devices, l.Attrs().Name, edgeProgram, loadBpf)
	if err != nil {
		return nil, err
	}
	further, err := furtherReasons().At(devices, l.Attrs().Name, edgeProgram, loadBpf)
	var without *contract.Error
	if errors.As(err, &without) && without.Code == contract.Unimplemented {
		return drops, nil // the program of an agent that knew no further reasons
	}
	return append(drops, further...), err
}
