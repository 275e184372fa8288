// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	linklib "github.com/vishvananda/netlink"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
)

// dropReasons are the sentences to the numbers of bpf/mobile.h.
func dropReasons() pair.Reasons {
	return pair.Reasons{Plane: "mobile", Sentences: []string{
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
		"a packet without a route, once it is another one",
	}}
}

// Drops reads the drops counted by the programs of a namespace, whichever agent attached them; nothing where there are
// none.
func Drops(links *linklib.Handle, do func(func() error) error) ([]contract.Drop, error) {
	return dropReasons().At(pairOf(pair.Options{Links: links, Do: do}), farDevice, mobileProgram, loadBpf)
}
