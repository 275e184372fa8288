// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/linux/rtnl"
	"sextant/agent/internal/synthetic"
)

// tampered are the ways to change one attribute of a route that the kernel takes. otherPort is one that its first hop does
// not use.
func tampered(r rtnl.Route, otherPort int) map[string]rtnl.Route {
	out := map[string]rtnl.Route{}
	hop := func(name string, i int, change func(*rtnl.Hop)) {
		h := r.Hops[i]
		change(&h)
		other := r
		other.Hops = slices.Clone(r.Hops)
		other.Hops[i] = h
		out[fmt.Sprintf("%s of hop %d", name, i+1)] = other
	}
	blackhole := r
	blackhole.Type, blackhole.Hops = unix.RTN_BLACKHOLE, nil
	if r.Type == unix.RTN_BLACKHOLE {
		blackhole.Type = unix.RTN_UNREACHABLE
	}
	out["the type"] = blackhole
	if r.Protocol == Protocol && r.Metric == metricRoute { // where it would share the traffic
		more := r
		more.Hops = append(slices.Clone(r.Hops), r.Hops[0])
		last := &more.Hops[len(r.Hops)]
		last.Dev, last.Via = otherPort, elsewhere(r)
		out["a hop more on another port"] = more
	}
	for i, h := range r.Hops {
		if len(r.Hops) > 1 {
			hop("the weight", i, func(h *rtnl.Hop) { h.Weight = 250 })
			less := r
			less.Hops = slices.Delete(slices.Clone(r.Hops), i, i+1)
			less.Hops[0].Weight = 1
			out[fmt.Sprintf("without hop %d", i+1)] = less
		}
		if h.Via.IsValid() {
			hop("the gateway", i, func(h *rtnl.Hop) { h.Via = elsewhere(r) })
		}
		switch encap := h.Encap.(type) {
		case rtnl.Seg6:
			hop("the mode", i, func(h *rtnl.Hop) {
				encap := encap
				encap.Mode = rtnl.Encaps + rtnl.EncapsRed - encap.Mode
				h.Encap = encap
			})
			for k := range encap.Segments {
				hop(fmt.Sprintf("segment %d", k+1), i, func(h *rtnl.Hop) {
					encap := encap
					encap.Segments = slices.Clone(encap.Segments)
					encap.Segments[k] = netip.MustParseAddr("fcbb::77")
					h.Encap = encap
				})
			}
			hop("one segment more", i, func(h *rtnl.Hop) {
				encap := encap
				encap.Segments = append(slices.Clone(encap.Segments), netip.MustParseAddr("fcbb::77"))
				h.Encap = encap
			})
		case rtnl.Seg6Local:
			for name, changed := range tamperedSIDs(encap) {
				hop(name, i, func(h *rtnl.Hop) { h.Encap = changed })
			}
		}
	}
	return out
}

// elsewhere is a gateway of the route's family that no next hop has.
func elsewhere(r rtnl.Route) netip.Addr {
	if r.Dst.Addr().Is4() {
		return netip.MustParseAddr("169.254.77.77")
	}
	return netip.MustParseAddr("fe80::77")
}

func tamperedSIDs(e rtnl.Seg6Local) map[string]rtnl.Seg6Local {
	out := map[string]rtnl.Seg6Local{}
	change := func(name string, f func(*rtnl.Seg6Local)) {
		changed := e
		f(&changed)
		out[name] = changed
	}
	change("the counters", func(e *rtnl.Seg6Local) { e.Counted = !e.Counted })
	if e.Table != 0 {
		change("the table", func(e *rtnl.Seg6Local) { e.Table = 77 })
	}
	if e.NH6.IsValid() {
		change("the next hop", func(e *rtnl.Seg6Local) { e.NH6 = netip.MustParseAddr("fd5e:7e00::77") })
	}
	if e.NH4.IsValid() {
		change("the next hop", func(e *rtnl.Seg6Local) { e.NH4 = netip.MustParseAddr("169.254.0.77") })
	}
	if e.Flavors&rtnl.NextCSID != 0 {
		change("the flavors", func(e *rtnl.Seg6Local) { e.Flavors, e.BlockBits, e.FunctionBits = 0, 0, 0 })
		change("the length of the block", func(e *rtnl.Seg6Local) { e.BlockBits = 40 })
		change("the length of the function", func(e *rtnl.Seg6Local) { e.FunctionBits = 8 })
	}
	switch e.Action {
	case rtnl.ActionEnd:
		if e.Flavors == 0 {
			change("the flavors", func(e *rtnl.Seg6Local) { e.Flavors = rtnl.PSP })
		}
	case rtnl.ActionEndT:
		change("the action", func(e *rtnl.Seg6Local) { e.Action = rtnl.ActionDT6 })
	case rtnl.ActionDT6:
		change("the action", func(e *rtnl.Seg6Local) { e.Action = rtnl.ActionEndT })
	case rtnl.ActionEndX:
		change("the action", func(e *rtnl.Seg6Local) { e.Action, e.Flavors, e.BlockBits, e.FunctionBits = rtnl.ActionDX6, 0, 0, 0 })
	case rtnl.ActionDX6:
		change("the action", func(e *rtnl.Seg6Local) { e.Action = rtnl.ActionEndX })
	default: // no other action has these parameters
	}
	return out
}

