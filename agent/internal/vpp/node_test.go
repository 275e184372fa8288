// SPDX-License-Identifier: Apache-2.0

package vpp

import (
	"context"
	"errors"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.fd.io/govpp/adapter"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/synthetic"
)

const testPulse = 10 * time.Millisecond

// openNode serves a fake VPP with two ports; the state directory is the test's if dir is "".
func openNode(t *testing.T, f *fakeVPP, dir string) *Node {
	t.Helper()
	if dir == "" {
		dir = t.TempDir()
	}
	n, err := Open(testOptions(t, f, dir))
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

func testOptions(t *testing.T, f *fakeVPP, dir string) Options {
	t.Helper()
	return Options{
		Ports: map[contract.PortID]string{1: "host-p1", 2: "host-p2"}, StateDir: dir, Log: t.Logf,
		binary: f.client, patience: 10 * time.Second, pulse: testPulse, keepEvery: time.Hour,
	}
}

func pfx(s string) netip.Prefix { return netip.MustParsePrefix(s) }

func adr(s string) netip.Addr { return netip.MustParseAddr(s) }

func nextHop(id contract.NextHopID) contract.NextHop {
	return contract.NextHop{ID: id, Port: contract.PortID(id), SrcMAC: fakeMAC, DstMAC: peerMAC}
}

// rows are one of each kind, in an order in which they can be written.
func everyRow() []contract.Entry {
	return []contract.Entry{
		nextHop(1), nextHop(2),
		contract.EncapSource{Source: adr("fcff:4::1")},
		contract.SIDList{ID: 7, Members: []contract.SIDListMember{{Weight: 1, Segments: []netip.Addr{adr("fcbb:bbbb:500:f00d::")}}}},
		contract.Steering{Dst: pfx("fd00:3::/64"), SIDList: 7},
		contract.Steering{VRF: 9, Dst: pfx("10.3.0.0/16"), SIDList: 7},
		contract.Route{Dst: pfx("fcbb:bbbb:500::/48"), Members: []contract.RouteMember{{Weight: 1, NextHop: 1}, {Weight: 1, NextHop: 2}}},
		contract.MySID{SID: pfx("fcbb:bbbb:400::/48"), Behavior: contract.Behavior{Action: contract.UN, BlockLength: 32, CSIDLength: 16}},
		contract.MySID{SID: pfx("fcbb:bbbb:400:e001::/64"), Behavior: contract.Behavior{Action: contract.UA, BlockLength: 32, CSIDLength: 32, NextHop: 1}},
		contract.MySID{SID: pfx("fcbb:bbbb:400:fe12::/64"), Behavior: contract.Behavior{Action: contract.UDT6, VRF: 9}},
		contract.EdgeSID{Dst: pfx("fcbb:bbbb::/32")},
		contract.EdgeSource{Src: pfx("fcff:4::1/128")},
		contract.EdgePeer{Port: 1, Src: pfx("2001:db8:7::/48")},
		contract.EdgePort{Port: 1, External: true, DropSRH: true},
		contract.EdgePort{Port: 2, KnownSources: true},
	}
}

func insert(t *testing.T, n *Node, entries ...contract.Entry) {
	t.Helper()
	for i, err := range n.Apply(context.Background(), updates(entries)) {
		if err != nil {
			t.Fatalf("%s: %v", entries[i].Key(), err)
		}
	}
}

func updates(entries []contract.Entry) []contract.Update {
	var out []contract.Update
	for _, e := range entries {
		op := contract.Insert
		if _, ok := e.(contract.EncapSource); ok {
			op = contract.Modify
		}
		out = append(out, contract.Update{Op: op, Entry: e})
	}
	return out
}

func one(n *Node, op contract.Op, e contract.Entry) error {
	return n.Apply(context.Background(), []contract.Update{{Op: op, Entry: e}})[0]
}

func held(t *testing.T, n *Node) map[contract.Key]contract.Entry {
	t.Helper()
	stored, err := n.Entries(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	out := map[contract.Key]contract.Entry{}
	for _, s := range stored {
		out[s.Entry.Key()] = s.Entry
	}
	return out
}

func keyed(entries []contract.Entry) map[contract.Key]contract.Entry {
	out := map[contract.Key]contract.Entry{}
	for _, e := range entries {
		out[e.Key()] = e
	}
	return out
}

func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !condition(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within 10 s", what)
		}
		<-time.After(testPulse)
	}
}

