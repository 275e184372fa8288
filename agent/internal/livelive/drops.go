// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	linklib "github.com/vishvananda/netlink"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
)

// dropReasons are the sentences to the numbers of bpf/livelive.h. Packets dropped as duplicate, late, stray or
// malformed are counted per path, in counter arrays of the P4Info.
func dropReasons() pair.Reasons {
	return pair.Reasons{Plane: "livelive", Sentences: []string{
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
	}}
}

// Drops reads the drops counted by the programs of a namespace, whichever agent attached them; nothing where there are
// none.
func Drops(links *linklib.Handle, do func(func() error) error) ([]contract.Drop, error) {
	return dropReasons().At(pairOf(pair.Options{Links: links, Do: do}), nearDevice, portProgram, loadBpf)
}
