// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where nodes may send packets to one prefix, as far as is confirmed: for each node the next hops of the route that it
 * confirmed last and of every route that was sent to it since. A node that does not answer has all of them at once.
 *
 * <p><em>Rule.</em> A node gets a new route only if no path from its new next hops returns to it, and, if the node can
 * forward packets to the prefix now, none ends at a node that has no route.
 *
 * <p><em>No packet loops.</em> Let the graph have no cycle. A write adds edges from one node only, so a cycle that it
 * closes contains a new edge of this node; then a path from a new next hop returns, and the rule forbids it. A
 * confirmation takes edges out. So by induction the graph never has one, in whatever order nodes answer, and whichever
 * of the routes sent to it a silent node uses: its real next hops are part of the graph.
 *
 * <p><em>All that can be written is.</em> The planned routes to a prefix have no cycle. Among the nodes that are to
 * change one has no other such node on its new paths; all nodes on these have confirmed their planned routes, so the
 * paths end where the plan ends, and it may be written. Silent nodes delay only nodes whose new paths contain them.
 *
 * <pre>
 *   a - b - c     a-b is lost: a is to send to b over f, e, d, c
 *   |       |     d  keeps its route
 *   f - e - d     e  at once     f  when e has confirmed     a  when f has
 * </pre>
 *
 * RFC 6976 orders FIBs by ranks of a tree, which do not cover nodes that do not answer; RFC 5715 compares such methods.
 */
final class MayGraph {

    /** The routes of nodes to one prefix, as far as they are known. */
    interface Routes {
        /** The neighbors to which the node may send packets to the prefix. */
        Collection<String> next(String node);

        /** True if the node is to have a route to the prefix and may have none. */
        boolean mayDrop(String node);
    }

    private MayGraph() {}

    /**
     * The reason why a node cannot have a new route now.
     *
     * @param next the neighbors to which the route sends
     * @param carries true if the node can forward packets to the prefix now: by its route, or by a backup path
     * @return the path from one of the next hops that comes back to the node (its last element then) or ends at a node that
     *     may drop packets; empty if the route can be written
     */
    static Optional<List<String>> obstacle(String node, Collection<String> next, boolean carries, Routes routes) {
        Map<String, @Nullable String> before = new HashMap<>();
        Deque<String> open = new ArrayDeque<>();
        for (String first : next) {
            if (!before.containsKey(first)) {
                before.put(first, null);
                open.add(first);
            }
        }
        while (!open.isEmpty()) {
            String at = open.remove();
            if (at.equals(node) || carries && routes.mayDrop(at)) {
                return Optional.of(path(at, before));
            }
            for (String further : routes.next(at)) {
                if (!before.containsKey(further)) {
                    before.put(further, at);
                    open.add(further);
                }
            }
        }
        return Optional.empty();
    }

    private static List<String> path(String end, Map<String, @Nullable String> before) {
        List<String> path = new ArrayList<>();
        for (String at = end; at != null; at = before.get(at)) {
            path.add(at);
        }
        Collections.reverse(path);
        return path;
    }
}