func TestEveryAttributeThatSomebodyChangesIsSeen(t *testing.T) {
	n, ns := unattended(t)
	in(t, ns, "ip -6 addr add fd00:1::1/64 dev p1 nodad; ip addr add 10.77.0.1/24 dev p1; ip addr add 10.78.0.1/24 dev p2")
	mustApply(t, n, insert(everyRow(ns)...))
	all := stored(t, n, "")
	tried := 0
	for _, key := range n.rows.Keys() {
		missing := func(what string) {
			t.Helper()
			tried++
			if got := stored(t, n, ""); slices.Contains(got, key.String()) || len(got) != len(all)-1 {
				t.Errorf("%s: %s is another, and the rows are %v", key, what, got)
			}
			mustApply(t, n, insert(n.rows.Get(key).Entry))
			if got := stored(t, n, ""); !slices.Equal(got, all) {
				t.Errorf("%s: %s is another, and after writing it again the rows are %v", key, what, got)
			}
		}
		for _, route := range n.rows.Get(key).Objects.Routes {
			for what, other := range tampered(route, n.ports[1].Index+n.ports[2].Index-route.Hops[0].Dev) {
				if _, err := n.conn.SetRoute(other, true); err != nil {
					t.Errorf("%s: the kernel does not take %s: %v", key, what, err)
					continue
				}
				missing(what)
			}
		}
		for _, rule := range n.rows.Get(key).Objects.Rules {
			other := rule
			other.Table += 77
			if _, _, err := n.conn.AddRule(other); err != nil {
				t.Fatal(err)
			}
			if err := n.conn.DeleteRule(rule); err != nil {
				t.Fatal(err)
			}
			missing("the table of the rule")
			if err := n.conn.DeleteRule(other); err != nil {
				t.Fatal(err)
			}
		}
		for _, neighbor := range n.rows.Get(key).Objects.Neighbors {
			other := neighbor
			other.MAC[5] ^= 0x77
			if _, err := n.conn.SetNeighbor(other); err != nil {
				t.Fatal(err)
			}
			missing("the MAC address")
			family := map[bool]string{true: "-4", false: "-6"}[neighbor.Addr.Is4()]
			dev := strings.Split("\n"+in(t, ns, "ip -o link"), fmt.Sprintf("\n%d: ", neighbor.Dev))[1]
			dev = dev[:strings.IndexAny(dev, "@:")]
			in(t, ns, fmt.Sprintf("ip %s neigh change %s dev %s lladdr %s nud reachable protocol 200", family, neighbor.Addr, dev, macOf(neighbor)))
			missing("its permanence")
		}
	}
	if tried < 60 {
		t.Errorf("%d changes were tried, want more", tried)
	}
}

func macOf(n rtnl.Neighbor) string {
	m := n.MAC
	return fmt.Sprintf("%02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1], m[2], m[3], m[4], m[5])
}

// A hop without carrier is dead and stays wanted; one that is put beside it would come to life with it.
func TestADeadHopIsComparedWhole(t *testing.T) {
	ns, far := newNamespace(t, "n"), newNamespace(t, "far")
	wire(t, ns, "p1", far, "f1")
	n := open(t, Options{NetNS: ns, Ports: map[contract.PortID]string{1: "p1"}, StateDir: t.TempDir(), unattended: true})
	row := via("fd00:4::/64", 1)
	mustApply(t, n, insert(hop(ns, 1, 1), hop(ns, 2, 1), row))
	wanted := n.rows.Get(row.Key()).Objects.Routes[0]
	in(t, far, "ip link set f1 down")
	eventually(t, "the hop is dead", func() bool { return strings.Contains(in(t, ns, "ip -6 route show fd00:4::/64"), "dead") })
	if got := stored(t, n, contract.TableRouteV6); len(got) != 1 {
		t.Fatalf("without carrier the rows are %v, want it to stay", got)
	}
	other := wanted
	other.Hops = append(slices.Clone(wanted.Hops), rtnl.Hop{Dev: wanted.Hops[0].Dev, Via: synthetic.V6(2), OnLink: true, Weight: 1})
	if _, err := n.conn.SetRoute(other, true); err != nil {
		t.Fatal(err)
	}
	if got := stored(t, n, contract.TableRouteV6); len(got) != 0 {
		t.Errorf("a dead hop more on the same port is not seen: %v", got)
	}
	other.Hops = other.Hops[1:]
	if _, err := n.conn.SetRoute(other, true); err != nil {
		t.Fatal(err)
	}
	if got := stored(t, n, contract.TableRouteV6); len(got) != 0 {
		t.Errorf("another dead hop on the same port is not seen: %v", got)
	}
}
