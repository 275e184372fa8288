// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"context"
	"errors"
	"io"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"

	"sextant/agent/internal/contract"
)

// clientSide is a client's side of a Subscribe.
type clientSide struct {
	t      *testing.T
	stream gpb.GNMI_SubscribeClient
	// got ends with the stream; then broken has how it ended.
	got    chan *gpb.SubscribeResponse
	broken chan error
}

func (n *node) subscribe(first *gpb.SubscribeRequest) *clientSide {
	n.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	n.t.Cleanup(cancel)
	stream, err := n.rpc.Subscribe(ctx)
	if err != nil {
		n.t.Fatal(err)
	}
	if err := stream.Send(first); err != nil && !errors.Is(err, io.EOF) {
		n.t.Fatal(err)
	}
	c := &clientSide{t: n.t, stream: stream, got: make(chan *gpb.SubscribeResponse, 256), broken: make(chan error, 1)}
	go func() {
		for {
			r, err := stream.Recv()
			if err != nil {
				c.broken <- err
				close(c.got)
				return
			}
			c.got <- r
		}
	}()
	return c
}

func (n *node) stream(subs ...*gpb.Subscription) *clientSide {
	n.t.Helper()
	return n.subscribe(list(&gpb.SubscriptionList{Mode: gpb.SubscriptionList_STREAM, Encoding: gpb.Encoding_PROTO, Subscription: subs}))
}

func list(l *gpb.SubscriptionList) *gpb.SubscribeRequest {
	return &gpb.SubscribeRequest{Request: &gpb.SubscribeRequest_Subscribe{Subscribe: l}}
}

// next is the next notification; nil stands for sync_response.
func (c *clientSide) next() *gpb.Notification {
	c.t.Helper()
	select {
	case r, open := <-c.got:
		if !open {
			c.t.Fatalf("the stream broke: %v", <-c.broken)
		}
		if r.GetSyncResponse() {
			return nil
		}
		return r.GetUpdate()
	case <-time.After(patience):
		c.t.Fatalf("no message within %v", patience)
	}
	return nil
}

func (c *clientSide) wants(want ...string) {
	c.t.Helper()
	n := c.next()
	if n == nil {
		c.t.Fatalf("got sync_response, want %v", want)
	}
	if diff := cmp.Diff(want, flat(n)); diff != "" {
		c.t.Errorf("notification (-want +got):\n%s", diff)
	}
}

func (c *clientSide) wantsSync() {
	c.t.Helper()
	if n := c.next(); n != nil {
		c.t.Fatalf("got %v, want sync_response", n)
	}
}

func (c *clientSide) breaks(code codes.Code, saying string) {
	c.t.Helper()
	for {
		select {
		case _, open := <-c.got:
			if open {
				continue
			}
			wantCode(c.t, <-c.broken, code, saying)
		case <-time.After(patience):
			c.t.Fatalf("the stream did not end within %v", patience)
		}
		return
	}
}

func onChange(text string) *gpb.Subscription {
	return &gpb.Subscription{Path: path(text), Mode: gpb.SubscriptionMode_ON_CHANGE}
}

func sample(text string, every time.Duration) *gpb.Subscription {
	return &gpb.Subscription{Path: path(text), Mode: gpb.SubscriptionMode_SAMPLE, SampleInterval: uint64(every)}
}

const eth2 = "/interfaces/interface[name=eth2]"

func TestOnceSendsTheStateAndEnds(t *testing.T) {
	prefix := path("/interfaces/interface[name=*]")
	prefix.Target = "l1"
	c := startNode(t).subscribe(list(&gpb.SubscriptionList{
		Prefix: prefix, Mode: gpb.SubscriptionList_ONCE, Encoding: gpb.Encoding_JSON_IETF,
		Subscription: []*gpb.Subscription{{Path: path("/state/oper-status")}},
	}))
	c.wants(eth1 + `/state/oper-status = "UP"`)
	if n := c.next(); n.GetPrefix().GetTarget() != "l1" {
		t.Errorf("prefix %v, want target l1", n.GetPrefix())
	}
	c.wantsSync()
	if err := <-c.broken; !errors.Is(err, io.EOF) {
		t.Errorf("the stream ended with %v, want its end", err)
	}
}

