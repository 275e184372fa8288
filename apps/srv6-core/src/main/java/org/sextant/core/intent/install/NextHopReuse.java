// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.sextant.core.table.Entry;

/**
 * Entries of a node that must wait for a later round, because a next hop is reassigned or removed. A route with an id
 * denotes the neighbor behind it; if the id is assigned to another neighbor first, the route's packets are misrouted
 * until the route is changed too. So
 *
 * <pre>
 *   routes that leave the id | the next hop | routes that come to it
 * </pre>
 *
 * are three rounds, and each begins only where the node has confirmed the writes of the previous one: a refusal in
 * between delays the new neighbor, and sends no packets to it or into a void. Where a route keeps the id, the same
 * neighbor has another port or MAC address: then the next hop changes at once, and all its routes with it.
 */
final class NextHopReuse {
    private static final NextHopReuse NONE = new NextHopReuse(Set.of(), Map.of());

    /** Next hops that routes still use with their old meaning. */
    private final Set<Row> taken;

    /** Next hops that will mean another neighbor, by id. */
    private final Map<Integer, Row> turning;

    private NextHopReuse(Set<Row> taken, Map<Integer, Row> turning) {
        this.taken = taken;
        this.turning = turning;
    }

    static NextHopReuse of(NodeTable node) {
        Map<Integer, Row> turning = new HashMap<>();
        for (Row row : node.adjacencies) {
            if (row.held != null && (row.wanted() == null || !row.held.leadsAs(row.wanted()))) {
                row.held.adjacency().ifPresent(id -> turning.put(id, row));
            }
        }
        return turning.isEmpty() ? NONE : of(node, turning);
    }

    private static NextHopReuse of(NodeTable node, Map<Integer, Row> turning) {
        Set<Row> taken = new HashSet<>();
        Set<Integer> staying = new HashSet<>();
        for (Row row : node.rows.values()) {
            if (row.held != null) {
                Entry wanted = row.wanted();
                for (int id : row.held.leavesBy()) {
                    if (wanted != null && wanted.leavesBy().contains(id)) {
                        staying.add(id);
                    } else if (turning.containsKey(id)) {
                        taken.add(turning.get(id));
                    }
                }
            }
        }
        staying.forEach(id -> taken.remove(turning.remove(id)));
        turning.values().removeIf(row -> row.wanted() == null);
        return new NextHopReuse(taken, turning);
    }

    /** True if the row is not to be written in this plan. */
    boolean waits(Row row) {
        Entry wanted = row.wanted();
        return taken.contains(row)
                || wanted != null
                        && !turning.isEmpty()
                        && wanted.leavesBy().stream().anyMatch(turning::containsKey);
    }
}
