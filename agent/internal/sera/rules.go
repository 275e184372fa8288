// SPDX-License-Identifier: Apache-2.0

package sera

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"sextant/agent/internal/contract"
)

// Limits of the program, bpf/sera.h.
const (
	maxRules = 4096 // of a set
	maxSets  = 1024
	maxSIDs  = 8192 // and addresses of the node
	maxRows  = 65536
	maxFlows = 1048576
	// A field's classes of addresses are in 128 pages; a span has two ends.
	maxSpans = keysOfPage*keysOfPage/2 - 1
	// A mask whose bits have holes is many spans.
	maxHoles = 10
)

// The verdicts of bpf/sera.h.
const (
	verdictDrop = iota
	verdictGoNext
	verdictSkipNext
	verdictGoLast
	verdictEvalArgs
)

// A set is the rules of one number.
type set struct {
	rules   map[contract.Key]contract.Firewall
	spans   [addrs]int
	changed bool // since it was compiled
}

// ordered are the rules as they judge: the highest priority first. Two of one priority are in the order of their keys.
func (s *set) ordered() []contract.Firewall {
	type keyed struct {
		key  contract.Key
		rule contract.Firewall
	}
	list := make([]keyed, 0, len(s.rules))
	for key, r := range s.rules {
		list = append(list, keyed{key, r})
	}
	slices.SortFunc(list, func(a, b keyed) int {
		return cmp.Or(-cmp.Compare(a.rule.Priority, b.rule.Priority), a.key.Compare(b.key))
	})
	out := make([]contract.Firewall, len(list))
	for i, k := range list {
		out[i] = k.rule
	}
	return out
}

// hashOfAll identifies a compiled set.
func hashOfAll(rules []contract.Firewall) uint64 {
	h := fnv.New64a()
	for _, r := range rules {
		fmt.Fprintf(h, "%s %s %t\n", r.Key().Match, r.Verdict, r.Log)
	}
	return h.Sum64()
}

// A census counts the rows.
type census struct {
	sets  map[contract.FirewallID]*set
	sids  map[contract.Key]contract.MySID // of firewalls
	rules int
}

func newCensus() census {
	return census{sets: map[contract.FirewallID]*set{}, sids: map[contract.Key]contract.MySID{}}
}

// exchange counts a row in the place of another, or refuses a row that there is no room for.
func (c *census) exchange(old, fresh contract.Entry) error {
	c.remove(old)
	c.add(fresh)
	if err := c.fits(fresh); err != nil {
		c.remove(fresh)
		c.add(old)
		return err
	}
	return nil
}

func (c *census) add(e contract.Entry) {
	switch e := e.(type) {
	case contract.Firewall:
		s := c.sets[e.Firewall]
		if s == nil {
			s = &set{rules: map[contract.Key]contract.Firewall{}}
			c.sets[e.Firewall] = s
		}
		s.rules[e.Key()], s.changed = e, true
		s.count(e, 1)
		c.rules++
	case contract.MySID:
		if e.Behavior.IsFirewall() {
			c.sids[e.Key()] = e
		}
	}
}

func (c *census) remove(e contract.Entry) {
	switch e := e.(type) {
	case contract.Firewall:
		s := c.sets[e.Firewall]
		delete(s.rules, e.Key())
		s.changed = true
		s.count(e, -1)
		c.rules--
		if len(s.rules) == 0 {
			delete(c.sets, e.Firewall)
		}
	case contract.MySID:
		delete(c.sids, e.Key())
	}
}

func (s *set) count(e contract.Firewall, by int) {
	for field := range addrs {
		if t := addressField(e, field); t != nil {
			s.spans[field] += by << min(len(holesOf(t.Mask)), maxHoles)
		}
	}
}

func (c *census) fits(e contract.Entry) error {
	switch e := e.(type) {
	case contract.Firewall:
		s := c.sets[e.Firewall]
		if len(s.rules) > maxRules {
			return contract.Errorf(contract.ResourceExhausted, "firewall %d has %d rules, at most %d fit", e.Firewall, len(s.rules), maxRules)
		}
		if c.rules > maxRows {
			return contract.Errorf(contract.ResourceExhausted, "%d rules of firewalls, at most %d fit", c.rules, maxRows)
		}
		for field, spans := range s.spans {
			if spans > maxSpans {
				return contract.Errorf(contract.ResourceExhausted, "the rules of firewall %d name %d ranges of %s, at most %d fit",
					e.Firewall, spans, addressNames[field], maxSpans)
			}
		}
	case contract.MySID:
		flows := map[uint16]uint64{}
		for _, sid := range c.sids {
			flows[sid.Behavior.SERA.Instance] = max(flows[sid.Behavior.SERA.Instance], uint64(sid.Behavior.SERA.Flows))
		}
		total := uint64(0)
		for _, n := range flows {
			total += n
		}
		if total > maxFlows {
			return contract.Errorf(contract.ResourceExhausted, "firewalls are to remember %d flows, at most %d fit", total, maxFlows)
		}
	}
	return nil
}

//nolint:gochecknoglobals // a constant
var addressNames = [addrs]string{"src", "dst", "previous_sid", "next_sid", "last_sid", "outer_src"}

// refuse rejects rules that the program does not support.
func refuse(e contract.Firewall) error {
	for field, name := range addressNames {
		if t := addressField(e, field); t != nil && len(holesOf(t.Mask)) > maxHoles {
			err := contract.Errorf(contract.Unimplemented, "%s: the mask of %s has %d holes, a Linux node looks up ranges and takes at most %d",
				e.Key(), name, len(holesOf(t.Mask)), maxHoles)
			err.Remedy = "match a prefix"
			return err
		}
	}
	return nil
}

// wanted are the sets that a SID refers to, and that have rules.
func (c *census) wanted() []contract.FirewallID {
	ids := map[contract.FirewallID]bool{}
	for _, sid := range c.sids {
		if id := sid.Behavior.SERA.Firewall; c.sets[id] != nil {
			ids[id] = true
		}
	}
	return slices.Sorted(maps.Keys(ids))
}

// boolOrder has false before true.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}