func TestPollSendsTheStateAtFirstAndAtEachPoll(t *testing.T) {
	n := startNode(t)
	c := n.subscribe(list(&gpb.SubscriptionList{
		Mode: gpb.SubscriptionList_POLL, Encoding: gpb.Encoding_PROTO,
		Subscription: []*gpb.Subscription{{Path: path(eth1 + "/state/admin-status")}},
	}))
	poll := &gpb.SubscribeRequest{Request: &gpb.SubscribeRequest_Poll{Poll: &gpb.Poll{}}}
	c.wants(eth1 + "/state/admin-status = UP")
	c.wantsSync()
	n.backend.ChangePort("eth1", func(p *contract.Port) { p.Enabled = false })
	for range 2 {
		if err := c.stream.Send(poll); err != nil {
			t.Fatal(err)
		}
		c.wants(eth1 + "/state/admin-status = DOWN")
		c.wantsSync()
	}
	if err := c.stream.Send(list(&gpb.SubscriptionList{})); err != nil {
		t.Fatal(err)
	}
	c.breaks(codes.InvalidArgument, "a POLL subscription takes Poll messages only")
}

func TestOnChangeSendsTheStateThenOnlyChanges(t *testing.T) {
	n := startNode(t)
	c := n.stream(onChange("/interfaces/interface[name=*]/state/oper-status"), onChange(eth2+"/state/mtu"))
	c.wants(eth1 + "/state/oper-status = UP")
	c.wants(eth2 + "/state/oper-status = DOWN")
	c.wants(eth2 + "/state/mtu = 9000")
	c.wantsSync()

	n.backend.ChangePort("eth1", func(p *contract.Port) { p.In.Octets++ }) // not followed: silence
	n.backend.ChangePort("eth2", func(p *contract.Port) { p.MTUBytes = 1500 })
	c.wants(eth2 + "/state/mtu = 1500")
	n.backend.ChangePort("eth1", func(p *contract.Port) { p.Up = false })
	c.wants(eth1 + "/state/oper-status = DOWN")
}

func TestOnChangeTellsWhatIsGoneAndLeavesCountersOut(t *testing.T) {
	n := startNode(t)
	c := n.stream(onChange("/interfaces"))
	for _, want := range []int{22, 16} { // 1 name, 3 config, 7 state, 1 MAC, 2 index, 2 MTU, 3 per address
		if got := len(c.next().GetUpdate()); got != want {
			t.Errorf("got %d leaves, want %d", got, want)
		}
	}
	c.wantsSync()
	n.backend.ChangePort("eth1", func(p *contract.Port) {
		p.In.Octets++
		p.Addresses = []netip.Prefix{netip.MustParsePrefix("2001:db8::1/64")}
	})
	const gone = "gone " + eth1 + "/subinterfaces/subinterface[index=0]/ipv4/addresses/address[ip=10.0.0.1]"
	c.wants(gone+"/ip", gone+"/state/ip", gone+"/state/prefix-length")
}

func TestAChangeOfTheOperationalStateIsDated(t *testing.T) {
	n := startNode(t)
	c := n.stream(onChange(eth1 + "/state/last-change"))
	c.wantsSync() // not known yet
	n.backend.ChangePort("eth1", func(p *contract.Port) { p.Up = false })
	c.wants(eth1 + "/state/last-change = 1700000000000000123")
}

func TestSampleSendsEverythingAtEachInterval(t *testing.T) {
	n := startNode(t)
	c := n.stream(sample(eth1+"/state/counters/in-pkts", 100*time.Millisecond))
	start := time.Now()
	c.wants(eth1 + "/state/counters/in-pkts = 3")
	c.wantsSync()
	c.wants(eth1 + "/state/counters/in-pkts = 3")
	c.wants(eth1 + "/state/counters/in-pkts = 3")
	if took := time.Since(start); took < 150*time.Millisecond {
		t.Errorf("two samples took %v, want at least their intervals", took)
	}
}

func TestARedundantSampleIsSuppressedUntilTheHeartbeat(t *testing.T) {
	n := startNode(t)
	sub := sample(eth1+"/state/counters/in-pkts", 100*time.Millisecond)
	sub.SuppressRedundant = true
	sub.HeartbeatInterval = uint64(time.Second)
	c := n.stream(sub)
	start := time.Now()
	c.wants(eth1 + "/state/counters/in-pkts = 3")
	c.wantsSync()
	c.wants(eth1 + "/state/counters/in-pkts = 3")
	if took := time.Since(start); took < 900*time.Millisecond {
		t.Errorf("the value came again after %v, want the heartbeat of 1s", took)
	}
	n.backend.ChangePort("eth1", func(p *contract.Port) { p.In.Packets = 4 })
	c.wants(eth1 + "/state/counters/in-pkts = 4")
}

func TestAnOnChangeHeartbeatRepeatsTheState(t *testing.T) {
	sub := onChange(eth1 + "/state/oper-status")
	sub.HeartbeatInterval = uint64(100 * time.Millisecond)
	c := startNode(t).stream(sub)
	c.wants(eth1 + "/state/oper-status = UP")
	c.wantsSync()
	c.wants(eth1 + "/state/oper-status = UP")
	c.wants(eth1 + "/state/oper-status = UP")
}

