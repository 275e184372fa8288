// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/stamp"
)

// A looped node has two ways to the far end of its policy, through forwarders without an agent:
//
//	hosts ── p1 node p2 ── b2 b          b and c are routers: uSIDs 200 and 300, and nothing else
//	               p3 ── c3 c            [200, f00d] is the way by b, [300, f00d] the one by c
//
// A packet that is steered comes out at b2 or c3. Probes: [200, 100, fe0f] and [300, 100, fe0f].
type looped struct {
	*bench
	b, c  string
	ports map[contract.PortID]string
	state string
	by    map[string]*tap
}

const (
	byB    contract.SIDListID = 11
	byC    contract.SIDListID = 12
	probeB contract.SIDListID = 21
	probeC contract.SIDListID = 22
)

func newLooped(t testing.TB) *looped {
	t.Helper()
	g := &looped{
		bench: &bench{ns: newNamespace(t, "n"), far: newNamespace(t, "far")}, b: newNamespace(t, "b"), c: newNamespace(t, "c"),
		state: stateDir(t), ports: map[contract.PortID]string{1: "p1", 2: "p2", 3: "p3"},
	}
	wire(t, g.ns, "p1", g.far, "f1")
	for port, router := range map[string]string{"p2": g.b, "p3": g.c} {
		wire(t, g.ns, port, router, "r")
		usid := map[string]string{"p2": "200", "p3": "300"}[port]
		in(t, router, "sysctl -qw net.ipv6.conf.all.forwarding=1 net.ipv6.conf.r.accept_dad=0 && "+
			"ip -6 route add fcbb:bbbb:"+usid+"::/48 encap seg6local action End flavors next-csid lblen 32 nflen 16 dev r && "+
			"ip -6 neigh add fe80::1 lladdr "+macText(g.ns, port)+" dev r && ip -6 route add fcbb:bbbb:100::/48 via fe80::1 dev r")
	}
	g.open(t)
	for id, far := range map[contract.PortID]string{2: g.b, 3: g.c} {
		mustApply(t, g.n, insert(contract.NextHop{ID: contract.NextHopID(id), Port: id, SrcMAC: mac(g.ns, g.ports[id]), DstMAC: mac(far, "r")}))
	}
	mustApply(t, g.n, modify(contract.EncapSource{Source: ad("fcff:1::1")}))
	mustApply(t, g.n, insert(via("fcbb:bbbb:200::/48", 2), via("fcbb:bbbb:300::/48", 3), un("fcbb:bbbb:100::/48"),
		local("fcbb:bbbb:100:fe0f::/64", contract.Behavior{Action: contract.UDT6}),
		list(byB, "fcbb:bbbb:200:f00d::"), list(byC, "fcbb:bbbb:300:f00d::"),
		list(probeB, "fcbb:bbbb:200:100:fe0f::"), list(probeC, "fcbb:bbbb:300:100:fe0f::"),
		contract.Steering{Dst: px("fd00:3::/64"), SIDList: byB, Reduced: true}))
	g.by = map[string]*tap{"b": listen(t, g.b, "r"), "c": listen(t, g.c, "r")}
	return g
}

// open has an agent serve the node, the next one after a former one was closed.
func (g *looped) open(t testing.TB) {
	t.Helper()
	g.n = openNode(t, g.ns, g.state, g.ports)
}

func watched(id, probe, backup contract.SIDListID) contract.Liveness {
	return contract.Liveness{SIDList: id, Probe: probe, Interval: 10 * time.Millisecond, Multiplier: 3, HoldDown: 300 * time.Millisecond, Backup: backup}
}

// fails has a router drop all that comes in, or no longer; carriers stay as they are.
func fails(t testing.TB, router string, cut bool) {
	t.Helper()
	if cut {
		in(t, router, "nft 'add table netdev cut; add chain netdev cut c { type filter hook ingress device r priority 0; policy drop; }'")
		return
	}
	in(t, router, "nft delete table netdev cut")
}

// way returns the router to which packets are steered now.
func (g *looped) way(t testing.TB) string {
	t.Helper()
	probed++
	dst := ad(fmt.Sprintf("fd00:3::%x", probed))
	sendFrame(t, g.far, "f1", frame(mac(g.ns, "p1"), mac(g.far, "f1"), probe6("fd00:1::2", dst.String())))
	found := ""
	eventually(t, "the packet comes out", func() bool {
		for router, tap := range g.by {
			if len(tap.all(func(p packet) bool { return p.innerV6Dst() == dst })) > 0 {
				found = router
			}
		}
		return found != ""
	})
	return found
}

