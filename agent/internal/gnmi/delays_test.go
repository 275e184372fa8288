// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"testing"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/memory"
)

// surveyor is a data plane with the measurements of a test.
type surveyor struct {
	*memory.Backend
	kept[contract.LinkDelay]
}

func (l *surveyor) LinkDelays() []contract.LinkDelay { return l.read() }

func (l *surveyor) LinkDelayChanges(tell func()) (stop func()) { return l.listen(tell) }

func measuring(t *testing.T, links ...contract.LinkDelay) (*node, *surveyor) {
	t.Helper()
	l := &surveyor{Backend: memory.New(testPorts()...), kept: kept[contract.LinkDelay]{all: links}}
	n, _ := serve(t, l.Backend, Options{Ports: l, Delays: l})
	return n, l
}

func port1(window uint64, least time.Duration) contract.LinkDelay {
	return contract.LinkDelay{
		Port: 1, Window: window, Sent: 10, Received: 9, Lost: 1,
		Delay: &contract.OneWayDelay{Min: least, Avg: 2 * time.Millisecond, Max: 5 * time.Millisecond},
	}
}

const atPort1 = "/link-delays/port[id=1]"

func TestTheDelayOfALinkIsReadWithItsWindow(t *testing.T) {
	n, _ := measuring(t, port1(7, 1234567*time.Nanosecond), contract.LinkDelay{Port: 2, Window: 7, Sent: 10, Lost: 10})
	c := n.subscribe(list(&gpb.SubscriptionList{
		Mode: gpb.SubscriptionList_ONCE, Encoding: gpb.Encoding_PROTO, Subscription: []*gpb.Subscription{{Path: path("/link-delays")}},
	}))
	c.wants(atPort1+"/id = 1", atPort1+"/state/id = 1", atPort1+"/state/window = 7", atPort1+"/state/sent = 10", atPort1+"/state/received = 9",
		atPort1+"/state/lost = 1", atPort1+"/state/delay-min = 1234", atPort1+"/state/delay-avg = 2000", atPort1+"/state/delay-max = 5000")
	const at2 = "/link-delays/port[id=2]"
	c.wants(at2+"/id = 2", at2+"/state/id = 2", at2+"/state/window = 7", at2+"/state/sent = 10", at2+"/state/received = 0", at2+"/state/lost = 10")
	c.wantsSync()
}

func TestEachWindowIsTold(t *testing.T) {
	n, l := measuring(t, port1(7, time.Millisecond))
	c := n.stream(onChange("/link-delays/port[id=*]/state"))
	c.wants(atPort1+"/state/id = 1", atPort1+"/state/window = 7", atPort1+"/state/sent = 10", atPort1+"/state/received = 9",
		atPort1+"/state/lost = 1", atPort1+"/state/delay-min = 1000", atPort1+"/state/delay-avg = 2000", atPort1+"/state/delay-max = 5000")
	c.wantsSync()
	l.set(port1(8, time.Millisecond)) // a window is news, also if it is like the last
	c.wants(atPort1 + "/state/window = 8")
	l.set()
	gone := []string{}
	for _, leaf := range []string{"delay-avg", "delay-max", "delay-min", "id", "lost", "received", "sent", "window"} {
		gone = append(gone, "gone "+atPort1+"/state/"+leaf)
	}
	c.wants(gone...)
}

func TestANodeThatMeasuresNothingHasNoPathOfIt(t *testing.T) {
	n := startNode(t)
	_, err := n.rpc.Get(t.Context(), &gpb.GetRequest{Path: []*gpb.Path{path("/link-delays")}})
	wantCode(t, err, codes.InvalidArgument, "nothing called")
	capable, err := n.rpc.Capabilities(t.Context(), &gpb.CapabilityRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range capable.GetSupportedModels() {
		if m.GetName() == moduleDelay {
			t.Error("it says it measures")
		}
	}
}
