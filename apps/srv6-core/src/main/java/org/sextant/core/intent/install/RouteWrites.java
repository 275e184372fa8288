// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Route;
import org.sextant.core.table.Standby;

/**
 * The routes of one round, each written when the {@link MayGraph} of its prefix allows it. A write that is not allowed
 * waits for the confirmation of a node on its path; if no node of this round has to confirm anything for it, it is held
 * back.
 */
final class RouteWrites {
    private final SortedMap<String, NodeTable> nodes;
    private final RouteReports reports;
    private final Neighbors neighbors;

    /** Writes that are not sent. */
    private final Map<Row, UpdatePlan.Write> open = new LinkedHashMap<>();

    /** Rows of open writes, to be checked next. */
    private final Set<Row> due = new LinkedHashSet<>();

    /** Sent, and not answered. */
    private final Set<Row> sent = new HashSet<>();

    /** Rows that wait for the answer to another. */
    private final Map<Row, List<Row>> waiting = new HashMap<>();

    private final Map<Row, String> obstacles = new HashMap<>();
    private final Map<Entry.Key, Boolean> inUse = new HashMap<>();

    RouteWrites(SortedMap<String, NodeTable> nodes, RouteReports reports) {
        this.nodes = nodes;
        this.reports = reports;
        this.neighbors = reports.neighbors();
    }

    /** True for the writes that belong here: routes to prefixes to which any node may send packets already. */
    boolean orders(UpdatePlan.Write write) {
        return write.update().entry() instanceof Route && inUse.computeIfAbsent(write.row().key, this::isInUse);
    }

    private boolean isInUse(Entry.Key key) {
        return reports.isUnsettled(key)
                || nodes.values().stream()
                        .map(node -> node.rows.get(key))
                        .anyMatch(row -> row != null
                                && (row.held != null || !row.unconfirmed().isEmpty()));
    }

