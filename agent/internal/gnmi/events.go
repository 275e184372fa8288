// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"slices"
	"sync"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/contract"
)

// maxQueued events wait for a subscriber: some seconds of all that a firewall reports, and some 60 KiB.
const maxQueued = 256

// queue holds the pending events of one subscriber. A subscriber that does not keep up misses the oldest events, and
// receives their number.
type queue struct {
	wanted [contract.MaxFirewallInstance + 1]bool // by instance, so that one firewall's noise is no other one's loss
	more   chan struct{}                          // has an element while there may be something

	mu     sync.Mutex // guards the fields below
	events []contract.FirewallEvent
	lost   map[uint16]uint64 // by instance, until its next event was sent
}

func newQueue() *queue { return &queue{more: make(chan struct{}, 1), lost: map[uint16]uint64{}} }

func (q *queue) put(e contract.FirewallEvent) {
	if int(e.Instance) >= len(q.wanted) || !q.wanted[e.Instance] {
		return
	}
	q.mu.Lock()
	if len(q.events) == maxQueued {
		q.lost[q.events[0].Instance]++
		q.events = slices.Delete(q.events, 0, 1)
	}
	q.events = append(q.events, e)
	q.mu.Unlock()
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// take empties the queue; lost are those of each instance that were before.
func (q *queue) take() []missed {
	q.mu.Lock()
	defer q.mu.Unlock()
	var out []missed
	for _, e := range q.events {
		out = append(out, missed{e, q.lost[e.Instance]})
		delete(q.lost, e.Instance)
	}
	q.events = nil
	return out
}

// missed is an event, and how many of its firewall were not sent before it.
type missed struct {
	contract.FirewallEvent
	lost uint64
}

// tell puts an event into the queues of all that want it; it waits for none of them.
func (s *Server) tell(e contract.FirewallEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for q := range s.queues {
		q.put(e)
	}
}

// listen opens the queue of a subscriber, nil if it follows no events.
func (s *subscriber) listen() (*queue, func()) {
	if s.firewalls == nil || !slices.ContainsFunc(s.items, func(it *item) bool { return it.onChange }) {
		return nil, func() {}
	}
	q, some := newQueue(), false
	for instance := range q.wanted {
		path := append(firewallPath(uint16(instance)), elem{name: stepLog}, elem{name: "event"})
		s.lane().do(func() {
			q.wanted[instance] = slices.ContainsFunc(s.items, func(it *item) bool { return it.onChange && it.pattern.mayReach(path) })
		})
		some = some || q.wanted[instance]
	}
	if !some {
		return nil, func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queues[q] = struct{}{}
	return q, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.queues, q)
	}
}

// onEvents sends one notification per event, of the time at which it happened.
func (s *subscriber) onEvents(q *queue) error {
	for _, e := range q.take() {
		ready := new(grpc.PreparedMsg)
		var err error
		told := false
		s.lane().do(func() {
			picked := selection{room: maxLeaves}
			for _, it := range s.items {
				if it.onChange {
					picked.patterns = append(picked.patterns, it.pattern)
				}
			}
			addEvent(&picked, e)
			var n *gpb.Notification
			if told = len(picked.leaves) > 0; !told {
				return
			}
			if n, err = s.notification(e.At.UnixNano(), picked.leaves, nil); err == nil {
				err = ready.Encode(s.stream, &gpb.SubscribeResponse{Response: &gpb.SubscribeResponse_Update{Update: n}})
			}
		})
		if err != nil {
			return status.Errorf(codes.Internal, "an event of firewall %d: %v", e.Instance, err)
		}
		if !told {
			continue
		}
		if err := s.stream.SendMsg(ready); err != nil {
			return err
		}
	}
	return nil
}

// eventLeaves are the names of an event's leaves, in the order of addEvent.
func eventLeaves() []string {
	return []string{
		"time", "sid", "rule-set", "rule", "priority", "action", "dropped", "source", "destination", "protocol",
		"source-port", "destination-port", "icmp-type", "icmp-code", "unlogged", "lost",
	}
}

// addEvent leaves out fields that a packet does not have.
func addEvent(to *selection, e missed) {
	base := append(firewallPath(e.Instance), elem{name: stepLog}, elem{name: "event"})
	to.add(base, uint64(e.At.UnixNano()), "time")
	to.add(base, e.SID.String(), "sid")
	to.add(base, uint32(e.Firewall), "rule-set")
	to.add(base, ruleID(e.Rule), "rule")
	to.add(base, uint32(e.Priority), "priority")
	to.add(base, string(e.Verdict), "action")
	if e.Dropped != "" {
		to.add(base, e.Dropped, "dropped")
	}
	to.add(base, e.Src.String(), "source")
	to.add(base, e.Dst.String(), "destination")
	to.add(base, e.Protocol, "protocol")
	if e.SrcPort != nil && e.DstPort != nil {
		to.add(base, *e.SrcPort, "source-port")
		to.add(base, *e.DstPort, "destination-port")
	}
	if e.ICMPType != nil && e.ICMPCode != nil {
		to.add(base, *e.ICMPType, "icmp-type")
		to.add(base, *e.ICMPCode, "icmp-code")
	}
	to.add(base, e.Unlogged, "unlogged")
	to.add(base, e.lost, "lost")
}
