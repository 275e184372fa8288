// SPDX-License-Identifier: Apache-2.0

package mobile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
	"sextant/agent/internal/rows"
)

// rulePlan is all rules as the maps hold them.
type rulePlan struct {
	masks   []bpfMatch // by index; the zero mask, of a rule that matches everything, is in use where anything is
	used    []bool
	choices map[bpfMatch]bpfChoice
	rules   map[uint32]bpfRule
	moved   map[uint32]uint32 // an index that takes over from another one, with its counters
	fresh   []uint32          // indexes of rules that have not counted yet
}

// A place distinguishes one rule from another, apart from its action.
type place struct {
	value, mask bpfMatch
	priority    int32
	way         [2]uint8
}

func placeOf(e contract.GTPRule) place {
	value, mask := matchOf(e)
	return place{value, mask, e.Priority, wayOf(e)}
}

// heldRules are the masks in the kernel and the index that each rule has there.
func (p *programs) heldRules() (masks []bpfMatch, used []bool, at map[place]uint32, err error) {
	masks, used, at = make([]bpfMatch, maxMasks), make([]bool, maxMasks), map[place]uint32{}
	for i := range masks {
		var held bpfMask
		if err := p.objects.Masks.Lookup(uint32(i), &held); err != nil {
			return nil, nil, nil, fmt.Errorf("read map masks: %w", err)
		}
		if used[i] = held.Used != 0; used[i] {
			masks[i] = maskFrom(held)
		}
	}
	choices, err := pair.Contents[bpfMatch, bpfChoice](p.objects.Choices)
	for value, choice := range choices {
		index := value.Mask
		value.Mask = 0
		for _, way := range choice.Ways {
			if way.Rule != 0 && int(index) < maxMasks {
				var rule bpfRule
				if err := p.objects.Rules.Lookup(way.Rule-1, &rule); err != nil {
					return nil, nil, nil, fmt.Errorf("read map rules: %w", err)
				}
				at[place{value, masks[index], int32(way.Priority), [2]uint8{rule.WayValue, rule.WayMask}}] = way.Rule - 1
			}
		}
	}
	return masks, used, at, err
}

func maskFrom(held bpfMask) bpfMatch {
	raw := make([]byte, 0, binary.Size(held.Bits))
	for _, word := range held.Bits {
		raw = binary.NativeEndian.AppendUint64(raw, word)
	}
	var mask bpfMatch
	_, _ = binary.Decode(raw, binary.NativeEndian, &mask)
	return mask
}

func maskTo(mask bpfMatch) bpfMask {
	raw, _ := binary.Append(nil, binary.NativeEndian, &mask)
	held := bpfMask{Used: 1}
	for i := range held.Bits {
		held.Bits[i] = binary.NativeEndian.Uint64(raw[8*i:])
	}
	return held
}

// syncRules exchanges a rule by another index, to which its match then leads at once: no packet meets half of a rule.
func (p *programs) syncRules(all rows.Reader) error {
	plan, err := p.planRules(rows.Of[contract.GTPRule](all))
	if err != nil {
		return err
	}
	for index, rule := range plan.rules {
		var held bpfRule
		if err := p.objects.Rules.Lookup(index, &held); err != nil {
			return fmt.Errorf("read map rules: %w", err)
		}
		if held == rule {
			continue
		}
		if err := p.objects.Rules.Put(index, rule); err != nil {
			return fmt.Errorf("write map rules: %w", err)
		}
	}
	if err := p.moveCounts(plan); err != nil {
		return err
	}
	for i, mask := range plan.masks {
		if !plan.used[i] {
			continue
		}
		if err := p.objects.Masks.Put(uint32(i), maskTo(mask)); err != nil {
			return fmt.Errorf("write map masks: %w", err)
		}
	}
	if err := pair.Sync(p.objects.Choices, plan.choices, pair.Equal); err != nil {
		return err
	}
	p.maskCount = 0
	for i := range plan.masks {
		if plan.used[i] {
			p.maskCount = uint16(i + 1)
			continue
		}
		if err := p.objects.Masks.Put(uint32(i), bpfMask{}); err != nil {
			return fmt.Errorf("write map masks: %w", err)
		}
	}
	return nil
}