func wantError(t *testing.T, err error, code contract.Code, part string) {
	t.Helper()
	var e *contract.Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(err.Error(), part) {
		t.Fatalf("got %v, want code %d with %q", err, code, part)
	}
}

func TestEveryRowIsReadBackAndDeletedWithoutATrace(t *testing.T) {
	f := newFakeVPP(t)
	n := openNode(t, f, "")
	insert(t, n, everyRow()...)
	if got := held(t, n); !reflect.DeepEqual(got, keyed(everyRow())) {
		t.Fatalf("read %+v", got)
	}
	for _, e := range slices.Backward(everyRow()) {
		if err := one(n, contract.Delete, e); err != nil {
			t.Fatal(err)
		}
	}
	f.set(func(f *fakeVPP) {
		if len(f.sids)+len(f.policies)+len(f.steering)+len(f.routes)+len(f.neighbor)+len(f.acls) > 0 || len(f.tables) != 2 {
			t.Errorf("left behind: %+v %+v %+v %+v %+v %+v", f.sids, f.policies, f.steering, f.routes, f.neighbor, f.tables)
		}
	})
}

func TestTheTableComesBeforeTheSIDAndGoesAfterIt(t *testing.T) {
	f := newFakeVPP(t)
	n := openNode(t, f, "")
	sid := contract.MySID{SID: pfx("fcbb:bbbb:400:fe12::/64"), Behavior: contract.Behavior{Action: contract.UDT6, VRF: 9}}
	route := contract.Route{VRF: 9, Dst: pfx("fd00::/8"), Members: []contract.RouteMember{{Weight: 1, NextHop: 1}}}
	insert(t, n, nextHop(1))
	f.writes()
	insert(t, n, sid, route)
	if got, want := f.writes(), []string{"ip_table_add_del_v2", "sr_localsid_add_del_v2", "ip_route_add_del_v2"}; !slices.Equal(got, want) {
		t.Fatalf("writes %v, want %v: the table once", got, want)
	}
	if err := one(n, contract.Delete, sid); err != nil {
		t.Fatal(err)
	}
	if got := f.writes(); !slices.Equal(got, []string{"sr_localsid_add_del_v2"}) {
		t.Fatalf("writes %v: the route still needs the table", got)
	}
	if err := one(n, contract.Delete, route); err != nil {
		t.Fatal(err)
	}
	if got := f.writes(); !slices.Equal(got, []string{"ip_route_add_del_v2", "ip_table_add_del_v2"}) {
		t.Fatalf("writes %v", got)
	}
}

func TestATableOfOthersIsUsedAndStays(t *testing.T) {
	f := newFakeVPP(t)
	f.set(func(f *fakeVPP) { f.tables[table{9, true}] = "customer" })
	n := openNode(t, f, "")
	sid := contract.MySID{SID: pfx("fc00::/64"), Behavior: contract.Behavior{Action: contract.UDT6, VRF: 9}}
	insert(t, n, sid)
	if err := one(n, contract.Delete, sid); err != nil {
		t.Fatal(err)
	}
	f.set(func(f *fakeVPP) {
		if f.tables[table{9, true}] != "customer" {
			t.Error("the table of somebody else was deleted")
		}
	})
}