func (g *looped) report(id contract.SIDListID) contract.WatchedList {
	for _, w := range g.n.WatchedLists() {
		if w.SIDList == id {
			return w
		}
	}
	return contract.WatchedList{}
}

func (g *looped) reaches(t testing.TB, id contract.SIDListID, status string, inUse contract.SIDListID) {
	t.Helper()
	eventually(t, fmt.Sprintf("list %d is %s, and %d is used", id, status, inUse), func() bool {
		w := g.report(id)
		return w.Status == status && w.InUse == inUse
	})
}

func TestAProbeGoesTheWayOfItsListAndComesBack(t *testing.T) {
	g := newLooped(t)
	mustApply(t, g.n, insert(watched(byB, probeB, byC)))
	g.reaches(t, byB, "UP", byB)
	p := g.by["b"].first(t, "a probe", func(p packet) bool { return p.dst == ad("fcbb:bbbb:200:100:fe0f::") })
	if p.src != ad("fcff:1::1") || p.innerProto != unix.IPPROTO_IPV6 || p.innerV6Dst() != probeAddress(byB) || p.hopLimit != 63 {
		t.Errorf("a probe is %v", p)
	}
	eventually(t, "it comes back measured", func() bool { w := g.report(byB); return w.Delay != nil && w.Received > 20 })
	if w := g.report(byB); w.Lost > 0 || w.Delay.Min <= 0 || w.Delay.Max > time.Second || w.Delay.Avg < w.Delay.Min || w.Delay.Avg > w.Delay.Max {
		t.Errorf("%+v, %+v", w, w.Delay)
	}
	if got := stored(t, g.n, contract.TableLiveness); !slices.Equal(got, []string{"liveness sid_list 11"}) {
		t.Errorf("rows %v", got)
	}
	mustApply(t, g.n, remove(watched(byB, probeB, byC)))
	if got := in(t, g.ns, "ip -6 route show fd5e:7e00::2:0:0/96; ip -6 neigh show nud permanent | grep fd5e:7e00::2: || true"); got != "" {
		t.Errorf("the kernel keeps %s", got)
	}
}

func TestASilentListIsReplacedAndComesBack(t *testing.T) {
	g := newLooped(t)
	mustApply(t, g.n, insert(watched(byB, probeB, byC),
		local("fcbb:bbbb:100:b001::/64", contract.Behavior{Action: contract.B6EncapsRed, SIDList: byB}),
		contract.Steering{Dst: px("10.3.0.0/24"), SIDList: byB}, contract.Standby{Dst: px("fcbb:bbbb:900::/48"), SIDList: byB},
		contract.FlowSteering{Priority: 1, Src: px("fd00:7::/64"), Dst: px("fd00:8::/64"), SIDList: byB, Reduced: true}))
	g.reaches(t, byB, "UP", byB)
	before := stored(t, g.n, "")
	if got := g.way(t); got != "b" {
		t.Errorf("by %s, want b", got)
	}
	fails(t, g.b, true)
	g.reaches(t, byB, "DOWN", byC)
	if got := g.way(t); got != "c" {
		t.Errorf("while b is silent: by %s, want c", got)
	}
	for table, rows := range map[string]int{
		"-6 route show fcbb:bbbb:900::/48": 1, "-4 route show 10.3.0.0/24": 1,
		"-6 route show table all ::/0 proto 200": 2, // the binding SID and the flow
	} {
		if got := in(t, g.ns, "ip "+table); strings.Count(got, "fcbb:bbbb:300:f00d::") != rows {
			t.Errorf("%s is %s", table, got)
		}
	}
	if got := stored(t, g.n, ""); !slices.Equal(got, before) {
		t.Errorf("rows %v, want %v", got, before)
	}
	fails(t, g.b, false)
	g.reaches(t, byB, "UP", byB)
	if got := g.way(t); got != "b" {
		t.Errorf("mended: by %s, want b", got)
	}
}

