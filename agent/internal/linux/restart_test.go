// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"slices"
	"strings"
	"testing"

	"sextant/agent/internal/contract"
)

// restarted is a node that is closed and opened again; between happens meanwhile.
func restarted(t *testing.T, ns string, o Options, first func(*Node), between func()) *Node {
	t.Helper()
	needKernel(t)
	o.NetNS, o.StateDir = ns, t.TempDir()
	n, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	first(n)
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	between()
	return open(t, o)
}

func onePort(t *testing.T) (string, Options) {
	t.Helper()
	ns, far := newNamespace(t, "n"), newNamespace(t, "far")
	wire(t, ns, "p1", far, "f1")
	return ns, Options{Ports: map[contract.PortID]string{1: "p1"}}
}

func TestCountersGoOnAfterARestart(t *testing.T) {
	ns, o := onePort(t)
	row := contract.Steering{Dst: px("fd00:3::/64"), SIDList: 7, Reduced: true}
	count := func(n *Node) uint64 {
		stored, err := n.Entries(context.Background(), contract.TableSteeringV6)
		if err != nil {
			t.Fatal(err)
		}
		if len(stored) != 1 || stored[0].Counters == nil {
			t.Fatalf("rows %+v, want one that is counted", stored)
		}
		return stored[0].Counters.Packets
	}
	n := restarted(t, ns, o, func(n *Node) {
		if n.counters == nil {
			t.Skip("needs nftables with fib lookups; run a kernel with CONFIG_NFT_FIB_IPV4 and CONFIG_NFT_FIB_IPV6")
		}
		mustApply(t, n, insert(hop(ns, 1, 1), via("::/0", 1), list(7, "fcbb:bbbb:200:f00d::"), row))
		in(t, ns, "ip -6 addr add fd00:1::1/128 dev lo; ping -c 3 -i 0.01 -W 0.01 fd00:3::1 || true")
		if got := count(n); got != 3 {
			t.Fatalf("%d packets are counted, want 3", got)
		}
	}, func() { in(t, ns, "ping -c 2 -i 0.01 -W 0.01 fd00:3::1 || true") })
	if got := count(n); got != 5 {
		t.Errorf("after a restart %d packets are counted, want 5", got)
	}
}

func TestABindingSIDKeepsItsTableOverARestart(t *testing.T) {
	ns, o := onePort(t)
	binding := func(sid string) contract.MySID {
		return local(sid, contract.Behavior{Action: contract.B6EncapsRed, SIDList: 7})
	}
	var before string
	n := restarted(t, ns, o, func(n *Node) {
		mustApply(t, n, insert(list(7, "fcbb:bbbb:200:f00d::"), binding("fcf0:1::9/128"), binding("fcf0:1::1/128")))
		mustApply(t, n, remove(binding("fcf0:1::9/128")))
		before = in(t, ns, "ip -6 route show table all proto 200")
	}, func() {})
	if after := in(t, ns, "ip -6 route show table all proto 200"); after != before {
		t.Errorf("a restart changed the routes from\n%s\nto\n%s", before, after)
	}
	mustApply(t, n, insert(binding("fcf0:1::8/128")))
	if n.private[px("fcf0:1::1/128")] == n.private[px("fcf0:1::8/128")] {
		t.Error("two binding SIDs share a table")
	}
}

func TestARowWhoseNextHopCannotBeHadAnyMoreIsForgotten(t *testing.T) {
	ns, o := onePort(t)
	n := restarted(t, ns, o, func(n *Node) {
		mustApply(t, n, insert(hop(ns, 1, 1), via("fd00:4::/64", 1), un("fcbb:bbbb:100::/48"), local("fcf0:1::3/128", contract.Behavior{Action: contract.EndX, NextHop: 1})))
	}, func() { in(t, ns, "ip link set p1 address 02:00:00:00:00:99") }) // Linux sends from no other address
	if got, want := stored(t, n, ""), []string{"my_sid fcbb:bbbb:100::/48"}; !slices.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	if left := in(t, ns, "ip -6 route show fd00:4::/64; ip -6 route show fcf0:1::3"); left != "" {
		t.Errorf("a route that no row explains stays: %s", left)
	}
}

func TestTheRelayKnowsItsSourceAfterARestart(t *testing.T) {
	ns, o := onePort(t)
	n := restarted(t, ns, o, func(n *Node) {
		mustApply(t, n, modify(contract.EncapSource{Source: ad("fcff:1::1")}))
	}, func() {})
	if got := n.relay.source.Load(); got == nil || *got != ad("fcff:1::1") {
		t.Errorf("the relay speaks for %v, want fcff:1::1", got)
	}
}

func TestAnInterruptedInsertOfALostRowIsFinished(t *testing.T) {
	ns, o := onePort(t)
	var dir, identity string
	restarted(t, ns, o, func(n *Node) {
		mustApply(t, n, insert(un("fcbb:bbbb:100::/48")))
		in(t, ns, "ip -6 route del fcbb:bbbb:100::/48")
		dir = n.options.StateDir
		var err error
		if identity, err = n.ns.identity(); err != nil {
			t.Fatal(err)
		}
	}, func() {
		interrupted(t, dir, identity, insert(local("fcbb:bbbb:100::/48", contract.Behavior{Action: contract.End})))
	})
	if got := in(t, ns, "ip -6 -d route show fcbb:bbbb:100::/48"); got == "" || strings.Contains(got, "flavors") {
		t.Errorf("the batch that was interrupted is not finished: %s", got)
	}
}
