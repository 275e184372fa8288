// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/memory"
)

// walls is a data plane with firewalls that send the events of a test.
type walls struct {
	*memory.Backend
	mu   sync.Mutex
	told func(contract.FirewallEvent)
}

func (w *walls) FirewallEvents(tell func(contract.FirewallEvent)) (stop func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = tell
	return func() {}
}

func (w *walls) tell(e contract.FirewallEvent) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told(e)
}

func guarded(t *testing.T, entries ...contract.Entry) (*node, *walls, *Server) {
	t.Helper()
	w := &walls{Backend: memory.New(testPorts()...)}
	for _, e := range entries {
		for _, err := range w.Apply(t.Context(), []contract.Update{{Op: contract.Insert, Entry: e}}) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	n, s := serve(t, w.Backend, Options{Ports: w, Firewalls: w})
	return n, w, s
}

func rule(set contract.FirewallID, priority int32, verdict contract.Verdict) contract.Firewall {
	return contract.Firewall{Firewall: set, Priority: priority, IPProto: contract.Masked(17, 0xff), Verdict: verdict, Log: true}
}

func sidOfFirewall(instance uint16, set contract.FirewallID) contract.MySID {
	return contract.MySID{
		SID: netip.PrefixFrom(netip.MustParseAddr(fmt.Sprintf("fcbb:bbbb:200:f2%x0::", instance)), 60),
		Behavior: contract.Behavior{
			Action: contract.Sera, BlockLength: 32, CSIDLength: 32,
			SERA: contract.SERA{Firewall: set, Instance: instance, USIDLength: 16, ArgsLength: 4, LocalStart: 0xe000},
		},
	}
}

func event(instance, port uint16) contract.FirewallEvent {
	source := uint16(1000)
	return contract.FirewallEvent{
		At: time.Unix(0, clock), Instance: instance, Firewall: 7, Priority: 100, Rule: 0xab, Verdict: contract.FwDrop,
		SID: netip.MustParseAddr("fcbb:bbbb:200:f230:600::"), Src: netip.MustParseAddr("2001:db8:1::1"), Dst: netip.MustParseAddr("10.0.2.1"),
		Protocol: 17, SrcPort: &source, DstPort: &port, Unlogged: 4,
	}
}

const (
	wall     = "/firewalls/firewall[instance=3]"
	logOf3   = wall + "/log/event"
	portOf3  = logOf3 + "/destination-port"
	allPorts = "/firewalls/firewall[instance=*]/log/event/destination-port"
)

func TestRulesOfAFirewallAreReadInTheirOrderWithTheirCounters(t *testing.T) {
	first, second, other := rule(7, 200, contract.FwGoNext), rule(7, 100, contract.FwDrop), rule(8, 50, contract.FwDrop)
	n, w, _ := guarded(t, second, first, other, sidOfFirewall(3, 7))
	idle := 2 * time.Second
	w.Count(first.Key(), contract.Counters{Packets: 5, Bytes: 500, Idle: &idle})
	c := n.subscribe(list(&gpb.SubscriptionList{
		Mode: gpb.SubscriptionList_ONCE, Encoding: gpb.Encoding_PROTO,
		Subscription: []*gpb.Subscription{{Path: path(wall + "/rules")}, {Path: path(wall + "/sids/sid[prefix=*]/state/rule-set")}},
	}))
	at := func(r contract.Firewall) string { return fmt.Sprintf("%s/rules/rule[id=%016x]", wall, r.ID()) }
	var want []string
	for _, r := range []contract.Firewall{first, second} {
		base := at(r)
		want = append(want, base+fmt.Sprintf("/id = %016x", r.ID()), base+fmt.Sprintf("/state/id = %016x", r.ID()), base+"/state/rule-set = 7",
			base+fmt.Sprintf("/state/priority = %d", r.Priority), base+"/state/action = "+string(r.Verdict), base+"/state/log = true")
		if r.Priority == 200 {
			want = append(want, base+"/state/counters/packets = 5", base+"/state/counters/bytes = 500", base+fmt.Sprintf("/state/counters/last-hit = %d", clock-2_000_000_000))
		}
	}
	c.wants(want...)
	c.wants(wall + "/sids/sid[prefix=fcbb:bbbb:200:f230::/60]/state/rule-set = 7")
	c.wantsSync()
}

func TestCountersOfRulesAreSampled(t *testing.T) {
	r := rule(7, 200, contract.FwDrop)
	n, w, _ := guarded(t, r, sidOfFirewall(3, 7))
	c := n.stream(sample(wall+"/rules/rule/state/counters/packets", 100*time.Millisecond))
	c.wantsSync()
	w.Count(r.Key(), contract.Counters{Packets: 9})
	c.wants(fmt.Sprintf("%s/rules/rule[id=%016x]/state/counters/packets = 9", wall, r.ID()))
}

func TestAnEventIsToldWithWhatItsPacketHasAndWhenItWas(t *testing.T) {
	n, w, _ := guarded(t)
	c := n.stream(onChange(wall + "/log"))
	c.wantsSync() // earlier events are not sent
	w.tell(event(4, 53))
	w.tell(event(3, 53))
	told := c.next()
	if told.GetTimestamp() != clock {
		t.Errorf("told as of %d", told.GetTimestamp())
	}
	want := []string{
		fmt.Sprintf("%s/time = %d", logOf3, int64(clock)), logOf3 + "/sid = fcbb:bbbb:200:f230:600::", logOf3 + "/rule-set = 7",
		logOf3 + "/rule = 00000000000000ab", logOf3 + "/priority = 100", logOf3 + "/action = fw_drop", logOf3 + "/source = 2001:db8:1::1",
		logOf3 + "/destination = 10.0.2.1", logOf3 + "/protocol = 17", logOf3 + "/source-port = 1000", portOf3 + " = 53",
		logOf3 + "/unlogged = 4", logOf3 + "/lost = 0",
	}
	if got := flat(told); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	ping := event(3, 0)
	ping.SrcPort, ping.DstPort, ping.Dropped = nil, nil, "flows"
	kind, code := uint8(128), uint8(0)
	ping.ICMPType, ping.ICMPCode = &kind, &code
	w.tell(ping)
	got := flat(c.next())
	if !slices.Contains(got, logOf3+"/icmp-type = 128") || !slices.Contains(got, logOf3+"/dropped = flows") || slices.Contains(got, portOf3+" = 0") {
		t.Errorf("got %q", got)
	}
}

func TestWhoDoesNotKeepUpMissesTheOldestEventsAndIsToldHowMany(t *testing.T) {
	q := newQueue()
	q.wanted[3], q.wanted[5] = true, true
	q.put(event(5, 1))
	for port := range uint16(maxQueued + 10) {
		q.put(event(3, port))
		q.put(event(4, port)) // another firewall's
	}
	q.put(event(5, 2))
	events := q.take()
	last := len(events) - 1
	if last+1 != maxQueued || events[0].lost != 11 || *events[0].DstPort != 11 || events[1].lost != 0 || events[last].lost != 1 || events[last].Instance != 5 {
		t.Errorf("%d events, the first %+v, the last %+v", len(events), events[0], events[last])
	}
	q.put(event(3, 1))
	if events = q.take(); len(events) != 1 || events[0].lost != 0 {
		t.Errorf("%+v is told twice", events)
	}
}

func TestLostEventsAreToldWithTheNextOneOnly(t *testing.T) {
	n, w, s := guarded(t)
	c := n.stream(onChange(allPorts), onChange("/firewalls/firewall[instance=3]/log/event/lost"))
	c.wantsSync()
	s.mu.Lock()
	for q := range s.queues {
		q.mu.Lock()
		q.lost[3] = 10
		q.mu.Unlock()
	}
	s.mu.Unlock()
	w.tell(event(3, 1))
	c.wants(portOf3+" = 1", logOf3+"/lost = 10")
	w.tell(event(3, 2))
	c.wants(portOf3+" = 2", logOf3+"/lost = 0")
}

func TestNobodyIsToldWhoHasGone(t *testing.T) {
	n, w, s := guarded(t)
	c := n.stream(onChange(allPorts))
	c.wantsSync()
	_ = c.stream.CloseSend()
	w.tell(event(9, 1))
	c.wants("/firewalls/firewall[instance=9]/log/event/destination-port = 1")
	s.Close()
	c.breaks(codes.Unavailable, "the agent stops")
	for deadline := time.Now().Add(patience); ; {
		s.mu.Lock()
		left := len(s.queues)
		s.mu.Unlock()
		if left == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d queues are left", left)
		}
	}
}

