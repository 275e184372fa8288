// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The capabilities of a node by its P4Info: the actions of each table, and the tables' sizes. A switch that replicates
 * packets offers that as one more table ({@code core.table.MulticastGroup}).
 */
public record Capabilities(Map<String, Set<String>> actionsOfTable, Map<String, Long> sizeOfTable) {

    public Capabilities {
        actionsOfTable = Map.copyOf(actionsOfTable);
        sizeOfTable = Map.copyOf(sizeOfTable);
    }

    /** The same capabilities, and one more table with one action. */
    public Capabilities with(String table, String action) {
        Map<String, Set<String>> more = new TreeMap<>(actionsOfTable);
        more.put(table, Set.of(action));
        return new Capabilities(more, sizeOfTable);
    }

    public boolean offers(String table, String action) {
        return actionsOfTable.getOrDefault(table, Set.of()).contains(action);
    }

    /**
     * True if the controller alone answers for the node's own addresses. A pipeline that can discard a frame before
     * anything else has no kernel beneath it that would take part in neighbor discovery.
     */
    public boolean stackless() {
        return offers("punt", "discard");
    }

    /** The longest segment list the node can push: the largest N of its segments_N actions, 0 if none. */
    public int maxSegments() {
        return actionsOfTable.getOrDefault("sid_list", Set.of()).stream()
                .filter(action -> action.matches("segments_[0-9]+"))
                .mapToInt(action -> Integer.parseInt(action.substring("segments_".length())))
                .max()
                .orElse(0);
    }
}
