// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"fmt"
	"strings"
	"testing"

	"sextant/agent/internal/contract"
)

// A policy that has no valid path drops the packets that it steers (RFC 9256, 8.2), and nothing else; and takes them
// again when it has one.
func TestSteeringThatDrops(t *testing.T) {
	b := newBench(t)
	drops := []contract.Entry{
		contract.Steering{Dst: px("fd00:3::/64"), Drop: true}, contract.Steering{Dst: px("10.3.0.0/24"), Drop: true},
	}
	into := []contract.Entry{
		contract.Steering{Dst: px("fd00:3::/64"), SIDList: 7, Reduced: true},
		contract.Steering{Dst: px("10.3.0.0/24"), SIDList: 7, Reduced: true},
	}
	mustApply(t, b.n, insert(via("fd00:3::/48", 2), via("10.3.0.0/16", 2), via("fcbb:bbbb::/32", 2)))
	mustApply(t, b.n, insert(drops...))
	if got := strings.Join(stored(t, b.n, contract.TableSteeringV6), ", "); got != "steering_v6 vrf 0 fd00:3::/64" {
		t.Errorf("read back: %s", got)
	}
	if got := strings.Join(stored(t, b.n, contract.TableSteeringV4), ", "); got != "steering_v4 vrf 0 10.3.0.0/24" {
		t.Errorf("read back: %s", got)
	}
	for _, family := range []string{"-6", "-4"} {
		if got := in(t, b.ns, "ip "+family+" route show type blackhole proto 200"); !strings.Contains(got, "metric 2") {
			t.Errorf("ip %s route: %q, want the agent's protocol and the metric of steering", family, got)
		}
	}
	steered := func(p packet) bool { return p.dst == ad("fcbb:bbbb:200:f00d::") }
	plain := func(p packet) bool { return p.dst == ad("fd00:3::2") || p.inner4Dst == ad("10.3.0.2") && !p.dst.Is6() }
	b.flows(t, 3, "fd00:3::2")
	b.flows(t, 3, "10.3.0.2")
	b.flows(t, 1, "fd00:3:0:1::2") // beside the prefix, and behind the others on the wire
	b.out.first(t, "what is not steered", func(p packet) bool { return p.dst == ad("fd00:3:0:1::2") })
	if got := b.out.all(plain); len(got) != 0 {
		t.Errorf("%d packets leave by the underlay: %v", len(got), got)
	}

	mustApply(t, b.n, insert(list(7, "fcbb:bbbb:200:f00d::")))
	mustApply(t, b.n, modify(into...))
	b.flows(t, 2, "fd00:3::2")
	b.flows(t, 2, "10.3.0.2")
	eventually(t, "four packets enter the policy", func() bool { return len(b.out.all(steered)) == 4 })

	mustApply(t, b.n, modify(drops...))
	mustApply(t, b.n, remove(list(7, "fcbb:bbbb:200:f00d::"))) // no row names it any more
	b.flows(t, 3, "fd00:3::2")
	b.flows(t, 3, "10.3.0.2")
	b.flows(t, 1, "fd00:3:0:2::2")
	b.out.first(t, "what is not steered", func(p packet) bool { return p.dst == ad("fd00:3:0:2::2") })
	if got := len(b.out.all(steered)) + len(b.out.all(plain)); got != 4 {
		t.Errorf("%d packets left, want the four from before", got)
	}
	mustApply(t, b.n, remove(drops...))
	if got := in(t, b.ns, "ip -6 route show type blackhole; ip -4 route show type blackhole"); got != "" {
		t.Errorf("left behind: %s", got)
	}
}

// Removed objects are repaired, and those from before the start of an agent are adopted.
func TestSteeringThatDropsIsKept(t *testing.T) {
	ns, dir := twoPorts(t), t.TempDir()
	ports := map[contract.PortID]string{1: "p1", 2: "p2"}
	n := openNode(t, ns, dir, ports)
	mustApply(t, n, insert(contract.Steering{Dst: px("fd00:3::/64"), Drop: true}, contract.Steering{Dst: px("10.3.0.0/24"), Drop: true}))
	for _, family := range []string{"-6 route del blackhole fd00:3::/64", "-4 route del blackhole 10.3.0.0/24"} {
		in(t, ns, "ip "+family)
	}
	eventually(t, "both are back", func() bool {
		return strings.Count(in(t, ns, "ip -6 route show type blackhole; ip -4 route show type blackhole"), "blackhole") == 2
	})
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	before := in(t, ns, "ip -6 route; ip -4 route")
	again := openNode(t, ns, dir, ports)
	if got := fmt.Sprint(stored(t, again, "")); got != "[steering_v4 vrf 0 10.3.0.0/24 steering_v6 vrf 0 fd00:3::/64]" {
		t.Errorf("rows after a restart: %s", got)
	}
	if after := in(t, ns, "ip -6 route; ip -4 route"); after != before {
		t.Errorf("the restart changed routes:\n%s\n%s", before, after)
	}
}