func TestWhatCannotBeFollowedIsRefused(t *testing.T) {
	n, _, _ := guarded(t)
	n.stream(onChange(wall+"/rules")).breaks(codes.InvalidArgument, "of firewalls only log/event supports ON_CHANGE; use SAMPLE")
	n.stream(onChange("/firewalls")).breaks(codes.InvalidArgument, "use SAMPLE")
	n.stream(sample(logOf3, time.Second)).breaks(codes.InvalidArgument, "events are no state; use ON_CHANGE")
}

func TestANodeWithoutFirewallsHasNoPathsOfThem(t *testing.T) {
	n := startNode(t)
	n.stream(onChange(logOf3)).breaks(codes.InvalidArgument, `nothing called "firewalls" is served there`)
	all, err := n.rpc.Capabilities(t.Context(), &gpb.CapabilityRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all.GetSupportedModels() {
		if m.GetName() == moduleFirewall {
			t.Error("it says it has firewalls")
		}
	}
}

func TestMoreRulesThanThereIsRoomForAreRefusedAndFewerAreNot(t *testing.T) {
	entries := []contract.Stored{}
	for i := range int32(8000) {
		e := rule(7, i+1, contract.FwDrop)
		entries = append(entries, contract.Stored{Entry: e, Counters: &contract.Counters{}})
	}
	state := firewallsOf([]contract.Stored{{Entry: sidOfFirewall(3, 7)}}, entries)
	root := schema(firewallSchema())
	for _, tc := range []struct {
		path string
		want int // -1: too many
	}{
		{"/firewalls", -1},
		{wall + "/rules/rule/state/counters", 16_000},
		{wall + "/rules/rule[id=" + ruleID(rule(7, 5, contract.FwDrop).ID()) + "]/state/priority", 1},
		{"/firewalls/firewall[instance=4]", 0},
	} {
		p, err := parsePath(root, nil, path(tc.path))
		if err != nil {
			t.Fatal(err)
		}
		got, err := state.pick([]pattern{p}, newLanes().modest)
		if (err != nil) != (tc.want < 0) || err == nil && len(got) != tc.want {
			t.Errorf("%s: %d leaves, %v; want %d", tc.path, len(got), err, tc.want)
		}
	}
}
