// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cluster;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Member;

/**
 * The members of the cluster and their shares of the nodes at a moment.
 *
 * @param members in the order of their ids
 * @param leaders for every node the id of the member that acts for it; empty if none does
 * @param settles the id of the member that acts for objects of no node; empty if there is none
 */
public record Shares(List<Member> members, SortedMap<String, Optional<String>> leaders, Optional<String> settles) {
    public Shares {
        members = List.copyOf(members);
        leaders = Collections.unmodifiableSortedMap(new TreeMap<>(leaders));
    }

    /** As it is now. */
    public static Shares of(Coordination coordination, Iterable<String> nodes) {
        SortedMap<String, Optional<String>> leaders = new TreeMap<>();
        nodes.forEach(node -> leaders.put(node, coordination.leaderOf(node)));
        return new Shares(coordination.members(), leaders, coordination.leaderOf(Coordination.OF_NO_NODE));
    }

    /** The nodes that a member acts for, sorted. */
    public SortedSet<String> of(String member) {
        return held(Optional.of(member));
    }

    /** The nodes without a member that acts for them, sorted. */
    public SortedSet<String> unattended() {
        return held(Optional.empty());
    }

    private SortedSet<String> held(Optional<String> by) {
        SortedSet<String> nodes = new TreeSet<>();
        leaders.forEach((node, leader) -> {
            if (leader.equals(by)) {
                nodes.add(node);
            }
        });
        return nodes;
    }

    /** The member that is asked. */
    public Optional<Member> self() {
        return members.stream().filter(Member::self).findFirst();
    }
}
