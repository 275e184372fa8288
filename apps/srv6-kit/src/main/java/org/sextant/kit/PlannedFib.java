// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib;
import org.sextant.core.table.MySid;

/** The table entries of nodes without any intent, and the SIDs that an intent adds at its egress. */
public record PlannedFib(Fib without, String egress, List<MySid> added) implements Fib {

    @Override
    public Optional<MySid> mySid(String node, Ipv6 destination) {
        return Stream.concat(
                        added.stream()
                                .filter(sid -> node.equals(egress) && sid.sid().contains(destination)),
                        without.mySid(node, destination).stream())
                .max(Comparator.comparing(sid -> sid.sid().length()));
    }

    @Override
    public Optional<RuleSet> firewall(String node, int number) {
        return without.firewall(node, number);
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
