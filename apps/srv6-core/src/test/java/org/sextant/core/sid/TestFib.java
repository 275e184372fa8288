// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.MySid;

/** Tables of all nodes, filled by hand; every lookup is a plain search. */
final class TestFib implements Fib {
    private record Row(String node, int vrf, IpPrefix prefix, List<Adjacency> members) {}

    private final Map<String, List<MySid>> sids = new HashMap<>();
    private final List<Row> routes = new ArrayList<>();
    private final Map<String, Adjacency> nextHops = new HashMap<>();
    private final Map<String, List<List<Ipv6>>> lists = new HashMap<>();
    private final Map<String, RuleSet> firewalls = new HashMap<>();

    TestFib sid(String node, String prefix, Behavior behavior) {
        sids.computeIfAbsent(node, n -> new ArrayList<>()).add(new MySid(IpPrefix.parse(prefix), behavior));
        return this;
    }

    TestFib route(String node, int vrf, String prefix, Adjacency... members) {
        routes.add(new Row(node, vrf, IpPrefix.parse(prefix), List.of(members)));
        return this;
    }

    TestFib nextHop(String node, int id, Adjacency to) {
        nextHops.put(node + " " + id, to);
        return this;
    }

    TestFib list(String node, int id, List<List<Ipv6>> members) {
        lists.put(node + " " + id, members);
        return this;
    }

    TestFib firewall(String node, RuleSet rules) {
        firewalls.put(node + " " + rules.number(), rules);
        return this;
    }

    @Override
    public Optional<RuleSet> firewall(String node, int number) {
        return Optional.ofNullable(firewalls.get(node + " " + number));
    }

    @Override
    public Optional<MySid> mySid(String node, Ipv6 destination) {
        return sids.getOrDefault(node, List.of()).stream()
                .filter(sid -> sid.sid().contains(destination))
                .max(Comparator.comparing(sid -> sid.sid().length()));
    }

    @Override
    public List<Adjacency> route(String node, int vrf, IpAddress destination) {
        return routes.stream()
                .filter(row -> row.node.equals(node) && row.vrf == vrf && row.prefix.contains(destination))
                .max(Comparator.comparing(row -> row.prefix.length()))
                .map(Row::members)
                .orElse(List.of());
    }

    @Override
    public Optional<Adjacency> adjacency(String node, int nextHop) {
        return Optional.ofNullable(nextHops.get(node + " " + nextHop));
    }

    @Override
    public List<List<Ipv6>> segmentLists(String node, int sidList) {
        return lists.getOrDefault(node + " " + sidList, List.of());
    }
}
