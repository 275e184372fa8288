// SPDX-License-Identifier: Apache-2.0

package linux

import (
	"context"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"

	"sextant/agent/internal/contract"
	"sextant/agent/internal/edge"
)

// domain has ports be internal ones of the domain of these tests.
func domain(ports ...contract.PortID) []contract.Update {
	rows := []contract.Entry{
		contract.EdgeSID{Dst: px("fcbb:bbbb::/32")}, contract.EdgeSource{Src: px("fcbb:bbbb::/32")}, contract.EdgeSource{Src: px("fcff::/16")},
	}
	for _, port := range ports {
		rows = append(rows, contract.EdgePort{Port: port, KnownSources: true})
	}
	return insert(rows...)
}

func portAt(t testing.TB, n *Node, id contract.PortID) contract.Port {
	t.Helper()
	ports, err := n.Ports(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ports {
		if p.ID == id {
			return p
		}
	}
	t.Fatalf("port %d is not among %v", id, ports)
	return contract.Port{}
}

// The node that watches a list and the one that forwards its probes count the same, and only the traffic beside them is left.
func TestProbesAreToldApartAtTheirNodeAndOnTheWay(t *testing.T) {
	needFeature(t, edge.FeatureName)
	g := newLooped(t)
	transit := open(t, Options{NetNS: g.b, Ports: map[contract.PortID]string{1: "r"}, StateDir: stateDir(t)})
	mustApply(t, transit, domain(1))
	mustApply(t, g.n, domain(2, 3))
	mustApply(t, g.n, insert(watched(byB, probeB, 0)))
	eventually(t, "50 probes have come back", func() bool { return g.report(byB).Received >= 50 })
	for range 10 {
		g.way(t) // traffic on the same link
	}
	before := portAt(t, g.n, 2)
	fails(t, g.b, true) // behind where probes are counted
	eventually(t, "probes are lost", func() bool { return g.report(byB).Lost >= 5 })
	fails(t, g.b, false)
	g.reaches(t, byB, "UP", byB)
	mustApply(t, g.n, remove(watched(byB, probeB, 0)))

	var at, on *contract.ProbeCounters
	eventually(t, "both ends of the link have counted the same probes", func() bool {
		at, on = portAt(t, g.n, 2).Probes, portAt(t, transit, 1).Probes
		return at != nil && on != nil && at.In == on.Out && at.Out == on.In
	})
	if at.Out.Packets <= before.Probes.Out.Packets || at.In.Packets >= at.Out.Packets {
		t.Fatalf("probes are %+v, before %+v", at, before.Probes)
	}
	const bytes = 14 + 40 + 112
	for _, c := range []contract.Counters{at.In, at.Out, on.In, on.Out} {
		if c.Bytes != c.Packets*bytes {
			t.Errorf("%d bytes of %d probes, want %d each", c.Bytes, c.Packets, bytes)
		}
	}
	sent := portAt(t, g.n, 2)
	if rest := sent.Out.Octets - at.Out.Bytes; rest == 0 || rest > sent.Out.Octets/2 {
		t.Errorf("%d of %d bytes are no probes", rest, sent.Out.Octets)
	}
}

// The counters are the kernel's: they go on from agent to agent, and go with the last role.
func TestCountedProbesGoOnWhileAgentsComeAndGo(t *testing.T) {
	needFeature(t, edge.FeatureName)
	g := newLooped(t)
	mustApply(t, g.n, domain(2, 3))
	mustApply(t, g.n, insert(watched(byB, probeB, 0)))
	eventually(t, "probes are counted", func() bool { return portAt(t, g.n, 2).Probes.In.Packets > 10 })
	if external := portAt(t, g.n, 1).Probes; external != nil {
		t.Errorf("a port without a role has %+v", external)
	}
	before := portAt(t, g.n, 2).Probes
	if err := g.n.Close(); err != nil {
		t.Fatal(err)
	}
	g.open(t)
	if after := portAt(t, g.n, 2).Probes; after == nil || after.Out.Packets < before.Out.Packets {
		t.Errorf("the next agent counts %+v, the former %+v", after, before)
	}
	eventually(t, "they grow", func() bool { return portAt(t, g.n, 2).Probes.In.Packets > before.In.Packets+10 })
	if got := atEgress(t, g.ns, "p2"); got != 1 {
		t.Errorf("%d programs at egress", got)
	}
	mustApply(t, g.n, modify(contract.EdgePort{Port: 2, External: true, DropSRH: true}))
	if got := atEgress(t, g.ns, "p2"); got != 0 || portAt(t, g.n, 2).Probes != nil {
		t.Errorf("an external port has %d programs at egress, probes %+v", got, portAt(t, g.n, 2).Probes)
	}
}

func atEgress(t *testing.T, ns, name string) (programs int) {
	t.Helper()
	index, err := indexOf(ns, name)
	if err != nil {
		t.Fatal(err)
	}
	inside(t, ns, func() error {
		result, err := link.QueryPrograms(link.QueryOptions{Target: index, Attach: ebpf.AttachTCXEgress})
		if err == nil {
			programs = len(result.Programs)
		}
		return err
	})
	return programs
}
