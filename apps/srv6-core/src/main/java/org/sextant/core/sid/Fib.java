// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.MySid;

/** The tables of all nodes, as a {@link Walk} reads them. Answers are the same for the same question. */
public interface Fib {

    /** The longest of the node's own SIDs that matches. */
    Optional<MySid> mySid(String node, Ipv6 destination);

    /** The members of the longest matching route of a VRF; empty if there is no route. Their order does not matter. */
    List<Adjacency> route(String node, int vrf, IpAddress destination);

    /** The adjacency of a next hop id of the node. */
    Optional<Adjacency> adjacency(String node, int nextHop);

    /** The members of a sid_list of the node, each in travel order; empty if there is no such list. */
    List<List<Ipv6>> segmentLists(String node, int sidList);

    /** The rules that a node has under a number; empty if it has none. */
    default Optional<RuleSet> firewall(String node, int number) {
        return Optional.empty();
    }

    /**
     * The neighbor of a port.
     *
     * @param link names the link, for example {@code l1/1-l2/1}; for a host the port, {@code l3/3}
     * @param neighbor the node or host at its other end
     * @param host the neighbor forwards nothing
     */
    record Adjacency(String link, String neighbor, boolean host) implements Comparable<Adjacency> {
        public Adjacency {
            Objects.requireNonNull(link);
            Objects.requireNonNull(neighbor);
        }

        @Override
        public int compareTo(Adjacency other) {
            int order = neighbor.compareTo(other.neighbor);
            return order != 0 ? order : link.compareTo(other.link);
        }
    }
}
