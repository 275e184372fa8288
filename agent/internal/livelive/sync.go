// SPDX-License-Identifier: Apache-2.0

package livelive

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
	"unsafe"

	"github.com/cilium/ebpf"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/pair"
)

// Limits of the programs, bpf/livelive.h.
const (
	maxMasks = 32
	maxRules = 512
	maxPaths = 1024
	maxSIDs  = 8192
	maxEnds  = 128
	slots    = 65536
)

// Sync makes the kernel match the state and no more. It compares with the kernel's maps, so that it writes nothing
// where nothing is to be changed, repairs foreign changes, and may be repeated. Receiving parts are written before
// sending ones, and removed after them.
func (p *programs) Sync(s State) error {
	if s.empty() {
		return p.remove()
	}
	if err := s.fits(); err != nil {
		return err
	}
	if err := p.load(); err != nil {
		return err
	}
	plan, err := p.plan(s)
	if err != nil {
		return err
	}
	steps := []func() error{
		func() error { return p.syncEnds(s.Ends) },
		func() error { return pair.Sync(p.objects.Sids, plan.sids, sameSID) },
		func() error { return pair.PutMissing(p.objects.Paths, plan.paths, pair.Equal) },
		func() error { return pair.PutMissing(p.objects.PathCounts, plan.pathCounts, always) },
		func() error { return pair.PutMissing(p.objects.Groups, plan.groups, pair.Equal) },
		func() error { return pair.PutMissing(p.objects.Sequences, plan.sequences, always) },
		func() error { return p.syncFlows(plan) },
		func() error { return pair.Sync(p.objects.Sequences, plan.sequences, always) },
		func() error { return pair.Sync(p.objects.Groups, plan.groups, pair.Equal) },
		func() error { return pair.Sync(p.objects.PathCounts, plan.pathCounts, always) },
		func() error { return pair.Sync(p.objects.Paths, plan.paths, pair.Equal) },
		func() error { return p.setSettings(s, plan) },
		func() error { return p.attachAll(s.Ports) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// fits refuses a state that the maps cannot hold, before anything is changed.
func (s State) fits() error {
	for _, limit := range []struct {
		what      string
		have, max int
	}{
		{"flow rows", len(s.Flows), maxRules}, {"copy rows", len(s.Copies), maxPaths}, {"flows that end here", len(s.Ends), maxEnds}, {"SIDs and addresses", len(s.SIDs) + len(s.Own), maxSIDs},
	} {
		if limit.have > limit.max {
			return contract.Errorf(contract.ResourceExhausted, "%d %s, at most %d fit", limit.have, limit.what, limit.max)
		}
	}
	groups, masks := map[contract.FlowID]contract.GroupID{}, map[bpfFlowKey]bool{}
	for _, f := range s.Flows {
		_, mask := key(f)
		masks[mask] = true
		if other, taken := groups[f.FlowID]; taken && other != f.Group {
			return contract.Errorf(contract.FailedPrecondition, "flow %d has the groups %d and %d, so two sequences; give it one group", f.FlowID, other, f.Group)
		}
		groups[f.FlowID] = f.Group
	}
	if len(masks) > maxMasks {
		return contract.Errorf(contract.ResourceExhausted, "flow rows of this node match in more than %d different ways", maxMasks)
	}
	return nil
}

// plan is the state as the maps hold it.
type plan struct {
	sids       map[bpfPrefix]bpfSid
	paths      map[uint32]bpfPath
	pathCounts map[uint32]bpfCounters
	groups     map[uint32]uint32
	sequences  map[uint32]uint64
	masks      []bpfFlowKey // by index; the zero key is a free place
	flows      map[bpfFlowKey]bpfFlow
	rules      map[uint32]bpfRule
}

func (p *programs) plan(s State) (plan, error) {
	out := plan{
		sids: map[bpfPrefix]bpfSid{}, paths: map[uint32]bpfPath{}, pathCounts: map[uint32]bpfCounters{}, groups: map[uint32]uint32{},
		sequences: map[uint32]uint64{}, flows: map[bpfFlowKey]bpfFlow{}, rules: map[uint32]bpfRule{},
	}
	for _, own := range s.Own {
		out.sids[sidKey(own)] = bpfSid{}
	}
	for _, sid := range s.SIDs {
		out.sids[sidKey(sid.Prefix)] = bpfSid{Path: uint32(sid.Path)}
	}
	for _, c := range s.Copies {
		if !s.Source.IsValid() || s.Source.IsUnspecified() {
			continue
		}
		var path bpfPath
		path.HeaderBytes = uint32(copy(path.Header[:], header(s.Source, c.Segments)))
		at := uint32(c.Group)<<4 | uint32(c.Path)
		out.paths[at], out.pathCounts[at] = path, bpfCounters{}
		out.groups[uint32(c.Group)] |= 1 << c.Path
	}
	// A sequence that this node starts is above all it ever sent, as no packet takes less than a nanosecond.
	start := uint64(time.Now().UnixNano())
	for _, f := range s.Flows {
		out.sequences[uint32(f.Group)] = start
	}
	return out, p.planFlows(s.Flows, &out)
}

// planFlows gives every distinct mask and every flow the place it has in the kernel, or a free one. If several rows
// have the same match only the one with the highest priority is ever looked up.
func (p *programs) planFlows(rows []contract.Flow, out *plan) error {
	masks, rules, err := p.heldFlows()
	if err != nil {
		return err
	}
	best := map[[2]bpfFlowKey]contract.Flow{}
	for _, f := range rows {
		value, mask := key(f)
		at := [2]bpfFlowKey{value, mask}
		if other, there := best[at]; !there || f.Priority > other.Priority {
			best[at] = f
		}
	}
	out.masks = make([]bpfFlowKey, maxMasks)
	needed := map[bpfFlowKey]bool{}
	for at := range best {
		needed[at[1]] = true
	}
	for i, mask := range masks {
		if needed[mask] {
			out.masks[i] = mask
			delete(needed, mask)
		}
	}
	for _, mask := range slices.SortedFunc(maps.Keys(needed), compareKeys) {
		out.masks[slices.Index(out.masks, bpfFlowKey{})] = mask // there is one: see fits
	}
	taken := map[uint32]bool{}
	var fresh [][2]bpfFlowKey
	place := func(at [2]bpfFlowKey, rule uint32) {
		f := best[at]
		value := at[0]
		value.Mask = uint16(slices.Index(out.masks, at[1]))
		taken[rule] = true
		out.flows[value] = bpfFlow{Priority: uint32(f.Priority), Rule: rule}
		out.rules[rule] = bpfRule{FlowId: uint32(f.FlowID), Group: uint32(f.Group), Paths: 1<<(f.Copies+1) - 1}
	}
	for at := range best {
		value := at[0]
		value.Mask = uint16(slices.Index(out.masks, at[1]))
		if held, there := rules[value]; there && !taken[held.Rule] {
			place(at, held.Rule)
		} else {
			fresh = append(fresh, at)
		}
	}
	slices.SortFunc(fresh, func(a, b [2]bpfFlowKey) int { return compareKeys(a[0], b[0]) })
	next := uint32(0)
	for _, at := range fresh {
		for taken[next] {
			next++
		}
		place(at, next)
	}
	return nil
}

func compareKeys(a, b bpfFlowKey) int {
	return slices.Compare(bytesOf(&a), bytesOf(&b))
}

// heldFlows reads the masks by index, and the flows.
func (p *programs) heldFlows() ([]bpfFlowKey, map[bpfFlowKey]bpfFlow, error) {
	masks := make([]bpfFlowKey, maxMasks)
	for i := range masks {
		var mask bpfFlowMask
		if err := p.objects.Masks.Lookup(uint32(i), &mask); err != nil {
			return nil, nil, fmt.Errorf("read map masks: %w", err)
		}
		if mask.Used != 0 {
			masks[i] = *(*bpfFlowKey)(unsafe.Pointer(&mask.Bits))
		}
	}
	flows, err := pair.Contents[bpfFlowKey, bpfFlow](p.objects.Flows)
	return masks, flows, err
}

// syncFlows: a rule and its mask before the flow that leads to them; counters of a rule that is new start at 0.
func (p *programs) syncFlows(plan plan) error {
	_, before, err := p.heldFlows()
	if err != nil {
		return err
	}
	counted := map[uint32]bool{}
	for key, flow := range before {
		if now, there := plan.flows[key]; there && now.Rule == flow.Rule {
			counted[flow.Rule] = true
		}
	}
	for rule, value := range plan.rules {
		if !counted[rule] {
			if err := p.objects.RuleCounts.Put(rule, bpfCounters{}); err != nil {
				return fmt.Errorf("write map rule_counts: %w", err)
			}
		}
		if err := p.objects.Rules.Put(rule, value); err != nil {
			return fmt.Errorf("write map rules: %w", err)
		}
	}
	for i, mask := range plan.masks {
		value := bpfFlowMask{Used: 1}
		if mask == (bpfFlowKey{}) {
			continue
		}
		*(*bpfFlowKey)(unsafe.Pointer(&value.Bits)) = mask
		if err := p.objects.Masks.Put(uint32(i), value); err != nil {
			return fmt.Errorf("write map masks: %w", err)
		}
	}
	if err := pair.Sync(p.objects.Flows, plan.flows, pair.Equal); err != nil {
		return err
	}
	for i, mask := range plan.masks {
		if mask != (bpfFlowKey{}) {
			continue
		}
		if err := p.objects.Masks.Put(uint32(i), bpfFlowMask{}); err != nil {
			return fmt.Errorf("write map masks: %w", err)
		}
	}
	return nil
}

// syncEnds gives every flow its window: a new one is empty, as are its counters. Flows whose windows have the same
// number, as one takes it over from another, share nothing but those.
func (p *programs) syncEnds(ends []contract.DedupFlow) error {
	held, err := pair.Contents[uint32, bpfEnd](p.objects.Ends)
	if err != nil {
		return err
	}
	made, err := pair.Contents[uint32, uint32](p.objects.Windows)
	if err != nil {
		return err
	}
	wanted := map[uint32]uint32{}
	for _, e := range ends {
		wanted[uint32(e.FlowID)] = uint32(e.Window)
	}
	right := func(flow uint32) bool {
		window, is := wanted[flow]
		end, was := held[flow]
		_, whole := made[flow]
		return is && was && whole && end.Window == window
	}
	for flow := range held {
		if right(flow) {
			continue
		}
		if err := errors.Join(p.objects.Ends.Delete(flow), p.dropWindow(flow)); err != nil {
			return fmt.Errorf("remove flow %d: %w", flow, err)
		}
	}
	for flow, window := range wanted {
		if right(flow) {
			continue
		}
		if err := p.makeWindow(flow, window); err != nil {
			return fmt.Errorf("make the window of flow %d: %w", flow, err)
		}
		if err := p.objects.Ends.Put(flow, bpfEnd{Window: window}); err != nil {
			return fmt.Errorf("write map ends: %w", err)
		}
	}
	return nil
}

func (p *programs) makeWindow(flow, window uint32) error {
	spec, err := loadBpf()
	if err != nil {
		return err
	}
	inner, err := ebpf.NewMap(spec.Maps["windows"].InnerMap)
	if err != nil {
		return err
	}
	defer inner.Close()
	cpus, err := ebpf.PossibleCPU()
	if err != nil {
		return err
	}
	for path := range uint32(16) {
		if err := p.objects.Cells.Put(window<<4|path, make([]bpfCell, cpus)); err != nil {
			return err
		}
	}
	return p.objects.Windows.Put(flow, inner)
}

func (p *programs) dropWindow(flow uint32) error {
	if err := p.objects.Windows.Delete(flow); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
		return err
	}
	return nil
}

func (p *programs) setSettings(s State, plan plan) error {
	wanted := bpfSettings{Numbering: uint32(p.pair.NearIndex), Stack: uint32(s.StackIndex), StackMac: s.StackMAC}
	for i, mask := range plan.masks {
		if mask != (bpfFlowKey{}) {
			wanted.MaskCount = uint16(i + 1)
		}
	}
	var held bpfSettings
	if err := p.objects.SettingsMap.Lookup(uint32(0), &held); err == nil && held == wanted {
		return nil
	}
	if err := p.objects.SettingsMap.Put(uint32(0), wanted); err != nil {
		return fmt.Errorf("write map settings: %w", err)
	}
	return nil
}

// --- maps

// How two values of a map are compared.
func always[V any](V, V) bool          { return true }
func sameSID(held, wanted bpfSid) bool { return held.Path == wanted.Path }

func bytesOf(k *bpfFlowKey) []byte {
	out := make([]byte, 0, binary.Size(k))
	out, _ = binary.Append(out, binary.BigEndian, k)
	return out
}