// The substitute of a list follows changes of rows as the list itself would.
func TestRowsChangeWhileTheirListIsSilent(t *testing.T) {
	g := newLooped(t)
	mustApply(t, g.n, insert(watched(byB, probeB, byC)))
	fails(t, g.b, true)
	g.reaches(t, byB, "DOWN", byC)
	shows := func(part string) {
		t.Helper()
		if got := in(t, g.ns, "ip -6 route show fd00:3::/64"); !strings.Contains(got, part) {
			t.Errorf("the kernel has %s, want %s", got, part)
		}
	}
	mustApply(t, g.n, modify(list(byC, "fcbb:bbbb:300:f00e::")))
	shows("fcbb:bbbb:300:f00e::")
	mustApply(t, g.n, modify(list(byB, "fcbb:bbbb:200:f00e::")))
	shows("fcbb:bbbb:300:f00e::")
	mustApply(t, g.n, modify(contract.Steering{Dst: px("fd00:3::/64"), SIDList: byB}))
	shows("fcbb:bbbb:300:f00e::")
	mustApply(t, g.n, modify(watched(byB, probeB, 0)))
	shows("fcbb:bbbb:200:f00e::")
	mustApply(t, g.n, modify(watched(byB, probeB, byC)))
	shows("fcbb:bbbb:300:f00e::")
	in(t, g.ns, "ip -6 route del fd00:3::/64 metric 2") // a foreign change
	eventually(t, "the route is repaired", func() bool {
		return strings.Contains(in(t, g.ns, "ip -6 route show fd00:3::/64"), "fcbb:bbbb:300:f00e::")
	})
	wantCode(t, g.n, contract.Update{Op: contract.Delete, Entry: list(byC)}, contract.FailedPrecondition, "liveness")
	mustApply(t, g.n, remove(watched(byB, probeB, byC)))
	shows("fcbb:bbbb:200:f00e::")
}

func TestAChainOfBackups(t *testing.T) {
	g := newLooped(t)
	mustApply(t, g.n, insert(list(13, "fcbb:bbbb:300:f013::"), watched(byC, probeC, 13), watched(byB, probeB, byC)))
	g.reaches(t, byB, "UP", byB)
	fails(t, g.c, true)
	g.reaches(t, byC, "DOWN", 13)
	g.reaches(t, byB, "UP", byB)
	fails(t, g.b, true)
	g.reaches(t, byB, "DOWN", 13)
	mustApply(t, g.n, modify(watched(byC, probeC, byB))) // in a circle, and all of it is silent
	g.reaches(t, byB, "DOWN", byB)
	fails(t, g.c, false)
	g.reaches(t, byB, "DOWN", byC)
}

// An agent that ends leaves the lists in use, and the next one keeps them until it knows more.
func TestTheNextAgentKeepsWhatIsInUse(t *testing.T) {
	g := newLooped(t)
	mustApply(t, g.n, insert(watched(byB, probeB, byC)))
	fails(t, g.b, true)
	g.reaches(t, byB, "DOWN", byC)
	if err := g.n.Close(); err != nil {
		t.Fatal(err)
	}
	if got := g.way(t); got != "c" {
		t.Errorf("without an agent: by %s, want c", got)
	}
	g.open(t)
	if w := g.report(byB); w.Status != "UNKNOWN" || w.InUse != byC {
		t.Errorf("the next agent begins %+v", w)
	}
	g.reaches(t, byB, "DOWN", byC)
	if err := g.n.Close(); err != nil {
		t.Fatal(err)
	}
	fails(t, g.b, false)
	g.open(t)
	begun := time.Now()
	if w := g.report(byB); w.InUse != byC || g.way(t) != "c" {
		t.Errorf("the agent after begins %+v", w)
	}
	g.reaches(t, byB, "UP", byB)
	if since := time.Since(begun); since < 250*time.Millisecond {
		t.Errorf("it switched back after %v, the hold-down is 300 ms", since)
	}
	if got := g.way(t); got != "b" {
		t.Errorf("mended: by %s, want b", got)
	}
}

// Where one of several ways fails, the list does: traffic that was planned for two must not end up on one.
func TestAListIsSilentWhenOneOfItsMembersIs(t *testing.T) {
	g := newLooped(t)
	both := contract.SIDList{ID: 31, Members: []contract.SIDListMember{member(1, "fcbb:bbbb:200:f00d::"), member(1, "fcbb:bbbb:300:f00d::")}}
	probes := contract.SIDList{ID: 32, Members: []contract.SIDListMember{member(1, "fcbb:bbbb:200:100:fe0f::"), member(1, "fcbb:bbbb:300:100:fe0f::")}}
	mustApply(t, g.n, insert(both, probes, watched(31, 32, byC)))
	g.reaches(t, 31, "UP", 31)
	fails(t, g.b, true)
	g.reaches(t, 31, "DOWN", byC)
	w := g.report(31)
	if w.Received == 0 || w.Lost < 3 {
		t.Errorf("%+v", w)
	}
}