func TestWithUpdatesOnlyTheFirstStateIsLeftOut(t *testing.T) {
	n := startNode(t)
	c := n.subscribe(list(&gpb.SubscriptionList{
		Mode: gpb.SubscriptionList_STREAM, Encoding: gpb.Encoding_PROTO, UpdatesOnly: true,
		Subscription: []*gpb.Subscription{onChange("/interfaces/interface/state/oper-status")},
	}))
	c.wantsSync()
	n.backend.ChangePort("eth2", func(p *contract.Port) { p.Up = true })
	c.wants(eth2 + "/state/oper-status = UP")
}

func TestWhereTheAgentChoosesStateIsOnChangeAndCountersAreSampled(t *testing.T) {
	root := schema()
	items, err := newItems(root, &gpb.SubscriptionList{}, &gpb.Subscription{Path: path(eth1 + "/state")})
	if err != nil {
		t.Fatal(err)
	}
	if len(items) != 2 || !items[0].onChange || items[1].every != countersInterval {
		t.Fatalf("got %+v, want one on change and one sampled", items)
	}
	all := leaves(testPorts(), nil)
	if changing, sampled := items[0].pick(all), items[1].pick(all); len(changing) != 7 || len(sampled) != 10 {
		t.Errorf("got %d leaves on change and %d sampled, want 7 and 10", len(changing), len(sampled))
	}
}

func TestAClientThatStopsSendingStaysSubscribed(t *testing.T) {
	n := startNode(t)
	c := n.stream(onChange(eth1 + "/state/oper-status"))
	if err := c.stream.CloseSend(); err != nil {
		t.Fatal(err)
	}
	c.wants(eth1 + "/state/oper-status = UP")
	c.wantsSync()
	n.backend.ChangePort("eth1", func(p *contract.Port) { p.Up = false })
	c.wants(eth1 + "/state/oper-status = DOWN")
}

func TestABadSubscriptionIsRefused(t *testing.T) {
	n := startNode(t)
	heartbeat := onChange("/interfaces")
	heartbeat.HeartbeatInterval = 1
	one := func(s *gpb.Subscription) *gpb.SubscribeRequest {
		return list(&gpb.SubscriptionList{Subscription: []*gpb.Subscription{s}})
	}
	for _, tc := range []struct {
		name   string
		first  *gpb.SubscribeRequest
		code   codes.Code
		saying string
	}{
		{"a poll at first", &gpb.SubscribeRequest{Request: &gpb.SubscribeRequest_Poll{}}, codes.InvalidArgument, "must be a SubscriptionList"},
		{"no message", &gpb.SubscribeRequest{}, codes.InvalidArgument, "must be a SubscriptionList"},
		{"an empty list", list(&gpb.SubscriptionList{}), codes.InvalidArgument, "the subscription list is empty"},
		{"an unknown list mode", list(&gpb.SubscriptionList{Mode: 9, Subscription: []*gpb.Subscription{onChange("/interfaces")}}), codes.InvalidArgument, "mode 9 is unknown"},
		{"an unknown mode", one(&gpb.Subscription{Mode: 9}), codes.InvalidArgument, "subscription mode 9 is unknown"},
		{"an unknown path", one(onChange("/interfaces/interface/colour")), codes.InvalidArgument, `nothing called "colour"`},
		{"an encoding", list(&gpb.SubscriptionList{Encoding: gpb.Encoding_BYTES, Subscription: []*gpb.Subscription{onChange("/interfaces")}}), codes.Unimplemented, "encoding BYTES is not served"},
		{"counters on change", one(onChange(eth1 + "/state/counters")), codes.InvalidArgument, "counters always change; use SAMPLE"},
		{"too short an interval", one(sample("/interfaces", time.Millisecond)), codes.InvalidArgument, "sample_interval 1ms is shorter than 100ms"},
		{"an interval beyond time", one(&gpb.Subscription{Mode: gpb.SubscriptionMode_SAMPLE, SampleInterval: 1 << 63}), codes.InvalidArgument, "sample_interval"},
		{"too short a heartbeat", one(heartbeat), codes.InvalidArgument, "heartbeat_interval 1ns is shorter than 100ms"},
	} {
		t.Run(tc.name, func(t *testing.T) { n.subscribe(tc.first).breaks(tc.code, tc.saying) })
	}
	c := n.stream(onChange(eth1 + "/state/oper-status"))
	if err := c.stream.Send(one(onChange("/interfaces"))); err != nil {
		t.Fatal(err)
	}
	c.breaks(codes.InvalidArgument, "takes one message only")
}
