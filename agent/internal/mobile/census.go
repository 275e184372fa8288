// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"sextant/agent/internal/contract"
)

// Limits of the program, bpf/mobile.h.
const (
	maxMasks    = 128
	maxRules    = 1024
	maxSIDs     = 8192 // and addresses of the node
	maxTunnels  = 131072
	maxUEs      = 131072
	maxSegments = 16
)

// A census counts the rows: the elements that the maps must have room for, and the users of a list.
type census struct {
	served                            int // rows that need the program
	sids, tunnels, rules, ues, ranges int // ranges are of many addresses
	masks                             map[bpfMatch]int
	users                             map[contract.SIDListID]int
}

func newCensus() census {
	return census{masks: map[bpfMatch]int{}, users: map[contract.SIDListID]int{}}
}

// exchange counts a row in the place of another, or refuses a row that there is no room for.
func (c *census) exchange(old, fresh contract.Entry) error {
	c.count(old, -1)
	c.count(fresh, 1)
	if err := c.fits(); err != nil {
		c.count(fresh, -1)
		c.count(old, 1)
		return err
	}
	return nil
}

func (c *census) count(e contract.Entry, by int) {
	switch e := e.(type) {
	case contract.GTPTunnel:
		c.tunnels += by
		c.served += by
	case contract.GTPRule:
		c.rules += by
		c.served += by
		add(c.users, e.SIDList, by)
		_, mask := matchOf(e)
		add(c.masks, mask, by)
	case contract.UE:
		if e.Dst.IsSingleIP() {
			c.ues += by
		} else {
			c.ranges += by
		}
		c.served += by
		add(c.users, e.SIDList, by)
	case contract.MySID:
		c.sids += by
		if kindOf(e.Behavior.Action) != sidNone {
			c.served += by
		}
	}
}

func add[K comparable](counts map[K]int, key K, by int) {
	if counts[key] += by; counts[key] == 0 {
		delete(counts, key)
	}
}

func (c *census) fits() error {
	for _, limit := range []struct {
		what      string
		have, max int
	}{
		{"tunnels", c.tunnels, maxTunnels},
		{"rules of GTP", c.rules, maxRules},
		{"addresses of sessions", c.ues, maxUEs},
		{"prefixes of sessions", c.ranges, maxUEs},
	} {
		if limit.have > limit.max {
			return contract.Errorf(contract.ResourceExhausted, "%d %s, at most %d fit", limit.have, limit.what, limit.max)
		}
	}
	if len(c.masks) > maxMasks {
		return contract.Errorf(contract.ResourceExhausted, "rules of GTP of this node match in more than %d different ways", maxMasks)
	}
	return nil
}
