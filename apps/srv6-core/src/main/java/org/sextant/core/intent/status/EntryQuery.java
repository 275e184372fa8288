// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.status;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.sextant.core.intent.EntryFilter;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.install.NodeTable;
import org.sextant.core.intent.install.Row;
import org.sextant.core.intent.orphan.Orphan;
import org.sextant.core.intent.orphan.OrphanedEntries;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.table.Entry;

/** Lists entries for other threads, of which there may be more than the engine's can be kept from its work for. */
final class EntryQuery {
    /** Rows per request: some tenths of a millisecond. */
    private static final int SLICE = 500;

    private final EventLoop thread;
    private final SortedMap<String, NodeTable> nodes;
    private final OrphanedEntries orphans;
    private final Views views;

    EntryQuery(EventLoop thread, SortedMap<String, NodeTable> nodes, OrphanedEntries orphans, Views views) {
        this.thread = thread;
        this.nodes = nodes;
        this.orphans = orphans;
        this.views = views;
    }

    List<EntryStatus> entries(EntryFilter filter) {
        SortedMap<String, SortedMap<Entry.Key, EntryStatus>> byNode = new TreeMap<>();
        for (String node : thread.ask(() -> List.copyOf(nodes.keySet()))) {
            if (filter.node().map(node::equals).orElse(true)) {
                add(byNode, slices(thread.ask(() -> rows(node)), views::entries));
            }
        }
        List<Orphan> leaving = thread.ask(() -> List.copyOf(orphans.all())).stream()
                .filter(orphan -> filter.node().map(orphan.node()::equals).orElse(true))
                .toList();
        add(byNode, slices(leaving, views::left));
        return byNode.values().stream()
                .flatMap(rows -> rows.values().stream())
                .filter(filter::accepts)
                .toList();
    }

    private List<Row> rows(String node) {
        NodeTable there = nodes.get(node);
        return there == null ? List.of() : List.copyOf(there.rows().values());
    }

    /** Requests a few at a time: all of them may hold the thread for too long. */
    private <T> List<EntryStatus> slices(List<T> all, Function<List<T>, List<EntryStatus>> question) {
        List<EntryStatus> found = new ArrayList<>();
        for (int from = 0; from < all.size(); from += SLICE) {
            List<T> slice = all.subList(from, Math.min(from + SLICE, all.size()));
            found.addAll(thread.ask(() -> question.apply(slice)));
        }
        return found;
    }

    private static void add(SortedMap<String, SortedMap<Entry.Key, EntryStatus>> byNode, List<EntryStatus> entries) {
        entries.forEach(entry ->
                byNode.computeIfAbsent(entry.node(), node -> new TreeMap<>()).merge(entry.key(), entry, Views::shared));
    }
}
