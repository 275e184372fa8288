// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
)

// A router that drops incoming packets, at its ingress, is one whose carriers stay. A machine that is late for its own
// probes waits for longer, rather than to raise a false alarm: the test requires that three cuts of at most nine are
// seen in time.
func TestASilentFailureCostsLessThan50Milliseconds(t *testing.T) {
	g := newLooped(t)
	mustApply(t, g.n, insert(watched(byB, probeB, byC)))
	g.reaches(t, byB, "UP", byB)
	var took []time.Duration
	for inTime := 0; inTime < 3; {
		if len(took) == 9 {
			t.Fatalf("%d of %d failures are seen within 50 ms: %v", inTime, len(took), took)
		}
		eventually(t, "it is measured", func() bool { w := g.report(byB); return w.InUse == byB && w.Delay != nil })
		before := g.report(byB).Lost
		started := time.Now()
		fails(t, g.b, true)
		cut := time.Now()
		g.reaches(t, byB, "DOWN", byC)
		w := g.report(byB)
		silent := w.Since.Sub(cut)
		took = append(took, silent)
		if silent <= 50*time.Millisecond {
			inTime++
		}
		t.Logf("cut within %v, silent %v after it, %d probes missed", cut.Sub(started), silent, w.Lost-before)
		fails(t, g.b, false)
		g.reaches(t, byB, "UP", byB)
	}
}

// All rows of a list are switched at once. The way is measured by the kernel's own notifications.
func TestAThousandPrefixesAreSwitchedAtOnce(t *testing.T) {
	g := newLooped(t)
	const many = 1000
	var rows []contract.Entry
	for i := range many {
		rows = append(rows, contract.Steering{Dst: px(fmt.Sprintf("fd00:4:%x::/64", i)), SIDList: byB, Reduced: true})
	}
	mustApply(t, g.n, insert(rows...))
	mustApply(t, g.n, insert(watched(byB, probeB, byC)))
	g.reaches(t, byB, "UP", byB)
	fails(t, g.b, true)
	eventually(t, "all of them lead by c", func() bool {
		return strings.Count(in(t, g.ns, "ip -6 route show proto 200"), "segs 1 [ fcbb:bbbb:300:f00d:: ]") == many+1
	})
	g.n.mu.Lock()
	defer g.n.mu.Unlock()
	keys := map[contract.Key]bool{}
	g.n.usersOf(byB, keys)
	for _, silent := range []bool{false, true, false, true} {
		g.n.watching.silent = map[contract.SIDListID]bool{byB: silent}
		begun := time.Now()
		user, system := processor()
		if err := g.n.moveAll(slices.Collect(maps.Keys(keys))); err != nil {
			t.Fatal(err)
		}
		u, s := processor()
		took := time.Since(begun)
		t.Logf("%d rows are switched in %v, %v of a processor, of which %v in the kernel", len(keys), took, u-user+s-system, s-system)
		if took > time.Second {
			t.Errorf("%d rows take %v", len(keys), took)
		}
	}
}

// The cost of probes of 1,000 lists, and that a machine with too much to do raises no false alarm.
func TestAThousandListsAreWatchedOnABusyMachineWithoutAFalseAlarm(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 12 s of a busy machine")
	}
	g := newLooped(t)
	const many = 1000
	var rows []contract.Entry
	for i := range contract.SIDListID(many) {
		rows = append(rows, list(1000+i, "fcbb:bbbb:200:f00d::"),
			contract.Liveness{SIDList: 1000 + i, Probe: probeB, Interval: 100 * time.Millisecond, Multiplier: 3, HoldDown: time.Second, Backup: byC})
	}
	mustApply(t, g.n, insert(rows...))
	up := func() (n int) {
		for _, w := range g.n.WatchedLists() {
			if w.Status == "UP" {
				n++
			}
		}
		return n
	}
	eventually(t, "all are up", func() bool { return up() == many })
	quiet := g.spends(3 * time.Second)
	var lost uint64
	for _, w := range g.n.WatchedLists() {
		lost += w.Lost
	}
	end := make(chan struct{})
	var running sync.WaitGroup
	for range 4 * runtime.NumCPU() {
		running.Go(func() {
			for x := 1; ; x++ {
				select {
				case <-end:
					return
				default:
					_ = x * x
				}
			}
		})
	}
	alarms := 0
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for begun := time.Now(); time.Since(begun) < 8*time.Second; <-look.C {
		alarms += many - up()
	}
	close(end)
	running.Wait()
	var sent, after uint64
	for _, w := range g.n.WatchedLists() {
		sent, after = sent+w.Sent, after+w.Lost
	}
	t.Logf("%d probes sent, %d lost while it was quiet and %d while it was busy; quiet, %s", sent, lost, after-lost, quiet)
	if alarms > 0 {
		t.Errorf("%d false alarms", alarms)
	}
}

// spends is the processor time of this process over a time.
func (g *looped) spends(d time.Duration) string {
	user, system := processor()
	<-time.After(d)
	u, s := processor()
	return fmt.Sprintf("%.1f %% of a core in user space and %.1f %% in the kernel", 100*float64(u-user)/float64(d), 100*float64(s-system)/float64(d))
}

// processor is the time of this process.
func processor() (user, system time.Duration) {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0, 0
	}
	return time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano())
}

// One that the kernel refuses does not keep the others, and is named.
func TestARefusedRouteAmongManyIsToldApart(t *testing.T) {
	n, ns := oneNode(t)
	var routes []rtnl.Route
	for i := range 600 {
		routes = append(routes, ownRoute(mainTable, px(fmt.Sprintf("fd00:5:%x::/64", i)), metricSteering, rtnl.Hop{Dev: n.devices.sid, Weight: 1}))
	}
	routes[17].Hops[0].Dev, routes[599].Hops[0].Dev = 9999, 9999
	for i, err := range n.conn.ReplaceRoutes(routes) {
		if refused := i == 17 || i == 599; (err != nil) != refused {
			t.Errorf("route %d: %v", i, err)
		}
	}
	if got := strings.Count(in(t, ns, "ip -6 route show proto 200"), "fd00:5:"); got != 598 {
		t.Errorf("%d routes are there, want 598", got)
	}
}
