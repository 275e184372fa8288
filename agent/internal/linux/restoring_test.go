// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sextant/agent/internal/contract"
)

const (
	byRoute  = "by 2 to fcbb:bbbb:300:f00d::"
	byRepair = "by 3 to fcbb:bbbb:700:600::"
	// never is longer than any test.
	never = time.Hour
)

// waiting is a doubled node whose port 2 waits when its carrier is back.
func waiting(t *testing.T, wait time.Duration) *doubled {
	t.Helper()
	g := newDoubled(t)
	mustApply(t, g.n, insert(repairBy(8), contract.Restoration{Port: 2, Wait: wait}))
	return g
}

// lost takes the carrier of a port away, and waits until its routes have left it.
func (g *doubled) lost(t *testing.T, port contract.PortID) {
	t.Helper()
	in(t, g.far, fmt.Sprintf("ip link set f%d down", port))
	eventually(t, "the protected route has left its port", func() bool { return g.metrics(t) == "4" })
}

// back gives a port its carrier again, and waits until the node has seen it.
func (g *doubled) back(t *testing.T, port contract.PortID) {
	t.Helper()
	in(t, g.far, fmt.Sprintf("ip link set f%d up", port))
	g.awaitCarrier(t, port, true)
}

// awaitCarrier waits until the node has seen that a port with a wait has its carrier, or has lost it.
func (g *doubled) awaitCarrier(t *testing.T, port contract.PortID, up bool) {
	t.Helper()
	eventually(t, fmt.Sprintf("port %d has its carrier: %v", port, up), func() bool {
		g.n.mu.Lock()
		defer g.n.mu.Unlock()
		return g.n.ports[port].Dark != up
	})
}

// metrics of the kernel's routes for the protected prefix: 3 is the route, 4 its standby.
func (g *doubled) metrics(t *testing.T) string {
	t.Helper()
	var metrics []string
	for _, line := range strings.Split(in(t, g.ns, "ip -6 route show "+protected), "\n") {
		if _, after, found := strings.Cut(line, "metric "); found {
			metrics = append(metrics, strings.Fields(after)[0])
		}
	}
	slices.Sort(metrics)
	return strings.Join(slices.Compact(metrics), " ")
}

func (g *doubled) want(t *testing.T, when, want string) {
	t.Helper()
	if got := g.sends(t); got != want {
		t.Errorf("%s: %s, want %s", when, got, want)
	}
}

func TestAPortWhoseCarrierIsBackWaits(t *testing.T) {
	const wait = 700 * time.Millisecond
	g := waiting(t, wait)
	all := stored(t, g.n, "")
	g.want(t, "a port that was never lost", byRoute)
	g.lost(t, 2)
	g.want(t, "without the carrier", byRepair)
	back := time.Now()
	g.back(t, 2)
	g.want(t, "with the carrier again", byRepair)
	if got := stored(t, g.n, ""); !slices.Equal(got, all) {
		t.Errorf("rows %v while it waits, want %v", got, all)
	}
	eventually(t, "the route is used again", func() bool { return g.metrics(t) == "3 4" })
	if took := time.Since(back); took < wait {
		t.Errorf("used again after %s, want %s or more", took, wait)
	}
	g.want(t, "after the wait", byRoute)
}

func TestARouteDoesNotFollowAPortThatFlaps(t *testing.T) {
	g := waiting(t, never)
	g.lost(t, 2)
	for range 20 {
		in(t, g.far, "ip link set f2 up")
		g.want(t, "while the port flaps", byRepair)
		in(t, g.far, "ip link set f2 down")
	}
	if got := g.metrics(t); got != "4" {
		t.Errorf("metrics %s, want the standby's alone", got)
	}
}

func TestAPortWithoutAWaitIsUsedAtOnce(t *testing.T) {
	g := waiting(t, never)
	mustApply(t, g.n, remove(contract.Restoration{Port: 2}))
	g.carrier(t, 2, "down")
	g.carrier(t, 2, "up")
	g.want(t, "with the carrier again", byRoute)
}

func TestAWaitThatIsTakenAwayIsOver(t *testing.T) {
	g := waiting(t, never)
	g.lost(t, 2)
	g.back(t, 2)
	mustApply(t, g.n, remove(contract.Restoration{Port: 2}))
	g.want(t, "without the row", byRoute)
}

func TestAPortThatIsDisabledWaitsToo(t *testing.T) {
	g := waiting(t, never)
	in(t, g.ns, "ip link set p2 down")
	g.awaitCarrier(t, 2, false)
	in(t, g.ns, "ip link set p2 up")
	g.back(t, 2)
	g.want(t, "enabled again", byRepair)
}

