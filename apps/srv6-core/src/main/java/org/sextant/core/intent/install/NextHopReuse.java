// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.sextant.core.table.Entry;

/**
 * Which rows of a node must wait for a later round, because a next hop gets another meaning or goes. A route that holds
 * an id means the neighbor behind it; if the id is given to another neighbor first, the route's packets go astray until it is
 * changed too. So
 *
 * <pre>
 *   routes that leave the id | the next hop | routes that come to it
 * </pre>
 *
 * are three rounds, and each begins only where the node really holds what the one before wrote: a refusal in between
 * keeps the new neighbor waiting, and sends no packets to it, or to nowhere. Where a route stays with the id, it is the
 * same neighbour that has another port or MAC address: then the next hop changes at once, and all its routes with it.
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
