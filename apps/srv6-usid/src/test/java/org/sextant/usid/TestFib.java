// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Paths;
import org.sextant.core.provision.SidPlan;
import org.sextant.core.sid.Fib;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.MySid;

/** What every node holds by the conventions, worked out from the network on each question. */
record TestFib(Network network, Paths paths, Map<String, SidPlan> plans) implements Fib {

    static Fib of(Network network) {
        Map<String, SidPlan> plans = new HashMap<>();
        network.nodes().values().forEach(node -> SidPlan.of(node).ifPresent(plan -> plans.put(node.name(), plan)));
        return new TestFib(network, new Paths(network), plans);
    }

    @Override
    public Optional<MySid> mySid(String node, Ipv6 destination) {
        SidPlan plan = plans.get(node);
        if (plan == null) {
            return Optional.empty();
        }
        List<MySid> sids = new java.util.ArrayList<>(List.of(plan.marker(Family.IPV6), plan.marker(Family.IPV4), plan.udt(Family.IPV6, 0), plan.udt(Family.IPV4, 0)));
        network.linksFrom(node).stream().filter(Link::up).forEach(link -> sids.add(plan.ua(link.from().port())));
        plan.numberedUdt(Family.IPV6).ifPresent(sids::add);
        plan.numberedUdt(Family.IPV4).ifPresent(sids::add);
        sids.add(plan.un());
        return sids.stream().filter(sid -> sid.sid().contains(destination)).findFirst();
    }

    @Override
    public List<Adjacency> route(String node, int vrf, IpAddress destination) {
        Optional<Adjacency> host = network.hostsAt(node).stream().filter(one -> one.addresses().contains(destination)).findFirst()
                .map(one -> new Adjacency(one.location().toString(), one.name(), true));
        if (host.isPresent()) {
            return List.of(host.get());
        }
        Optional<String> to = plans.entrySet().stream().filter(one -> one.getValue().routed().contains(destination)).map(Map.Entry::getKey).findFirst();
        return to.map(name -> paths.nextHops(node, name, Metric.IGP)).orElse(List.of()).stream().map(link -> new Adjacency(link.id(), link.to().node(), false)).toList();
    }

    @Override
    public Optional<Adjacency> adjacency(String node, int nextHop) {
        return network.linksFrom(node).stream().filter(link -> link.up() && link.from().port() == nextHop).findFirst()
                .map(link -> new Adjacency(link.id(), link.to().node(), false));
    }

    @Override
    public List<List<Ipv6>> segmentLists(String node, int sidList) {
        return List.of();
    }
}
