// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"slices"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"sextant/agent/internal/streams"
)

// subscriber is one Subscribe RPC.
type subscriber struct {
	*Server
	stream gpb.GNMI_SubscribeServer
	list   *gpb.SubscriptionList
	items  []*item
	// requests delivers the client's messages after the first one, broken how it ended.
	requests <-chan *gpb.SubscribeRequest
	broken   <-chan error
}

// Subscribe serves ONCE, POLL and STREAM (gNMI, 3.5).
func (s *Server) Subscribe(stream gpb.GNMI_SubscribeServer) error {
	requests, broken := streams.Receive(&s.receivers, stream)
	var first *gpb.SubscribeRequest
	select {
	case first = <-requests:
	case err := <-broken:
		return err
	case <-s.closing:
		return errStopping()
	}
	list := first.GetSubscribe()
	if list == nil {
		return status.Error(codes.InvalidArgument, "the first message of Subscribe must be a SubscriptionList")
	}
	sub := &subscriber{Server: s, stream: stream, list: list, requests: requests, broken: broken}
	if err := sub.open(); err != nil {
		return err
	}
	switch list.GetMode() {
	case gpb.SubscriptionList_ONCE:
		return sub.once()
	case gpb.SubscriptionList_POLL:
		return sub.poll()
	case gpb.SubscriptionList_STREAM:
		return sub.follow()
	default:
		return status.Errorf(codes.InvalidArgument, "subscription list mode %v is unknown", list.GetMode())
	}
}

func errStopping() error { return status.Error(codes.Unavailable, "the agent stops") }

func (s *subscriber) open() error {
	if err := checkEncoding(s.list.GetEncoding()); err != nil {
		return err
	}
	if err := s.checkModels(s.list.GetUseModels()); err != nil {
		return err
	}
	if len(s.list.GetSubscription()) == 0 {
		return status.Error(codes.InvalidArgument, "the subscription list is empty")
	}
	if err := checkPaths(len(s.list.GetSubscription())); err != nil {
		return err
	}
	lane := s.lanes.of(len(s.list.GetSubscription()))
	for _, sub := range s.list.GetSubscription() {
		var items []*item
		var err error
		lane.do(func() { items, err = newItems(s.root, s.list, sub) })
		if err != nil {
			return err
		}
		s.items = append(s.items, items...)
	}
	return nil
}

func (s *subscriber) lane() lane { return s.lanes.of(len(s.items)) }

// round sends the state once, or with updates_only the changes since the last round, which are none in the first one;
// then sync_response.
func (s *subscriber) round(first bool) error {
	all, err := s.look(func(*item) bool { return true })
	if err != nil {
		return err
	}
	room := budget(maxLeaves)
	for _, it := range s.items {
		var now, fresh, gone []leaf
		s.lane().do(func() {
			now = it.pick(all)
			if err = room.take(len(now)); err == nil {
				fresh, gone = it.remember(now)
			}
		})
		if err != nil {
			return err
		}
		switch {
		case !s.list.GetUpdatesOnly():
			err = s.send(now, gone)
		case !first:
			err = s.send(fresh, gone)
		}
		if err != nil {
			return err
		}
	}
	return s.stream.Send(&gpb.SubscribeResponse{Response: &gpb.SubscribeResponse_SyncResponse{SyncResponse: true}})
}

func (s *subscriber) once() error { return s.round(true) }

// poll answers at once and then each Poll message. A client that half-closes has seen enough.
func (s *subscriber) poll() error {
	if err := s.round(true); err != nil {
		return err
	}
	for {
		select {
		case request := <-s.requests:
			if request.GetPoll() == nil {
				return status.Error(codes.InvalidArgument, "a POLL subscription takes Poll messages only")
			}
			if err := s.round(false); err != nil {
				return err
			}
		case err := <-s.broken:
			return err
		case <-s.closing:
			return errStopping()
		}
	}
}

// follow streams until the client goes. A client that only closes its sending side stays
// subscribed: it has nothing more to say, but listens.
func (s *subscriber) follow() error {
	news := s.nextNews() // before the first read, so that no change is missed
	events, deaf := s.listen()
	defer deaf()
	if events == nil {
		events = new(queue) // of which nothing comes
	}
	if err := s.round(true); err != nil {
		return err
	}
	start := time.Now()
	for _, it := range s.items {
		it.start(start)
	}
	broken := s.broken
	for {
		timer, stop := s.timer()
		var err error
		select {
		case <-news:
			news = s.nextNews()
			err = s.onChange()
		case <-events.more:
			err = s.onEvents(events)
		case now := <-timer:
			err = s.onTime(now)
		case <-s.requests:
			err = status.Error(codes.InvalidArgument, "a STREAM subscription takes one message only")
		case err = <-broken:
			broken = nil
		case <-s.stream.Context().Done():
			err = status.FromContextError(s.stream.Context().Err()).Err()
		case <-s.closing:
			err = errStopping()
		}
		stop()
		if err != nil {
			return err
		}
	}
}