// A loop cannot show which half of it is broken.
func TestAWayBackThatIsBrokenIsTakenForTheWholeLoop(t *testing.T) {
	g := newLooped(t)
	mustApply(t, g.n, insert(watched(byB, probeB, byC)))
	g.reaches(t, byB, "UP", byB)
	in(t, g.b, "ip -6 route del fcbb:bbbb:100::/48 dev r")
	g.reaches(t, byB, "DOWN", byC)
	if got := g.way(t); got != "c" {
		t.Errorf("by %s, want c", got)
	}
}

// A sender of forged answers that has seen no probe changes nothing.
func TestForgedAnswersCountForNothing(t *testing.T) {
	g := newLooped(t)
	mustApply(t, g.n, insert(watched(byB, probeB, byC)))
	g.reaches(t, byB, "UP", byB)
	fails(t, g.b, true)
	g.reaches(t, byB, "DOWN", byC)
	received := g.report(byB).Received
	for number := range uint32(64) {
		forged := stamp.New(stamp.Path{
			To: mac(g.ns, "p1"), From: mac(g.far, "f1"), Source: ad("fcff:1::1"), Sender: probeAddress(byB),
			Segments: []netip.Addr{ad("fcbb:bbbb:100:fe0f::")}, Session: uint16(number%4 + 1),
		})
		sendFrame(t, g.far, "f1", forged.Bytes(number*8, time.Now()))
	}
	sent := g.report(byB).Sent
	eventually(t, "more than a hold-down has passed", func() bool { return g.report(byB).Sent > sent+50 })
	if w := g.report(byB); w.Status != "DOWN" || w.Received != received {
		t.Errorf("%+v, received %d before", w, received)
	}
}

func TestLivenessIsRefusedWithAReason(t *testing.T) {
	g := newLooped(t)
	two := contract.SIDList{ID: 31, Members: []contract.SIDListMember{member(1, "fcbb:bbbb:200:f00d::"), member(1, "fcbb:bbbb:300:f00d::")}}
	long := list(32, slices.Repeat([]string{"fcbb:bbbb:200::"}, 17)...)
	mustApply(t, g.n, insert(two, long))
	fast := watched(byB, probeB, 0)
	fast.Interval = time.Millisecond
	for _, tt := range []struct {
		row  contract.Liveness
		code contract.Code
		part string
	}{
		{watched(99, probeB, 0), contract.FailedPrecondition, "sid_list 99"},
		{watched(byB, 99, 0), contract.FailedPrecondition, "sid_list 99"},
		{watched(byB, probeB, 99), contract.FailedPrecondition, "sid_list 99"},
		{watched(31, probeB, 0), contract.FailedPrecondition, "sid_list 31 has 2 members and sid_list 21 1"},
		{watched(byB, 32, 0), contract.Unimplemented, "17 segments"},
		{watched(byB, byB, 0), contract.InvalidArgument, "probe 11"},
	} {
		wantCode(t, g.n, contract.Update{Op: contract.Insert, Entry: tt.row}, tt.code, tt.part)
	}
	var rows []contract.Entry
	for id := range contract.SIDListID(20) {
		rows = append(rows, list(100+id, "fcbb:bbbb:200:f00d::"))
		fast.SIDList = 100 + id
		rows = append(rows, fast)
	}
	mustApply(t, g.n, insert(rows...))
	fast.SIDList = byB
	wantCode(t, g.n, contract.Update{Op: contract.Insert, Entry: fast}, contract.ResourceExhausted, "the 21 watched lists of this node ask for 21000 probes a second, it sends 20000")
	if got := stored(t, g.n, contract.TableLiveness); len(got) != 20 {
		t.Errorf("rows %v", got)
	}
	if err := g.n.Reset(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := g.n.WatchedLists(); len(got) != 0 {
		t.Errorf("after a reset %v is watched", got)
	}
}

// The pair is no port, so that a closed edge lets probes out; returning probes have a source of the domain.
func TestProbesPassAClosedEdge(t *testing.T) {
	g := newLooped(t)
	mustApply(t, g.n, insert(contract.EdgeSID{Dst: px("fcbb:bbbb::/32")}, contract.EdgeSource{Src: px("fcff:1::1/128")},
		contract.EdgePort{Port: 1, External: true, DropSRH: true}, contract.EdgePort{Port: 2, KnownSources: true}, contract.EdgePort{Port: 3, KnownSources: true}))
	mustApply(t, g.n, insert(watched(byB, probeB, byC)))
	g.reaches(t, byB, "UP", byB)
}
