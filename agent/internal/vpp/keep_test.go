// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"testing"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/synthetic"
)

// attended is a node that reads VPP's objects all the time.
func attended(t *testing.T, f *fakeVPP) *Node {
	t.Helper()
	o := testOptions(t, f, t.TempDir())
	o.keepEvery = testPulse
	n, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

func TestWhatSomebodyTakesAwayComesBackByItself(t *testing.T) {
	f := newFakeVPP(t)
	n := attended(t, f)
	insert(t, n, everyRow()...)
	state := func(f *fakeVPP) string {
		lists := map[netip.Addr]int{}
		for bsid, p := range f.policies {
			lists[bsid] = len(p.lists)
		}
		return fmt.Sprint(f.sids, f.steering, f.neighbor, f.routes, lists)
	}
	var before string
	f.set(func(f *fakeVPP) { before = state(f) })
	for name, sabotage := range map[string]func(*fakeVPP){
		"SIDs":          func(f *fakeVPP) { clear(f.sids) },
		"steering":      func(f *fakeVPP) { clear(f.steering) },
		"neighbours":    func(f *fakeVPP) { clear(f.neighbor) },
		"routes":        func(f *fakeVPP) { clear(f.routes) },
		"lists":         func(f *fakeVPP) { clear(f.policies[bindingSID(7)].lists) },
		"a MAC address": func(f *fakeVPP) { f.neighbor[synthetic.V6(1)] = neighbor{1, synthetic.V6(1), [6]byte{2, 9}} },
	} {
		f.set(sabotage)
		eventually(t, name+" are as before", func() (same bool) {
			f.set(func(f *fakeVPP) { same = state(f) == before })
			return same
		})
	}
}

func TestAPrefixOfSomebodyElseIsLeftToHim(t *testing.T) {
	f := newFakeVPP(t)
	n := openNode(t, f, "")
	insert(t, n, everyRow()[:4]...)
	f.set(func(f *fakeVPP) {
		f.routes[fibKey{0, pfx("fd00:5::/64"), fakeAPISource}] = route{dst: pfx("fd00:5::/64")} // behind the agent's, yet his
		f.routes[fibKey{0, pfx("fd00:6::/64"), fakeInterfaceSource}] = route{dst: pfx("fd00:6::/64")}
		f.routes[fibKey{0, pfx("::/0"), fakeDefaultSource}] = route{dst: pfx("::/0")}
	})
	to := func(dst string) contract.Route {
		return contract.Route{Dst: pfx(dst), Members: []contract.RouteMember{{Weight: 1, NextHop: 1}}}
	}
	for _, tt := range []struct {
		entry contract.Entry
		owner string
	}{
		{to("fd00:5::/64"), `source "API"`},
		{contract.Steering{Dst: pfx("fd00:5::/64"), SIDList: 7}, `source "API"`},
		{contract.MySID{SID: pfx("fd00:5::/64"), Behavior: contract.Behavior{Action: contract.UDT6}}, `source "API"`},
		{to("fd00:6::/64"), `source "interface"`},
	} {
		wantError(t, one(n, contract.Insert, tt.entry), contract.FailedPrecondition, tt.owner)
	}
	insert(t, n, to("::/0")) // VPP's own drop of packets without a route is no owner's entry
}

func TestARowThatAnEntryOfSomebodyElseHidesIsMissingAndNamesHim(t *testing.T) {
	f := newFakeVPP(t)
	n := attended(t, f)
	insert(t, n, everyRow()...)
	for _, e := range []contract.Entry{everyRow()[4], everyRow()[6], everyRow()[7]} { // steering, a route, a SID
		at := map[string]netip.Prefix{"steering_v6": pfx("fd00:3::/64"), "route_v6": pfx("fcbb:bbbb:500::/48"), "my_sid": pfx("fcbb:bbbb:400::/48")}[e.Key().Table]
		key := fibKey{0, at, fakeInterfaceSource}
		f.set(func(f *fakeVPP) { f.routes[key] = route{dst: at} })
		if _, there := held(t, n)[e.Key()]; there {
			t.Errorf("%s is read, though packets do not find it", e.Key())
		}
		wantError(t, one(n, contract.Insert, e), contract.FailedPrecondition, `source "interface"`)
		f.set(func(f *fakeVPP) { delete(f.routes, key) })
		eventually(t, e.Key().String()+" is read again", func() bool { _, there := held(t, n)[e.Key()]; return there })
	}
	if stored, err := n.Entries(context.Background(), ""); err != nil || len(stored) != len(everyRow()) {
		t.Errorf("%d rows, %v, want all %d", len(stored), err, len(everyRow()))
	}
}

func TestWhatSomebodyTookInsteadIsNotTakenBack(t *testing.T) {
	for _, how := range []string{"while the agent looks", "while VPP restarts"} {
		t.Run(how, func(t *testing.T) {
			f := newFakeVPP(t)
			n := attended(t, f)
			insert(t, n, everyRow()...)
			his := steer{0, pfx("fd00:3::/64"), adr("cafe::1")}
			if how == "while VPP restarts" {
				f.set(func(f *fakeVPP) { f.gone = true })
				eventually(t, "VPP is away", func() bool { ports, err := n.Ports(context.Background()); return err == nil && !ports[0].Up })
				f.restart()
			}
			f.set(func(f *fakeVPP) {
				clear(f.sids) // to see that the agent has looked
				f.steering[his.id()] = his
			})
			eventually(t, "the SIDs are back", func() (back bool) {
				f.set(func(f *fakeVPP) { back = len(f.sids) == 5 })
				return back
			})
			f.set(func(f *fakeVPP) {
				if f.steering[his.id()] != his {
					t.Errorf("the steering is %v, want his", f.steering[his.id()])
				}
			})
			wantError(t, one(n, contract.Insert, everyRow()[4]), contract.FailedPrecondition, "cafe::1")
		})
	}
}

func TestAnAddressThatHostsNeedIsMissedByTheirRoutes(t *testing.T) {
	f := newFakeVPP(t)
	gateway := map[uint32][]netip.Prefix{1: {pfx("fd00:8::1/64")}}
	f.set(func(f *fakeVPP) { f.addresses = gateway })
	n := openNode(t, f, "")
	host := contract.Route{Dst: pfx("fd00:8::7/128"), Members: []contract.RouteMember{{Weight: 1, NextHop: 1}}}
	insert(t, n, nextHop(1), host)
	f.set(func(f *fakeVPP) { f.addresses = nil })
	eventually(t, "the route is missing", func() bool { _, there := held(t, n)[host.Key()]; return !there })
	wantError(t, one(n, contract.Insert, host), contract.FailedPrecondition, "port 1 (host-p1) has lost the address fd00:8::1/64")
	f.set(func(f *fakeVPP) { f.addresses = gateway })
	eventually(t, "the route is read again", func() bool { _, there := held(t, n)[host.Key()]; return there })
}

// Each field of each object is compared: a VPP that shows another value holds another object.
func TestEveryFieldOfAnObjectIsCompared(t *testing.T) {
	f := newFakeVPP(t)
	n := openNode(t, f, "")
	insert(t, n, everyRow()...)
	n.mu.Lock()
	defer n.mu.Unlock()
	whole, err := n.conn.dump(n.sources)
	if err != nil {
		t.Fatal(err)
	}
	// The attributes that the list of SIDs does not show are compared with the FIB, or cannot be.
	notShown := []string{"localSID.blockBits", "localSID.usidBits"}
	for _, o := range objectsOf(n.rows.All()) {
		if text := whole.differsOne(o, n.sources); text != "" {
			t.Fatalf("nothing was changed, and %s", text)
		}
		for field, changed := range variants(t, o) {
			if changed.id() != o.id() || slices.Contains(notShown, field) {
				continue
			}
			if whole.differsOne(changed, n.sources) == "" {
				t.Errorf("%s: another %s makes no difference", o.id(), field)
			}
		}
	}
}

// variants are copies of an object with one field changed each.
func variants(t *testing.T, o object) map[string]object {
	t.Helper()
	out := map[string]object{}
	v := reflect.ValueOf(o)
	for i := range v.NumField() {
		name := v.Type().Name() + "." + v.Type().Field(i).Name
		switch o := o.(type) {
		case table:
		case neighbor:
			switch name {
			case "neighbor.swIfIndex":
				o.swIfIndex++
			case "neighbor.mac":
				o.mac[5]++
			case "neighbor.addr":
				o.addr = o.addr.Next()
			default:
				t.Fatalf("%s: say here how it is changed", name)
			}
			out[name] = o
		case policy:
			o.lists = slices.Clone(o.lists)
			switch name {
			case "policy.bsid":
				o.bsid = o.bsid.Next()
			case "policy.source":
				o.source = adr("fcff::99")
			case "policy.lists":
				more := o
				more.lists = append(slices.Clone(o.lists), o.lists[0])
				out[name+" one more"] = more
				weighed := o
				weighed.lists = slices.Clone(o.lists)
				weighed.lists[0].weight++
				out[name+" weight"] = weighed
				o.lists[0].segments = append(slices.Clone(o.lists[0].segments), adr("fcbb::99"))
			default:
				t.Fatalf("%s: say here how it is changed", name)
			}
			out[name] = o
		case localSID:
			switch name {
			case "localSID.prefix":
				o.prefix = netip.PrefixFrom(o.prefix.Addr(), o.prefix.Bits()-1)
			case "localSID.behavior":
				o.behavior++
			case "localSID.psp":
				o.psp = !o.psp
			case "localSID.blockBits":
				o.blockBits++
			case "localSID.usidBits":
				o.usidBits++
			case "localSID.argument":
				o.argument++
			case "localSID.nextHop":
				o.nextHop = adr("fd5e:7e00::99")
			default:
				t.Fatalf("%s: say here how it is changed", name)
			}
			out[name] = o
		case steer:
			switch name {
			case "steer.table":
				o.table++
			case "steer.dst":
				o.dst = netip.PrefixFrom(o.dst.Addr(), o.dst.Bits()-1)
			case "steer.bsid":
				o.bsid = o.bsid.Next()
			default:
				t.Fatalf("%s: say here how it is changed", name)
			}
			out[name] = o
		case route:
			o.paths = slices.Clone(o.paths)
			switch name {
			case "route.table":
				o.table++
			case "route.dst":
				o.dst = netip.PrefixFrom(o.dst.Addr(), o.dst.Bits()-1)
			case "route.paths":
				for field, change := range map[string]func(*path){
					" interface": func(p *path) { p.swIfIndex++ }, " weight": func(p *path) { p.weight++ }, " via": func(p *path) { p.via = p.via.Next() },
				} {
					other := o
					other.paths = slices.Clone(o.paths)
					change(&other.paths[0])
					out[name+field] = other
				}
				o.paths = o.paths[1:]
			default:
				t.Fatalf("%s: say here how it is changed", name)
			}
			out[name] = o
		default:
			t.Fatalf("%T: say here how it is changed", o)
		}
	}
	return out
}

func TestARowThatVPPRefusesAtARestartIsMissingButRemembered(t *testing.T) {
	f := newFakeVPP(t)
	n := attended(t, f)
	insert(t, n, everyRow()...)
	f.set(func(f *fakeVPP) { f.gone = true })
	eventually(t, "VPP is away", func() bool { ports, err := n.Ports(context.Background()); return err == nil && !ports[0].Up })
	f.restart()
	f.set(func(f *fakeVPP) { f.refused = map[string]int32{"sr_localsid_add_del_v2": -5} })
	eventually(t, "VPP has its other rows again", func() bool {
		stored, err := n.Entries(context.Background(), "")
		return err == nil && len(stored) == len(everyRow())-3
	})
	f.set(func(f *fakeVPP) { f.refused = nil })
	eventually(t, "VPP has all rows again", func() bool {
		return reflect.DeepEqual(slices.Sorted(keys(held(t, n))), slices.Sorted(keys(keyed(everyRow()))))
	})
}

func keys(m map[contract.Key]contract.Entry) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range maps.Keys(m) {
			if !yield(k.String()) {
				return
			}
		}
	}
}
