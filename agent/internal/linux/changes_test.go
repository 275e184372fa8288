// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
)

// held is a node that holds a neighbour and two routes as one row, and the objects of that row before and after.
func held(t *testing.T) (n *Node, before, after objects, kernel func() string) {
	t.Helper()
	n, ns := unattended(t)
	dev := n.ports[1].Index
	neighbor := rtnl.Neighbor{Dev: dev, Addr: ad("fd5e:7e00::1"), MAC: [6]byte{2, 0, 0, 0, 0, 1}, Protocol: Protocol, Permanent: true}
	route := func(dst, segment string) rtnl.Route {
		hop := rtnl.Hop{Dev: n.devices.steering, Via: tunnelGateway(), Weight: 1, Encap: rtnl.Seg6{Mode: rtnl.EncapsRed, Segments: list(1, segment).Members[0].Segments}}
		return ownRoute(mainTable, px(dst), metricSteering, hop)
	}
	second := neighbor
	second.Addr = ad("fd5e:7e00::2")
	before = objects{Neighbors: []rtnl.Neighbor{neighbor, second}, Routes: []rtnl.Route{route("fd00:1::/64", "fcbb::1"), route("fd00:2::/64", "fcbb::1")}}
	changes := changeSet{conn: n.conn}
	if err := changes.put(contract.Key{}, objects{}, before); err != nil {
		t.Fatal(err)
	}
	neighbor.MAC[5] = 2
	after = objects{Neighbors: []rtnl.Neighbor{neighbor}, Routes: []rtnl.Route{route("fd00:1::/64", "fcbb::2"), route("fd00:3::/64", "fcbb::2")}}
	return n, before, after, func() string { return in(t, ns, "ip -6 route show proto 200; ip neigh show nud permanent") }
}

func TestAnUndoneChangeLeavesWhatWas(t *testing.T) {
	n, before, after, kernel := held(t)
	want := kernel()
	refused := after.Routes[1]
	refused.Dst, refused.Scope = px("fd00:4::/64"), 253 // the kernel takes it and holds another
	after.Routes = append(after.Routes, refused)
	changes := changeSet{conn: n.conn}
	reason := changes.put(contract.Key{}, before, after)
	if reason == nil || kernel() == want {
		t.Fatalf("put = %v, want it to fail at the last of several changes", reason)
	}
	if err := changes.undo(reason); err == nil || err.Error() != reason.Error() {
		t.Errorf("undo = %v, want the reason alone", err)
	}
	if got := kernel(); got != want {
		t.Errorf("the kernel holds\n%s\nwant\n%s", got, want)
	}
}

func TestWhatWasChangedTwiceIsUndoneToWhatItWasFirst(t *testing.T) {
	n, before, after, kernel := held(t)
	want := kernel()
	third := after
	third.Neighbors = slices.Clone(after.Neighbors)
	third.Neighbors[0].MAC[5] = 3
	changes := changeSet{conn: n.conn}
	if err := errors.Join(changes.put(contract.Key{}, before, after), changes.put(contract.Key{}, after, third)); err != nil {
		t.Fatal(err)
	}
	if err := changes.undo(nil); err != nil {
		t.Errorf("undo = %v", err)
	}
	if got := kernel(); got != want {
		t.Errorf("the kernel holds\n%s\nwant\n%s", got, want)
	}
}

func TestADeletionThatFailsHalfWayIsUndone(t *testing.T) {
	n, before, _, kernel := held(t)
	want := kernel()
	changes := changeSet{conn: n.conn}
	nowhere := rtnl.Neighbor{Dev: 0, Addr: ad("fd5e:7e00::9")}
	changes.stale = objects{Routes: before.Routes, Neighbors: append(slices.Clone(before.Neighbors), nowhere)}
	err := changes.drop()
	if err == nil || !strings.Contains(err.Error(), "fd5e:7e00::9") {
		t.Fatalf("drop = %v, want it to fail at the last neighbour", err)
	}
	if got := kernel(); got == want {
		t.Fatal("nothing was deleted before it failed")
	}
	if again := changes.undo(err); !errors.Is(again, err) {
		t.Errorf("undo = %v, want %v", again, err)
	}
	if got := kernel(); got != want {
		t.Errorf("the kernel holds\n%s\nwant\n%s", got, want)
	}
}

func TestWhatIsGoneAlreadyIsDeleted(t *testing.T) {
	n, before, _, _ := held(t)
	changes := changeSet{conn: n.conn, stale: before}
	if err := changes.drop(); err != nil {
		t.Fatal(err)
	}
	again := changeSet{conn: n.conn, stale: before}
	if err := again.drop(); err != nil {
		t.Errorf("a second deletion = %v", err)
	}
}

func TestANeighborThatTheKernelHoldsOtherwiseIsAnError(t *testing.T) {
	n, _, after, _ := held(t)
	after.Neighbors[0].Permanent = false // written neighbors always are
	changes := changeSet{conn: n.conn}
	if err := changes.put(contract.Key{}, objects{}, objects{Neighbors: after.Neighbors}); err == nil || !strings.Contains(err.Error(), "holds another") {
		t.Errorf("put = %v, want it to say that the kernel holds another", err)
	}
}

func TestOnlyWhatIsLeftOverIsDeleted(t *testing.T) {
	n, before, after, kernel := held(t)
	changes := changeSet{conn: n.conn}
	if err := changes.put(contract.Key{}, before, after); err != nil {
		t.Fatal(err)
	}
	changes.finish(t.Logf)
	got := kernel()
	for _, want := range []string{"fd00:1::/64", "fd00:3::/64", "fd5e:7e00::1"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is gone:\n%s", want, got)
		}
	}
	if strings.Contains(got, "fd00:2::/64") || strings.Contains(got, "fcbb::1 ") || strings.Contains(got, "fd5e:7e00::2") {
		t.Errorf("what was there before stays:\n%s", got)
	}
}

func TestObjectsAreTheSameOnlyAsAWhole(t *testing.T) {
	_, before, after, _ := held(t)
	one, two := before, before
	one.Neighbors, two.Routes = after.Neighbors, after.Routes
	if !sameObjects(before, before) || sameObjects(before, one) || sameObjects(before, two) {
		t.Error("objects with another neighbour or route are the same, or equal ones are not")
	}
}

// Others are asked before, but may come in between.
func TestAForeignRouteInTheSamePlaceIsNotReplaced(t *testing.T) {
	n, ns := unattended(t)
	in(t, ns, "ip -6 route add fd00:5::/64 dev p1 metric 2 proto static")
	before := in(t, ns, "ip -6 route show fd00:5::/64")
	wanted := ownRoute(mainTable, px("fd00:5::/64"), metricSteering, rtnl.Hop{Dev: n.ports[2].Index, Weight: 1})
	changes := changeSet{conn: n.conn}
	err := changes.put(contract.Key{}, objects{}, objects{Routes: []rtnl.Route{wanted}})
	var e *contract.Error
	if !errors.As(err, &e) || e.Code != contract.FailedPrecondition || !strings.Contains(err.Error(), "protocol 4") {
		t.Errorf("put = %v, want it to name the owner", err)
	}
	if after := in(t, ns, "ip -6 route show fd00:5::/64"); after != before {
		t.Errorf("the foreign route was\n%s\nand is\n%s", before, after)
	}
}
