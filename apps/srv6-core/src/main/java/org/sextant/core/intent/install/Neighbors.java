// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.table.Entry;
import org.sextant.core.underlay.NextHopIds;

/**
 * The nodes behind the next hops of nodes, links that are down included: a kernel uses a next hop again as soon as its
 * carrier is back, possibly before the controller is notified.
 */
final class Neighbors {
    private static final Map<Integer, Link> NONE = Map.of();

    /** The links by node, then by next hop. */
    private final Map<String, Map<Integer, Link>> links = new HashMap<>();

    Neighbors(Network network) {
        for (Link link : network.links()) {
            links.computeIfAbsent(link.from().node(), node -> new TreeMap<>())
                    .put(NextHopIds.ofPort(link.from().port()), link);
        }
    }

    /** The neighbors to which an entry of the node sends; none for hosts. */
    Collection<String> of(String node, Entry entry) {
        Map<Integer, Link> own = links.getOrDefault(node, NONE);
        Set<String> neighbors = new LinkedHashSet<>();
        for (int id : entry.leavesBy()) {
            Link link = own.get(id);
            if (link != null) {
                neighbors.add(link.to().node());
            }
        }
        return neighbors;
    }

    /** All neighbors of the node. */
    Collection<String> of(String node) {
        Set<String> neighbors = new LinkedHashSet<>();
        links.getOrDefault(node, NONE)
                .values()
                .forEach(link -> neighbors.add(link.to().node()));
        return neighbors;
    }

    /** True if the entry sends to a host, or over a link that is up. */
    boolean isAlive(String node, Entry entry) {
        Map<Integer, Link> own = links.getOrDefault(node, NONE);
        return entry.leavesBy().stream()
                .anyMatch(id -> !own.containsKey(id) || own.get(id).up());
    }
}
