// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.List;
import java.util.Optional;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib;
import org.sextant.core.table.MySid;

/** The table entries of nodes without firewalls, and firewalls. */
public record FirewallFib(Fib without, List<FirewallHandle> firewalls) implements Fib {

    /** Firewall SIDs have longer prefixes than SIDs of nodes, and each has one owner. */
    @Override
    public Optional<MySid> mySid(String node, Ipv6 destination) {
        return firewalls.stream()
                .filter(one -> one.node().equals(node) && one.sid().sid().contains(destination))
                .findFirst()
                .map(FirewallHandle::sid)
                .or(() -> without.mySid(node, destination));
    }

    @Override
    public Optional<RuleSet> firewall(String node, int number) {
        return firewalls.stream()
                .filter(one -> one.node().equals(node) && one.rules().number() == number)
                .findFirst()
                .map(FirewallHandle::rules)
                .or(() -> without.firewall(node, number));
    }

    @Override
    public List<Adjacency> route(String node, int vrf, IpAddress destination) {
        return without.route(node, vrf, destination);
    }

    @Override
    public Optional<Adjacency> adjacency(String node, int nextHop) {
        return without.adjacency(node, nextHop);
    }

    @Override
    public List<List<Ipv6>> segmentLists(String node, int sidList) {
        return without.segmentLists(node, sidList);
    }
}
