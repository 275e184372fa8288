// SPDX-License-Identifier: Apache-2.0

package sera

import (
	linklib "github.com/vishvananda/netlink"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
)

// dropReasons are the sentences to the numbers of bpf/sera.h, which every instance has cells for.
func dropReasons() pair.Reasons {
	return pair.Reasons{Plane: "firewall", Map: "firewall_drops", Each: reasonsOf, Sentences: []string{
		"a packet whose program has nothing to go to",
		"a packet at a firewall whose headers are malformed",
		"a packet whose SID has arguments that mean nothing",
		"a packet at a firewall that no rule takes",
		"a packet on its last hop",
		"a packet of a new flow that a firewall has no room to remember",
		"a flow, not a packet: never acknowledged or at its end, it gave way to a new one",
	}}
}

// Drops reads the drops counted by the programs of a namespace, whichever agent attached them; nothing where there are
// none.
func Drops(links *linklib.Handle, do func(func() error) error) ([]contract.Drop, error) {
	return dropReasons().At(pairOf(pair.Options{Links: links, Do: do}), farDevice, seraProgram, loadBpf)
}