// timer fires when the first item is due; the channel is nil when none ever is.
func (s *subscriber) timer() (<-chan time.Time, func()) {
	var next time.Time
	for _, it := range s.items {
		if due := it.due(); !due.IsZero() && (next.IsZero() || due.Before(next)) {
			next = due
		}
	}
	if next.IsZero() {
		return nil, func() {}
	}
	t := time.NewTimer(time.Until(next))
	return t.C, func() { t.Stop() }
}

// look is a snapshot for some of the items.
func (s *subscriber) look(of func(*item) bool) ([]leaf, error) {
	return s.snapshot(s.stream.Context(), s.patterns(of)...)
}

func (s *subscriber) patterns(of func(*item) bool) (patterns []pattern) {
	for _, it := range s.items {
		if of(it) {
			patterns = append(patterns, it.pattern)
		}
	}
	return patterns
}

// onChange reads the part of the state whose changes are notified: not the changes of firewalls.
func (s *subscriber) onChange() error {
	all, err := s.told(s.stream.Context(), s.patterns(func(it *item) bool { return it.onChange })...)
	if err != nil {
		return err
	}
	for _, it := range s.items {
		if !it.onChange {
			continue
		}
		var fresh, gone []leaf
		s.lane().do(func() { fresh, gone = it.remember(it.pick(all)) })
		if err := s.send(fresh, gone); err != nil {
			return err
		}
	}
	return nil
}

func (s *subscriber) onTime(now time.Time) error {
	ticks := map[*item]bool{} // whether everything is to be sent
	for _, it := range s.items {
		if everything, changes := it.tick(now); everything || changes {
			ticks[it] = everything
		}
	}
	all, err := s.look(func(it *item) bool { _, due := ticks[it]; return due })
	if err != nil {
		return err
	}
	for _, it := range s.items {
		everything, due := ticks[it]
		if !due {
			continue
		}
		var fresh, gone []leaf
		s.lane().do(func() {
			picked := it.pick(all)
			if fresh, gone = it.remember(picked); everything {
				fresh = picked
			}
		})
		if err := s.send(fresh, gone); err != nil {
			return err
		}
	}
	return nil
}

// maxUpdates of a notification: a firewall has more leaves than a client takes in one message.
const maxUpdates = 512

// send makes one notification per interface, and some per firewall, with leaves as updates and vanished leaves as
// deletes.
func (s *subscriber) send(updates, gone []leaf) error {
	timestamp := s.now().UnixNano()
	for len(updates) > 0 || len(gone) > 0 {
		var name string
		if len(updates) > 0 {
			name = ownerOf(updates[0])
		} else {
			name = ownerOf(gone[0])
		}
		mine, others := split(updates, name)
		mineGone, othersGone := split(gone, name)
		updates, gone = others, othersGone
		ready := new(grpc.PreparedMsg)
		var err error
		s.lane().do(func() {
			var n *gpb.Notification
			if n, err = s.notification(timestamp, mine, mineGone); err == nil {
				err = ready.Encode(s.stream, &gpb.SubscribeResponse{Response: &gpb.SubscribeResponse_Update{Update: n}})
			}
		})
		if err != nil {
			return status.Errorf(codes.Internal, "%s: %v", name, err)
		}
		if err := s.stream.SendMsg(ready); err != nil {
			return err
		}
	}
	return nil
}

func (s *subscriber) notification(timestamp int64, updates, gone []leaf) (n *gpb.Notification, err error) {
	n = &gpb.Notification{Timestamp: timestamp, Prefix: targetPrefix(s.list.GetPrefix())}
	n.Update, err = leafUpdates(updates, s.list.GetEncoding())
	for _, l := range gone {
		n.Delete = append(n.Delete, message(l.path))
	}
	return n, err
}

// ownerOf is the interface, firewall or watched list that a leaf belongs to.
func ownerOf(l leaf) string { return pathText(l.path[:2]) }

func split(leaves []leaf, name string) (mine, others []leaf) {
	i := slices.IndexFunc(leaves, func(l leaf) bool { return ownerOf(l) != name })
	if i < 0 {
		i = len(leaves)
	}
	i = min(i, maxUpdates)
	return leaves[:i], leaves[i:]
}
