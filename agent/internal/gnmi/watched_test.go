// SPDX-License-Identifier: Apache-2.0

package gnmi

import (
	"fmt"
	"testing"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/contract/memory"
)

// lookout is a data plane that watches the lists that a test says.
type lookout struct {
	*memory.Backend
	kept[contract.WatchedList]
}

func (l *lookout) WatchedLists() []contract.WatchedList { return l.read() }

func (l *lookout) LivenessChanges(tell func()) (stop func()) { return l.listen(tell) }

func watching(t *testing.T, lists ...contract.WatchedList) (*node, *lookout) {
	t.Helper()
	l := &lookout{Backend: memory.New(testPorts()...), kept: kept[contract.WatchedList]{all: lists}}
	n, _ := serve(t, l.Backend, Options{Ports: l, Liveness: l})
	return n, l
}

func list7(status string, inUse contract.SIDListID, sent uint64) contract.WatchedList {
	return contract.WatchedList{
		SIDList: 7, InUse: inUse, Status: status, Since: time.Unix(0, clock), Sent: sent, Received: sent - 1, Lost: 1,
		Delay: &contract.ProbeDelay{
			Min: 250 * time.Microsecond, Avg: 300 * time.Microsecond, Max: 2 * time.Millisecond, Last: 310 * time.Microsecond, Jitter: 12 * time.Microsecond,
		},
	}
}

const at7 = "/liveness/list[id=7]"

func TestAWatchedListIsReadWithWhatItsProbesSay(t *testing.T) {
	n, _ := watching(t, list7("UP", 7, 100), contract.WatchedList{SIDList: 12, InUse: 12, Status: "UNKNOWN", Since: time.Unix(0, 5)})
	c := n.subscribe(list(&gpb.SubscriptionList{
		Mode: gpb.SubscriptionList_ONCE, Encoding: gpb.Encoding_PROTO, Subscription: []*gpb.Subscription{{Path: path("/liveness")}},
	}))
	c.wants(at7+"/id = 7", at7+"/state/id = 7", at7+"/state/status = UP", at7+fmt.Sprintf("/state/since = %d", int64(clock)), at7+"/state/in-use = 7",
		at7+"/state/sent = 100", at7+"/state/received = 99", at7+"/state/lost = 1", at7+"/state/delay-min = 250", at7+"/state/delay-avg = 300",
		at7+"/state/delay-max = 2000", at7+"/state/delay-last = 310", at7+"/state/jitter = 12")
	const at12 = "/liveness/list[id=12]"
	c.wants(at12+"/id = 12", at12+"/state/id = 12", at12+"/state/status = UNKNOWN", at12+"/state/since = 5", at12+"/state/in-use = 12",
		at12+"/state/sent = 0", at12+"/state/received = 0", at12+"/state/lost = 0")
	c.wantsSync()
}

func TestAChangedListIsToldAtOnceAndItsCountersAreNot(t *testing.T) {
	n, l := watching(t, list7("UP", 7, 100))
	c := n.stream(onChange("/liveness/list/state"))
	c.wants(at7+"/state/id = 7", at7+"/state/status = UP", at7+fmt.Sprintf("/state/since = %d", int64(clock)), at7+"/state/in-use = 7")
	c.wantsSync()
	l.set(list7("UP", 7, 200)) // nothing but counters
	l.set(list7("DOWN", 8, 300))
	c.wants(at7+"/state/status = DOWN", at7+"/state/in-use = 8")
	l.set()
	c.wants("gone "+at7+"/state/id", "gone "+at7+"/state/in-use", "gone "+at7+"/state/since", "gone "+at7+"/state/status")
}

func TestDelaysAreSampled(t *testing.T) {
	n, l := watching(t, list7("UP", 7, 100))
	c := n.stream(sample("/liveness/list[id=*]/state/sent", 100*time.Millisecond))
	c.wants(at7 + "/state/sent = 100")
	c.wantsSync()
	l.set(list7("UP", 7, 250))
	for got := ""; got != at7+"/state/sent = 250"; got = flat(c.next())[0] {
	}
	n.stream(onChange("/liveness/list/state/delay-avg")).breaks(codes.InvalidArgument, "use SAMPLE")
}

func TestANodeThatWatchesNothingHasNoPathOfIt(t *testing.T) {
	n := startNode(t)
	_, err := n.rpc.Get(t.Context(), &gpb.GetRequest{Path: []*gpb.Path{path("/liveness")}})
	wantCode(t, err, codes.InvalidArgument, "nothing called")
	capable, err := n.rpc.Capabilities(t.Context(), &gpb.CapabilityRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range capable.GetSupportedModels() {
		if m.GetName() == moduleLiveness {
			t.Error("it says it watches lists")
		}
	}
}
