// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib;
import org.sextant.core.table.MySid;

/** What the nodes hold without any flow, and the SIDs that a flow adds at its egress. */
record PlannedFib(Fib without, String egress, List<MySid> added) implements Fib {

    @Override
    public Optional<MySid> mySid(String node, Ipv6 destination) {
        Optional<MySid> own = added.stream()
                .filter(sid -> node.equals(egress) && sid.sid().contains(destination))
                .findFirst();
        return own.isPresent() ? own : without.mySid(node, destination);
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