func TestAWriteThatVPPIgnoresIsAnError(t *testing.T) {
	for name, entry := range map[string]contract.Entry{
		"sr_localsid_add_del_v2": contract.MySID{SID: pfx("fc00::/64"), Behavior: contract.Behavior{Action: contract.End}},
		"ip_neighbor_add_del":    nextHop(2),
		"sr_steering_add_del":    contract.Steering{Dst: pfx("fd00::/8"), SIDList: 1},
		"ip_route_add_del_v2":    contract.Route{Dst: pfx("fd00::/8"), Members: []contract.RouteMember{{Weight: 1, NextHop: 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFakeVPP(t)
			n := openNode(t, f, "")
			insert(t, n, nextHop(1), contract.SIDList{ID: 1, Members: []contract.SIDListMember{{Weight: 1, Segments: []netip.Addr{adr("fc00::1")}}}})
			before := held(t, n)
			f.set(func(f *fakeVPP) { f.ignored[name] = true })
			wantError(t, one(n, contract.Insert, entry), contract.Internal, "shows something else")
			if got := held(t, n); !reflect.DeepEqual(got, before) {
				t.Fatalf("the failed row changed %+v", got)
			}
		})
	}
}

func TestARefusedPartTakesTheOthersBack(t *testing.T) {
	f := newFakeVPP(t)
	n := openNode(t, f, "")
	f.set(func(f *fakeVPP) {
		// The End entry of the empty container is foreign already; un is written first or second.
		f.sids[pfx("fcbb:bbbb:400::/128")] = localSID{prefix: pfx("fcbb:bbbb:400::/128"), behavior: 1, psp: true}
	})
	err := one(n, contract.Insert, contract.MySID{SID: pfx("fcbb:bbbb:400::/48"), Behavior: contract.Behavior{Action: contract.UN, BlockLength: 32, CSIDLength: 16}})
	wantError(t, err, contract.FailedPrecondition, "not the agent's")
	f.set(func(f *fakeVPP) {
		if !slices.Equal(slices.Collect(maps.Keys(f.sids)), []netip.Prefix{pfx("fcbb:bbbb:400::/128")}) {
			t.Errorf("SIDs %v, want that of somebody else alone", f.sids)
		}
	})
}

func TestSteeringOfOthersIsNotReplaced(t *testing.T) {
	f := newFakeVPP(t)
	n := openNode(t, f, "")
	foreign := steer{0, pfx("fd00:3::/64"), adr("cafe::1")}
	f.set(func(f *fakeVPP) { f.steering[foreign.id()] = foreign })
	insert(t, n, everyRow()[3])
	wantError(t, one(n, contract.Insert, contract.Steering{Dst: foreign.dst, SIDList: 7}), contract.FailedPrecondition, "cafe::1")
}

func TestADefaultRouteIsSteeredInBothFamilies(t *testing.T) {
	f := newFakeVPP(t)
	n := openNode(t, f, "")
	insert(t, n, everyRow()[2:4]...)
	for _, dst := range []string{"::/0", "0.0.0.0/0", "::a00:0/104"} {
		steered := contract.Steering{Dst: pfx(dst), SIDList: 7}
		insert(t, n, steered)
		if _, there := held(t, n)[steered.Key()]; !there {
			t.Errorf("%s is not read back", dst)
		}
	}
}

func TestAListAndASourceChangeWithoutAGap(t *testing.T) {
	f := newFakeVPP(t)
	n := openNode(t, f, "")
	insert(t, n, everyRow()[2:5]...)
	f.writes()
	list := contract.SIDList{ID: 7, Members: []contract.SIDListMember{
		{Weight: 3, Segments: []netip.Addr{adr("fc00::1"), adr("fc00::2")}}, {Weight: 1, Segments: []netip.Addr{adr("fc00::3")}},
	}}
	if err := one(n, contract.Modify, list); err != nil {
		t.Fatal(err)
	}
	if got, want := f.writes(), slices.Repeat([]string{"sr_policy_mod_v2"}, 3); !slices.Equal(got, want) {
		t.Fatalf("writes %v, want two lists added and one deleted, the policy and its steering untouched", got)
	}
	if err := one(n, contract.Modify, contract.EncapSource{Source: adr("fcff:5::1")}); err != nil {
		t.Fatal(err)
	}
	if got, want := f.writes(), slices.Repeat([]string{"sr_policy_mod_v2"}, 4); !slices.Equal(got, want) {
		t.Fatalf("writes %v, want both lists anew", got)
	}
	f.set(func(f *fakeVPP) {
		if p := f.policies[adr("fd5e:7e01::7")]; netip.AddrFrom16(p.source) != adr("fcff:5::1") || len(p.lists) != 2 {
			t.Errorf("policy %+v", p)
		}
	})
}

func TestARowInUseStays(t *testing.T) {
	n := openNode(t, newFakeVPP(t), "")
	insert(t, n, everyRow()...)
	wantError(t, one(n, contract.Delete, contract.SIDList{ID: 7}), contract.FailedPrecondition, "delete its users first")
	wantError(t, one(n, contract.Insert, everyRow()[0]), contract.AlreadyExists, "next_hop 1")
	twins := n.Apply(context.Background(), updates([]contract.Entry{nextHop(2), nextHop(2)}))
	wantError(t, twins[1], contract.AlreadyExists, "next_hop 2")
	wantError(t, one(n, contract.Delete, nextHop(99)), contract.NotFound, "next_hop 99")
	steering := contract.Steering{Dst: pfx("fcbb:bbbb:400::/48"), SIDList: 7}
	wantError(t, one(n, contract.Insert, steering), contract.FailedPrecondition, "same prefix")
}

func TestALostRowIsMissingUntilItIsWrittenAgain(t *testing.T) {
	f := newFakeVPP(t)
	n := openNode(t, f, "")
	insert(t, n, everyRow()...)
	f.set(func(f *fakeVPP) { delete(f.sids, pfx("fcbb:bbbb:400::/128")) })
	un := everyRow()[7]
	if _, there := held(t, n)[un.Key()]; there {
		t.Fatal("half of the SID is gone, and the row is still read")
	}
	if err := one(n, contract.Insert, un); err != nil {
		t.Fatal(err)
	}
	if _, there := held(t, n)[un.Key()]; !there {
		t.Fatal("the row was not repaired")
	}
	f.set(func(f *fakeVPP) { delete(f.sids, pfx("fcbb:bbbb:400::/48")) })
	if err := one(n, contract.Delete, un); err != nil {
		t.Fatalf("what VPP has lost can be deleted: %v", err)
	}
}

func TestAVPPThatRestartsIsProgrammedAnew(t *testing.T) {
	f := newFakeVPP(t)
	n := openNode(t, f, "")
	insert(t, n, everyRow()...)
	f.set(func(f *fakeVPP) { f.gone = true })
	eventually(t, "the ports are down", func() bool {
		ports, err := n.Ports(context.Background())
		return err == nil && !ports[0].Up
	})
	wantError(t, one(n, contract.Insert, nextHop(3)), contract.FailedPrecondition, "VPP is away")
	f.restart()
	eventually(t, "VPP has its rows again", func() bool {
		stored, err := n.Entries(context.Background(), "")
		return err == nil && len(stored) == len(everyRow())
	})
	f.set(func(f *fakeVPP) {
		if got := f.neighbor[synthetic.V6(1)].swIfIndex; got != 11 {
			t.Errorf("the neighbour is on interface %d, VPP calls it 11 now", got)
		}
	})
}

func TestAnAgentThatRestartsAdopts(t *testing.T) {
	f := newFakeVPP(t)
	dir := t.TempDir()
	n := openNode(t, f, dir)
	insert(t, n, everyRow()...)
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	foreign := localSID{prefix: pfx("cafe::/64"), behavior: 1}
	leftover := route{0, pfx("fd00:9::/64"), []path{{1, adr("fd5e:7e00::1"), 1}}}
	f.set(func(f *fakeVPP) {
		f.sids[foreign.prefix] = foreign
		f.routes[fibKey{0, leftover.dst, fakeOwnSource}] = leftover
		f.routes[fibKey{0, leftover.dst, 1}] = leftover // of another source
		f.written = nil
	})
	again := openNode(t, f, dir)
	if got := held(t, again); !reflect.DeepEqual(got, keyed(everyRow())) {
		t.Fatalf("adopted %+v", got)
	}
	if got := f.writes(); !slices.Equal(got, []string{"ip_route_add_del_v2"}) {
		t.Fatalf("writes %v, want the leftover's deletion alone", got)
	}
	f.set(func(f *fakeVPP) {
		if _, there := f.sids[foreign.prefix]; !there {
			t.Error("a SID of somebody else was deleted")
		}
		if _, there := f.routes[fibKey{0, leftover.dst, 1}]; !there {
			t.Error("a route of somebody else was deleted")
		}
	})
}

func TestUninstallLeavesWhatIsNotTheAgents(t *testing.T) {
	f := newFakeVPP(t)
	n := openNode(t, f, "")
	foreign := localSID{prefix: pfx("cafe::/64"), behavior: 1}
	f.set(func(f *fakeVPP) { f.sids[foreign.prefix] = foreign })
	insert(t, n, everyRow()...)
	if err := n.Uninstall(context.Background()); err != nil {
		t.Fatal(err)
	}
	f.set(func(f *fakeVPP) {
		if len(f.sids) != 1 || len(f.policies)+len(f.steering)+len(f.routes)+len(f.neighbor)+len(f.acls) > 0 || len(f.tables) != 2 {
			t.Errorf("left: %v %v %v %v %v %v", f.sids, f.policies, f.steering, f.routes, f.neighbor, f.tables)
		}
	})
}

func TestAnUnansweredRequestTimesOut(t *testing.T) {
	f := newFakeVPP(t)
	options := testOptions(t, f, t.TempDir())
	options.patience = 200 * time.Millisecond
	n, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	f.set(func(f *fakeVPP) { f.unanswered["sr_localsid_add_del_v2"] = true })
	sid := contract.MySID{SID: pfx("fc00::/64"), Behavior: contract.Behavior{Action: contract.End}}
	wantError(t, one(n, contract.Insert, sid), contract.FailedPrecondition, "did not answer sr_localsid_add_del_v2 within 200ms")
	f.set(func(f *fakeVPP) { clear(f.unanswered) })
	eventually(t, "the agent connects again", func() bool { return one(n, contract.Insert, sid) == nil })
}

func TestIPv4IsEnabledWhateverVPPMeansByIt(t *testing.T) {
	for _, fixed := range []bool{false, true} {
		f := newFakeVPP(t)
		f.ip4Fixed = fixed
		openNode(t, f, "")
		f.set(func(f *fakeVPP) {
			if f.noIPv4[1] || f.noIPv4[2] {
				t.Errorf("fixed %t: IPv4 is dropped on %v", fixed, f.noIPv4)
			}
		})
	}
}

func TestPuntNeedsALinuxInterface(t *testing.T) {
	n := openNode(t, newFakeVPP(t), "")
	err := one(n, contract.Insert, contract.Punt{Priority: 1, EtherType: contract.Masked(0x88cc, 0xffff)})
	wantError(t, err, contract.Unimplemented, "create host-interface")
}

func TestCountersOfASIDAreTheSumOfItsEntries(t *testing.T) {
	n := openNode(t, newFakeVPP(t), "")
	insert(t, n, everyRow()...)
	stored, err := n.Entries(context.Background(), contract.TableMySID)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stored {
		want := uint64(4) // both entries of un and ua
		if s.Entry.(contract.MySID).Behavior.Action == contract.UDT6 {
			want = 2
		}
		if s.Counters == nil || s.Counters.Packets != want {
			t.Errorf("%s: counters %+v, want %d packets", s.Entry.Key(), s.Counters, want)
		}
	}
}

func TestStatisticsAreSummedOverThreads(t *testing.T) {
	s := &statistics{log: t.Logf, open: func() adapter.StatsAPI {
		return fakeStats{
			"/net/route/to": adapter.CombinedCounterStat{{{1, 100}, {2, 200}}, {{0, 0}, {3, 300}}},
			"/if/rx":        adapter.CombinedCounterStat{{{5, 500}}}, "/if/drops": adapter.SimpleCounterStat{{7}},
		}
	}}
	if got := s.routes()[1]; got != (contract.Counters{Packets: 5, Bytes: 500}) {
		t.Errorf("routes %+v", got)
	}
	if got := s.ports()[0].in; got.Packets != 5 || got.Octets != 500 || got.Discards != 7 {
		t.Errorf("ports %+v", got)
	}
	var none *statistics
	if len(none.routes()) != 0 || len(none.ports()) != 0 {
		t.Error("no statistics count nothing")
	}
}

type fakeStats map[string]adapter.Stat

func (fakeStats) Connect() error                                        { return nil }
func (fakeStats) Disconnect() error                                     { return nil }
func (fakeStats) ListStats(...string) ([]adapter.StatIdentifier, error) { return nil, nil }
func (fakeStats) PrepareDir(...string) (*adapter.StatDir, error)        { return nil, nil }
func (fakeStats) PrepareDirOnIndex(...uint32) (*adapter.StatDir, error) { return nil, nil }
func (fakeStats) UpdateDir(*adapter.StatDir) error                      { return nil }
func (f fakeStats) DumpStats(...string) (out []adapter.StatEntry, _ error) {
	for name, data := range f {
		out = append(out, adapter.StatEntry{StatIdentifier: adapter.StatIdentifier{Name: []byte(name)}, Data: data})
	}
	return out, nil
}
