// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.sextant.core.sid.Fib;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Route;
import org.sextant.core.table.Standby;
import org.sextant.core.underlay.Underlay;

/**
 * When the rows of one round that several nodes have for the same prefix are changed: by their {@link Ranks}. Rows that only
 * come have no place: nobody was sent by them before. Nor has one all of whose neighbors are lost, if its node has no
 * standby for it: packets that it drops now cannot wait. But routes to the locators of repairs always wait (ADR 27).
 *
 * <p>Touched by the engine's thread only.
 */
final class RouteOrder {
    private final SortedMap<String, NodeTable> nodes;
    private final Underlay underlay;
    private final Fib fib;

    /** @param underlay of the network as the rows are to make it: which node is behind an adjacency now */
    RouteOrder(SortedMap<String, NodeTable> nodes, Underlay underlay) {
        this.nodes = nodes;
        this.underlay = underlay;
        this.fib = underlay.fib();
    }

    /** The rows that have to wait for others, and for how many steps. */
    Map<Row, Integer> of(Collection<Row> written) {
        Map<Entry.Key, List<Row>> routes = new HashMap<>();
        for (Row row : written) {
            if (row.wanted() != null && !row.wanted().leavesBy().isEmpty()) {
                routes.computeIfAbsent(row.key, key -> new ArrayList<>(2)).add(row);
            }
        }
        Map<Row, Integer> places = new HashMap<>();
        routes.values().stream()
                .filter(rows -> rows.size() > 1 && rows.stream().anyMatch(row -> row.held != null))
                .forEach(rows -> rank(rows, places));
        return places;
    }

    private void rank(List<Row> rows, Map<Row, Integer> places) {
        Entry.Key key = rows.get(0).key;
        Set<String> changing = new HashSet<>();
        rows.forEach(row -> changing.add(row.node.name));
        Ranks ranks = new Ranks(changing, node -> next(node, key, changing.contains(node)));
        for (Row row : rows) {
            int rank = drops(row) ? 0 : ranks.of(row.node.name);
            if (rank > 0) {
                places.put(row, rank);
            }
        }
    }

    private boolean drops(Row row) {
        Row standby = row.node.rows.get(new Entry.Key(Standby.TABLE, row.key.matched()));
        return row.held != null
                && neighbors(row.node.name, row.held).isEmpty()
                && (standby == null || standby.held == null)
                && !isRepairRoute(row);
    }

    /** No repair that holds is dropped there: it avoids what the node has lost. */
    private boolean isRepairRoute(Row row) {
        return row.held instanceof Route route && underlay.isRepairLocator(route.destination());
    }

    private List<String> next(String node, Entry.Key key, boolean changes) {
        NodeTable table = nodes.get(node);
        Row row = table == null ? null : table.rows.get(key);
        @Nullable Entry entry = row == null ? null : changes ? row.wanted() : row.held;
        return entry == null ? List.of() : neighbors(node, entry);
    }

    private List<String> neighbors(String node, Entry entry) {
        List<String> neighbors = new ArrayList<>(2);
        for (int id : entry.leavesBy()) {
            fib.adjacency(node, id).filter(one -> !one.host()).ifPresent(one -> neighbors.add(one.neighbor()));
        }
        return neighbors;
    }
}
