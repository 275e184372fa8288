// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib;
import org.sextant.core.table.MySid;

/**
 * The forwarding of nodes right after links were lost, before the controller updates routes: their entries, without the
 * members whose carrier is gone.
 *
 * @param lost ids of links
 */
public record FailedFib(Fib held, Set<String> lost) implements Fib {
    public FailedFib {
        lost = Set.copyOf(lost);
    }

    @Override
    public Optional<MySid> mySid(String node, Ipv6 destination) {
        return held.mySid(node, destination);
    }

    @Override
    public List<Adjacency> route(String node, int vrf, IpAddress destination) {
        return held.route(node, vrf, destination).stream()
                .filter(member -> !lost.contains(member.link()))
                .toList();
    }

    @Override
    public Optional<Adjacency> adjacency(String node, int nextHop) {
        return held.adjacency(node, nextHop).filter(one -> !lost.contains(one.link()));
    }

    @Override
    public List<List<Ipv6>> segmentLists(String node, int sidList) {
        return held.segmentLists(node, sidList);
    }
}