    void add(UpdatePlan.Write write) {
        open.put(write.row(), write);
        due.add(write.row());
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** Takes out the writes that are possible now to nodes that are not busy, by node; they count as sent. */
    SortedMap<String, List<UpdatePlan.Write>> takeReady(Set<String> busy) {
        SortedMap<String, List<UpdatePlan.Write>> ready = new TreeMap<>();
        for (Row row : List.copyOf(due)) {
            if (busy.contains(row.node.name)) {
                continue;
            }
            due.remove(row);
            UpdatePlan.Write write = open.get(row);
            if (write != null
                    && (write.moot() || isAllowed(row, (Route) write.update().entry()))) {
                open.remove(row);
                if (!write.moot()) {
                    row.sent(write.update().entry());
                    sent.add(row);
                    ready.computeIfAbsent(row.node.name, node -> new ArrayList<>())
                            .add(write);
                }
            }
        }
        return ready;
    }

    private boolean isAllowed(Row row, Route wanted) {
        if (!reports.mayWrite(row.node)) {
            obstacles.put(row, row.node.name);
            return false;
        }
        Known known = new Known(row);
        Optional<List<String>> obstacle =
                MayGraph.obstacle(row.node.name, neighbors.of(row.node.name, wanted), carries(row), known);
        if (obstacle.isEmpty()) {
            return true;
        }
        @Nullable Row pending = null;
        @Nullable String unconfirmed = null;
        for (String node : obstacle.get()) {
            NodeTable table = nodes.get(node);
            Row other = table == null ? null : table.rows.get(row.key);
            if (other != null && other != row && (open.containsKey(other) || sent.contains(other))) {
                pending = pending == null ? other : pending;
            }
            if (unconfirmed == null && !node.equals(row.node.name) && known.isUnsettled(node)) {
                unconfirmed = node;
            }
        }
        if (pending != null) {
            waiting.computeIfAbsent(pending, key -> new ArrayList<>()).add(row);
        }
        obstacles.put(row, unconfirmed == null ? obstacle.get().get(0) : unconfirmed);
        return false;
    }

    /** The node can forward packets now: a next hop of its route has its link, or there is a backup path. */
    private boolean carries(Row row) {
        if (row.held == null) {
            return false;
        }
        Row standby = row.node.rows.get(new Entry.Key(Standby.TABLE, row.key.matched()));
        return standby != null && standby.held != null || neighbors.isAlive(row.node.name, row.held);
    }

    /** The node answered, or is lost: rows that waited for this one are checked again. */
    void answered(Row row) {
        if (sent.remove(row)) {
            List<Row> waited = waiting.remove(row);
            if (waited != null) {
                due.addAll(waited);
            }
        }
    }

    /** Takes out the writes to a node. */
    List<UpdatePlan.Write> lose(String node) {
        List<UpdatePlan.Write> lost = open.values().stream()
                .filter(write -> write.row().node.name.equals(node))
                .toList();
        lost.forEach(write -> open.remove(write.row()));
        return lost;
    }

    /** Takes out the rows that are left, each with the node for which it waits. */
    Map<Row, String> holdBack() {
        Map<Row, String> left = new LinkedHashMap<>();
        open.keySet().forEach(row -> left.put(row, cause(row)));
        open.clear();
        due.clear();
        return left;
    }

    /** The node for which all wait that wait for each other. */
    private String cause(Row row) {
        Set<String> passed = new HashSet<>(Set.of(row.node.name));
        String cause = obstacles.getOrDefault(row, row.node.name);
        while (passed.add(cause)) {
            Row other = nodes.containsKey(cause) ? nodes.get(cause).rows.get(row.key) : null;
            cause = other != null && open.containsKey(other) ? obstacles.getOrDefault(other, cause) : cause;
        }
        return cause;
    }

    /** The routes to the prefix of a row that is to change. */
    private final class Known implements MayGraph.Routes {
        private final Row changing;

        Known(Row changing) {
            this.changing = changing;
        }

        private @Nullable Row row(String node) {
            NodeTable table = nodes.get(node);
            return table == null ? null : table.rows.get(changing.key);
        }

        @Override
        public Collection<String> next(String node) {
            NodeTable table = nodes.get(node);
            if (table == null) {
                return List.of();
            }
            Row row = table.rows.get(changing.key);
            if (reports.isUnknown(table)) {
                // For a node without a route, unknown nodes count as planned: a network could not be started otherwise.
                return changing.held != null ? neighbors.of(node) : planned(node, row);
            }
            return table.mine ? possible(node, row) : elsewhere(table, row);
        }

        private Collection<String> possible(String node, @Nullable Row row) {
            if (row == null) {
                return List.of();
            }
            Set<String> next = new LinkedHashSet<>();
            if (row.held != null) {
                next.addAll(neighbors.of(node, row.held));
            }
            row.unconfirmed().forEach(entry -> next.addAll(neighbors.of(node, entry)));
            return next;
        }

        private Collection<String> elsewhere(NodeTable table, @Nullable Row row) {
            Set<String> next = new LinkedHashSet<>(planned(table.name, row));
            next.addAll(reported(table));
            next.remove(RouteReport.NONE);
            return next;
        }

        private Collection<String> planned(String node, @Nullable Row row) {
            Entry wanted = row == null ? null : row.wanted();
            return wanted == null ? List.of() : neighbors.of(node, wanted);
        }

        private Set<String> reported(NodeTable table) {
            return reports.matching(table)
                    .map(report -> report.possible(changing.key))
                    .orElse(Set.of());
        }

        @Override
        public boolean mayDrop(String node) {
            NodeTable table = nodes.get(node);
            Row row = row(node);
            if (table == null || row == null || row.wanted() == null) {
                return false;
            }
            return table.mine ? row.held == null : reported(table).contains(RouteReport.NONE);
        }

        /** True if the node may have another route than planned. */
        boolean isUnsettled(String node) {
            NodeTable table = nodes.get(node);
            if (table == null) {
                return false;
            }
            Row row = row(node);
            return reports.isUnknown(table)
                    || (table.mine
                            ? row != null
                                    && (!row.unconfirmed().isEmpty()
                                            || row.needed(false).isPresent())
                            : !reported(table).isEmpty());
        }
    }
}
