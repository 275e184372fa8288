// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	// shortestInterval is the least sample or heartbeat interval, and the meaning of a sample interval of 0 (gNMI,
	// 3.5.1.5.2).
	shortestInterval = 100 * time.Millisecond
	// countersInterval is how often counters are sampled where the agent chooses.
	countersInterval = 10 * time.Second
	// longestInterval keeps sums with the time of day in range.
	longestInterval = 365 * 24 * time.Hour
)

// item is one path that a client follows. The sent leaves are remembered, so that a change, and a node that is gone,
// can be detected.
type item struct {
	pattern  pattern
	onChange bool
	// counters says which leaves belong to the item: no state, however often it is read, is the same as the one
	// before if counters are in it. They are sent with samples only.
	counters  countersFilter
	every     time.Duration // of samples; 0 for onChange
	heartbeat time.Duration // 0 for none
	suppress  bool

	sent                    []leaf
	sampleDue, heartbeatDue time.Time
}

type countersFilter int

const (
	withCounters countersFilter = iota
	withoutCounters
	onlyCounters
)

// newItems reads a subscription. ON_CHANGE leaves counters out, as they always change; where the
// client leaves the choice to the agent, counters are sampled and the rest is ON_CHANGE.
func newItems(root *schemaNode, list *gpb.SubscriptionList, sub *gpb.Subscription) ([]*item, error) {
	p, err := parsePath(root, list.GetPrefix(), sub.GetPath())
	if err != nil {
		return nil, err
	}
	base := item{pattern: p, suppress: sub.GetSuppressRedundant()}
	if list.GetMode() != gpb.SubscriptionList_STREAM {
		return []*item{&base}, nil
	}
	if base.heartbeat, err = interval(sub.GetHeartbeatInterval()); err != nil {
		return nil, status.Errorf(codes.InvalidArgument, "path %s: heartbeat_interval %v", p.text, err)
	}
	isCounters := p.names(stepCounters) || p.names(stepProbes) || p.names(stepLiveness) && slices.ContainsFunc(measuredLeaves(), p.names)
	isLog := p.names(stepLog)
	changing, sampled := base, base
	changing.onChange, changing.counters = true, withoutCounters
	switch sub.GetMode() {
	case gpb.SubscriptionMode_ON_CHANGE:
		if isCounters {
			return nil, status.Errorf(codes.InvalidArgument, "path %s: counters always change; use SAMPLE", p.text)
		}
		if p.names(stepFirewalls) && !isLog {
			return nil, status.Errorf(codes.InvalidArgument, "path %s: of firewalls only log/event supports ON_CHANGE; use SAMPLE", p.text)
		}
		return []*item{&changing}, nil
	case gpb.SubscriptionMode_SAMPLE:
		if isLog {
			return nil, status.Errorf(codes.InvalidArgument, "path %s: events are no state; use ON_CHANGE", p.text)
		}
		every, err := interval(sub.GetSampleInterval())
		if err != nil {
			return nil, status.Errorf(codes.InvalidArgument, "path %s: sample_interval %v", p.text, err)
		}
		sampled.every = cmp.Or(every, shortestInterval)
		return []*item{&sampled}, nil
	case gpb.SubscriptionMode_TARGET_DEFINED:
		sampled.every, sampled.counters = countersInterval, onlyCounters
		return []*item{&changing, &sampled}, nil
	default:
		return nil, status.Errorf(codes.InvalidArgument, "path %s: subscription mode %v is unknown", p.text, sub.GetMode())
	}
}

// interval reads a number of nanoseconds; 0 stays 0.
func interval(nanos uint64) (time.Duration, error) {
	d := time.Duration(min(nanos, math.MaxInt64))
	if d != 0 && d < shortestInterval {
		return 0, fmt.Errorf("%v is shorter than %v", d, shortestInterval)
	}
	if d > longestInterval {
		return 0, fmt.Errorf("%d ns is longer than %v", nanos, longestInterval)
	}
	return d, nil
}

// pick selects the item's leaves.
func (it *item) pick(all []leaf) []leaf {
	var out []leaf
	for _, l := range all {
		if it.counters != withCounters && l.sampled() != (it.counters == onlyCounters) {
			continue
		}
		if it.pattern.matchLength(l.path) >= 0 {
			out = append(out, l)
		}
	}
	return out
}

// remember replaces the sent leaves, and returns the new and the vanished ones.
func (it *item) remember(now []leaf) (fresh, gone []leaf) {
	before := it.sent
	it.sent = now
	if slices.EqualFunc(before, now, func(a, b leaf) bool { return a.text == b.text }) {
		for i, l := range now {
			if l.value != before[i].value {
				fresh = append(fresh, l)
			}
		}
		return fresh, nil
	}
	was := map[string]any{}
	for _, l := range before {
		was[l.text] = l.value
	}
	for _, l := range now {
		if value, there := was[l.text]; !there || value != l.value {
			fresh = append(fresh, l)
		}
		delete(was, l.text)
	}
	gone = slices.DeleteFunc(slices.Clone(before), func(l leaf) bool {
		_, left := was[l.text]
		return !left
	})
	slices.SortFunc(gone, func(a, b leaf) int { return strings.Compare(a.text, b.text) })
	return fresh, gone
}

// start sets the clocks of a stream.
func (it *item) start(now time.Time) {
	if it.every > 0 {
		it.sampleDue = now.Add(it.every)
	}
	if it.heartbeat > 0 {
		it.heartbeatDue = now.Add(it.heartbeat)
	}
}

// due is when the item next has to be looked at; zero is never.
func (it *item) due() time.Time {
	switch {
	case it.sampleDue.IsZero():
		return it.heartbeatDue
	case it.heartbeatDue.IsZero() || it.sampleDue.Before(it.heartbeatDue):
		return it.sampleDue
	default:
		return it.heartbeatDue
	}
}

// tick returns the leaves to send at this time: everything, or the changes, or nothing.
func (it *item) tick(now time.Time) (everything, changes bool) {
	if !it.heartbeatDue.IsZero() && !now.Before(it.heartbeatDue) {
		it.heartbeatDue = now.Add(it.heartbeat)
		everything = true
	}
	if !it.sampleDue.IsZero() && !now.Before(it.sampleDue) {
		it.sampleDue = now.Add(it.every)
		everything = everything || !it.suppress
		changes = true
	}
	return everything, changes
}
