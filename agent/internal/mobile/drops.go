// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
	linklib "github.com/vishvananda/netlink"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/tcx"
)

// dropReasons are the sentences to the numbers of bpf/mobile.h.
func dropReasons() []string {
	return []string{
		"a packet at a SID whose headers are malformed",
		"GTP at a SID that no rule takes",
		"a packet whose segments left are not what the SID wants",
		"a packet that is too big for its way",
		"a packet at a SID with no whole IP packet inside",
		"a packet that has no source to be sent from",
		"a packet on its last hop",
		"a packet whose SID names no host",
		"a packet that found no room for its headers",
		"a packet whose list is not there, or has no room for its session",
		"GTP that a rule discards",
	}
}

// Drops reads what the program of a namespace has dropped, whoever attached it; nothing where there is none.
func Drops(links *linklib.Handle, do func(func() error) error) ([]contract.Drop, error) {
	far, err := links.LinkByName(farDevice)
	var notFound linklib.LinkNotFoundError
	if errors.As(err, &notFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", farDevice, err)
	}
	spec, err := loadBpf()
	if err != nil {
		return nil, err
	}
	program, err := tcx.Namespace{Do: do}.Attached(far.Attrs().Index, mobileProgram)
	if err != nil || program == nil {
		return nil, needed(err)
	}
	defer program.Close()
	held := map[string]*ebpf.Map{}
	defer func() {
		for _, m := range held {
			_ = m.Close()
		}
	}()
	if err := tcx.Maps(program, map[string]*ebpf.MapSpec{"drops": spec.Maps["drops"]}, held); err != nil {
		return nil, err
	}
	return dropsIn(held["drops"])
}

func dropsIn(m *ebpf.Map) ([]contract.Drop, error) {
	var out []contract.Drop
	for i, reason := range dropReasons() {
		c, err := sum(m, uint32(i))
		if err != nil {
			return nil, err
		}
		out = append(out, contract.Drop{Program: "mobile", Reason: reason, Packets: c.Packets, Bytes: c.Bytes})
	}
	return out, nil
}