func TestALossThatIsOverBeforeItIsLookedAtMakesThePortWait(t *testing.T) {
	g := waiting(t, never)
	g.n.mu.Lock() // a batch holds the node
	in(t, g.far, "ip link set f2 down")
	in(t, g.far, "ip link set f2 up")
	g.n.mu.Unlock()
	eventually(t, "the route has left its port", func() bool { return g.metrics(t) == "4" })
	g.want(t, "with the carrier again", byRepair)
}

func TestARouteThatIsWrittenEndsTheWait(t *testing.T) {
	g := waiting(t, never)
	mustApply(t, g.n, insert(via("fcbb:bbbb:500::/48", 2), contract.Standby{Dst: px("fcbb:bbbb:500::/48"), SIDList: 8}))
	g.lost(t, 2)
	g.back(t, 2)
	mustApply(t, g.n, modify(via("fcbb:bbbb:700::/48", 3)))
	g.want(t, "another route was written", byRepair)
	mustApply(t, g.n, modify(via("fcbb:bbbb:500::/48", 2)))
	g.want(t, "a route over the port was written", byRoute)
	g.lost(t, 2)
	g.want(t, "lost again", byRepair)
}

func TestARouteThatIsWrittenWhileThePortIsDownEndsNoWait(t *testing.T) {
	g := waiting(t, never)
	g.lost(t, 2)
	mustApply(t, g.n, modify(via(protected, 2)))
	g.back(t, 2)
	g.want(t, "with the carrier again", byRepair)
}

func TestOtherMembersGoBeforeAPortThatWaits(t *testing.T) {
	g := newDoubled(t)
	mustApply(t, g.n, modify(via(protected, 2, 3)))
	mustApply(t, g.n, insert(contract.Restoration{Port: 2, Wait: never}))
	in(t, g.far, "ip link set f2 down")
	eventually(t, "the route has left its port", func() bool {
		return !strings.Contains(in(t, g.ns, "ip -6 route show "+protected), "dev p2")
	})
	g.back(t, 2)
	for range 8 {
		g.want(t, "one member waits", "by 3 to fcbb:bbbb:300:f00d::")
	}
}

// No route is without a port for the sake of a wait.
func TestARouteThatHasNothingElseUsesAPortThatWaits(t *testing.T) {
	t.Run("no standby", func(t *testing.T) {
		g := newDoubled(t)
		mustApply(t, g.n, insert(contract.Restoration{Port: 2, Wait: never}))
		in(t, g.far, "ip link set f2 down")
		g.awaitCarrier(t, 2, false)
		g.back(t, 2)
		g.want(t, "with the carrier again", byRoute)
		mustApply(t, g.n, insert(repairBy(8)))
		g.want(t, "with a standby that was written later", byRepair)
		mustApply(t, g.n, remove(repairBy(8)))
		g.want(t, "the standby is gone again", byRoute)
	})
	for _, tt := range []struct {
		name string
		list contract.SIDListID
		by   string
	}{
		{"the own uA leads over a dead port", 8, byRepair},
		{"the route of the repair leads over a dead port", 7, "by 3 to " + repair},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newDoubled(t)
			mustApply(t, g.n, insert(repairBy(tt.list),
				contract.Restoration{Port: 2, Wait: never}, contract.Restoration{Port: 3, Wait: never}))
			g.lost(t, 2)
			g.back(t, 2)
			g.want(t, "with both carriers", tt.by)
			in(t, g.far, "ip link set f3 down")
			eventually(t, "the route uses its port", func() bool { return g.metrics(t) == "3 4" })
			g.want(t, "the other carrier is lost", byRoute)
			in(t, g.far, "ip link set f3 up")
			eventually(t, "the route has left its port", func() bool { return g.metrics(t) == "4" })
			g.want(t, "the other carrier is back", tt.by)
		})
	}
}

func TestAnAgentThatStartsUsesWhatIsUp(t *testing.T) {
	g := waiting(t, never)
	g.lost(t, 2)
	g.back(t, 2)
	if err := g.n.Close(); err != nil {
		t.Fatal(err)
	}
	g.want(t, "no agent lives", byRepair)
	g.n = openNode(t, g.ns, g.state, g.ports)
	g.want(t, "another agent", byRoute)
	g.lost(t, 2)
	g.back(t, 2)
	g.want(t, "with the carrier again", byRepair)
}

func TestAWaitOfAPortThatIsNotThereIsRefused(t *testing.T) {
	g := newDoubled(t)
	wantCode(t, g.n, contract.Update{Op: contract.Insert, Entry: contract.Restoration{Port: 9, Wait: time.Second}},
		contract.InvalidArgument, "port 9 is not a port of this node")
	mustApply(t, g.n, insert(contract.Restoration{Port: 2, Wait: time.Second}))
	mustApply(t, g.n, modify(contract.Restoration{Port: 2, Wait: 2 * time.Second}))
	if got := stored(t, g.n, contract.TableRestoration); len(got) != 1 {
		t.Errorf("rows %v, want one", got)
	}
}
