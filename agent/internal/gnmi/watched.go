// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"context"
	"slices"
	"strconv"
	"time"

	"sextant/agent/internal/contract"
)

const (
	stepLiveness = "liveness"
	stepList     = "list"
)

// measuredLeaves always change, in the order of addWatched; they are sampled.
func measuredLeaves() []string {
	return []string{"sent", "received", "lost", "delay-min", "delay-avg", "delay-max", "delay-last", "jitter"}
}

// livenessSchema is a model of this project's own: OpenConfig's knows probes between two ends, and none of segment lists.
//
//	/liveness/list[id]    a segment list that the node watches, by its number in the contract
//	    state             whether it is silent, since when, its substitute, and the results of its probes
func livenessSchema() *schemaNode {
	in := func(name string, children ...*schemaNode) *schemaNode {
		return &schemaNode{name: name, module: moduleLiveness, children: children}
	}
	var state []*schemaNode
	for _, name := range append([]string{"id", "status", "since", "in-use"}, measuredLeaves()...) {
		state = append(state, in(name))
	}
	list := in(stepList, in("id"), in("state", state...))
	list.key = "id"
	return in(stepLiveness, list)
}

// readLiveness asks the node, which asks no kernel for it.
func (s *Server) readLiveness(context.Context) (all []leaf, err error) {
	lists := s.liveness.WatchedLists()
	s.lanes.modest.do(func() {
		slices.SortFunc(lists, func(a, b contract.WatchedList) int { return int(int64(a.SIDList) - int64(b.SIDList)) })
		for _, l := range lists {
			all = addWatched(all, l)
		}
	})
	return all, nil
}

// addWatched leaves out the delays of probes that never came back.
func addWatched(to []leaf, l contract.WatchedList) []leaf {
	id := strconv.FormatUint(uint64(l.SIDList), 10)
	b := builder{base: []elem{{name: stepLiveness}, {stepList, "id", id}}}
	b.add(uint32(l.SIDList), "id")
	b.add(uint32(l.SIDList), "state", "id")
	b.add(l.Status, "state", "status")
	b.add(uint64(l.Since.UnixNano()), "state", "since")
	b.add(uint32(l.InUse), "state", "in-use")
	b.add(l.Sent, "state", "sent")
	b.add(l.Received, "state", "received")
	b.add(l.Lost, "state", "lost")
	if d := l.Delay; d != nil {
		for i, delay := range []time.Duration{d.Min, d.Avg, d.Max, d.Last, d.Jitter} {
			b.add(uint64(delay.Microseconds()), "state", measuredLeaves()[3+i])
		}
	}
	return append(to, b.leaves...)
}

// isMeasured says of a leaf of a watched list that it always changes.
func isMeasured(path []elem) bool {
	return path[0].name == stepLiveness && slices.Contains(measuredLeaves(), path[len(path)-1].name)
}
