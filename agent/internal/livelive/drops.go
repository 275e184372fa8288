// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"github.com/cilium/ebpf"
	linklib "github.com/vishvananda/netlink"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
)

// dropReasons are the sentences to the numbers of bpf/livelive.h. What is dropped as a duplicate, late, stray or malformed
// is counted per path, in counter arrays of the P4Info.
func dropReasons() []string {
	return []string{
		"a copy whose flow has no window",
		"a copy that could not be taken out of its outer header",
		"a packet whose priority tag could not be taken off",
		"a packet whose flow row is gone",
		"a packet on its last hop",
		"a packet that is shorter than its header says",
		"a packet whose group has no sequence",
		"a copy whose path, or that of all of its group, is not there",
		"a copy that found no room for its outer header",
		"a copy that its port did not take",
	}
}

// Drops reads what the programs of a namespace have dropped, whoever attached them; nothing where there are none.
func Drops(links *linklib.Handle, do func(func() error) error) ([]contract.Drop, error) {
	spec, err := loadBpf()
	if err != nil {
		return nil, err
	}
	of := pairOf(pair.Options{Links: links, Do: do})
	m, err := of.Dropped(nearDevice, portProgram, spec)
	if err != nil || m == nil {
		return nil, err
	}
	defer m.Close()
	return dropsIn(m)
}

func dropsIn(m *ebpf.Map) ([]contract.Drop, error) {
	return pair.Drops("livelive", dropReasons(), func(at uint32) (contract.Counters, error) {
		return sum(m, at, func(c bpfCounters) bpfCounters { return c })
	})
}