func (p *programs) planRules(list []contract.GTPRule) (rulePlan, error) {
	plan := rulePlan{choices: map[bpfMatch]bpfChoice{}, rules: map[uint32]bpfRule{}, moved: map[uint32]uint32{}}
	masks, used, at, err := p.heldRules()
	if err != nil {
		return plan, err
	}
	plan.masks, plan.used = masks, make([]bool, maxMasks)
	indexes := plan.placeMasks(list, used)
	taken := map[uint32]bool{} // whatever is in use now is not written
	for _, index := range at {
		taken[index] = true
	}
	next := uint32(0)
	free := func() uint32 {
		for ; taken[next]; next++ { // twice as many as there are rules: there is one
		}
		taken[next] = true
		return next
	}
	for _, e := range list {
		rule, here := ruleOf(e), placeOf(e)
		index, known := at[here]
		if known {
			var held bpfRule
			if err := p.objects.Rules.Lookup(index, &held); err != nil {
				return plan, fmt.Errorf("read map rules: %w", err)
			}
			if held != rule {
				fresh := free()
				plan.moved[fresh], index = index, fresh
			}
		} else {
			index = free()
			plan.fresh = append(plan.fresh, index)
		}
		plan.rules[index] = rule
		plan.choose(e, here, indexes[here.mask], index)
	}
	return plan, nil
}

// placeMasks gives every mask the index that it has in the kernel, or one that is not in use there.
func (plan *rulePlan) placeMasks(list []contract.GTPRule, held []bool) map[bpfMatch]uint16 {
	indexes := map[bpfMatch]uint16{}
	wanted := map[bpfMatch]bool{}
	for _, e := range list {
		wanted[placeOf(e).mask] = true
	}
	for i, mask := range plan.masks {
		if held[i] && wanted[mask] {
			indexes[mask], plan.used[i] = uint16(i), true
			delete(wanted, mask)
		}
	}
	both := slices.Clone(held) // one that nothing in the kernel has, while there is one
	fresh := slices.SortedFunc(maps.Keys(wanted), func(a, b bpfMatch) int { return bytes.Compare(bytesOf(a), bytesOf(b)) })
	for _, mask := range fresh {
		i := slices.IndexFunc(both, func(taken bool) bool { return !taken })
		if i < 0 {
			i = slices.Index(plan.used, false) // there is one: see census.fits
		} else {
			both[i] = true
		}
		plan.masks[i], plan.used[i], indexes[mask] = mask, true, uint16(i)
	}
	return indexes
}

// choose enters a rule where it is the best one of its match.
func (plan *rulePlan) choose(e contract.GTPRule, here place, mask uint16, index uint32) {
	value := here.value
	value.Mask = mask
	choice := plan.choices[value]
	for _, way := range waysOf(e) {
		best := &choice.Ways[way]
		if best.Rule == 0 || uint32(e.Priority) > best.Priority {
			best.Priority, best.Rule = uint32(e.Priority), index+1
		}
	}
	plan.choices[value] = choice
}

// moveCounts: a rule that does something else now goes on counting; a new one begins at 0.
func (p *programs) moveCounts(plan rulePlan) error {
	for _, index := range plan.fresh {
		if err := p.objects.RuleCounts.Put(index, make([]bpfCounters, p.cpus)); err != nil {
			return fmt.Errorf("write map rule_counts: %w", err)
		}
	}
	for index, from := range plan.moved {
		counts := make([]bpfCounters, p.cpus)
		if err := p.objects.RuleCounts.Lookup(from, &counts); err != nil {
			return fmt.Errorf("read map rule_counts: %w", err)
		}
		if err := p.objects.RuleCounts.Put(index, counts); err != nil {
			return fmt.Errorf("write map rule_counts: %w", err)
		}
	}
	return nil
}

func bytesOf(m bpfMatch) []byte {
	raw, _ := binary.Append(nil, binary.BigEndian, &m)
	return raw
}
