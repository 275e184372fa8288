// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.net.Network;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Route;

/**
 * Which routes the nodes of other controllers may have. In a cluster each controller stores a {@link RouteReport} of each of its
 * nodes, and a node gets a route to a prefix in use only under such a promise.
 *
 * <p><em>Rule.</em> A controller writes a node when its report, with the digest of what it plans there, is durable, and it has read
 * all reports after that. Another controller's node may send to where its report says, and to where it is planned to; if the
 * report is about another plan than this controller has for the node, to any neighbor.
 *
 * <p><em>No loop.</em> Let the routes of several controllers close a loop, each written under its last report before. Take the
 * controller whose report was stored last. It read the others' after that, these or later ones, and each covers the route of
 * its node that is part of the loop: as planned, as still possible, or as any neighbor. So its search ({@link MayGraph}) found
 * the loop, and it did not write.
 *
 * <p>A controller alone writes no reports. A node without a report counts as if it had what is planned: its controller is of a
 * version that tells nothing, or has not begun. Used by the event loop only; calls of the store run on other threads.
 */
public final class RouteReports {
    public static final String MAP = "routes";

    /** Routes of one node that are told one by one; more make a report that tells nothing of them. */
    private static final int MOST_UNSETTLED = 1000;

    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

    private final SortedMap<String, NodeTable> nodes;
    private final EngineRuntime runtime;
    private final EventLoop thread;
    private final Store store;
    private final Executor workers;
    private Neighbors neighbors = new Neighbors(Network.EMPTY);

    /** The latest reports, by node. */
    private final Map<String, RouteReport> reports = new HashMap<>();

    /** What there is to report of nodes, with the count of their changes at that time. */
    private final Map<String, Seen> seen = new HashMap<>();

    /** Numbers of this controller's reports that are durable, after which all reports were read. */
    private final Map<String, Long> inForce = new HashMap<>();

    private Set<String> sending = Set.of();

    /** Reports came, and routes that wait were not looked at since. */
    private boolean news;

    private record Seen(int changes, Neighbors neighbors, RouteReport report) {}

    RouteReports(SortedMap<String, NodeTable> nodes, EngineRuntime runtime, Executor workers) {
        this.nodes = nodes;
        this.runtime = runtime;
        this.thread = runtime.loop();
        this.store = runtime.commits().store();
        this.workers = workers;
    }

    /** The network as it is to be now. */
    void network(Network network) {
        neighbors = new Neighbors(network);
    }

    Neighbors neighbors() {
        return neighbors;
    }

    private boolean shared() {
        return runtime.coordination().shared();
    }

    public void load() {
        if (shared()) {
            take(store.all(MAP));
        }
    }

    public void storeChanged(Store.Change change) {
        change.value().flatMap(RouteReport::parse).ifPresent(report -> take(change.key(), report));
    }

    private void take(Map<String, String> texts) {
        texts.forEach((node, text) -> RouteReport.parse(text).ifPresent(report -> take(node, report)));
    }

    private void take(String node, RouteReport report) {
        RouteReport before = reports.get(node);
        if (before == null || before.number() < report.number()) {
            reports.put(node, report);
            news = true;
        }
    }

    /** True if routes of a node of this controller can be written: the others know which. */
    boolean mayWrite(NodeTable node) {
        if (!shared()) {
            return true;
        }
        RouteReport told = reports.get(node.name);
        return told != null && Long.valueOf(told.number()).equals(inForce.get(node.name)) && told.covers(now(node));
    }

    /** The last report of a node, if that is about the routes that this controller plans there. */
    Optional<RouteReport> current(NodeTable node) {
        return told(node).filter(report -> report.plan().equals(now(node).plan()));
    }

    /** The last report of a node. */
    Optional<RouteReport> told(NodeTable node) {
        return Optional.ofNullable(reports.get(node.name));
    }

    /** True if another controller's node may have another route there than it is to have. */
    boolean isUnsettled(Entry.Key route) {
        return nodes.values().stream()
                .filter(node -> !node.mine)
                .map(node -> reports.get(node.name))
                .anyMatch(report -> report != null && !report.possible(route).isEmpty());
    }

    /** Has routes looked at again that wait, if reports came. */
    public void wakeWaiting() {
        nodes.values().stream()
                .filter(node -> node.mine && node.isUnread() && isToldSettled(node))
                .forEach(NodeTable::assumeRoutes);
        if (news) {
            news = false;
            nodes.values().forEach(NodeTable::reconsider);
        }
    }

    /** True if the controller that had the node said that it has the routes that are planned. */
    private boolean isToldSettled(NodeTable node) {
        return shared()
                && current(node)
                        .flatMap(RouteReport::unsettled)
                        .filter(SortedMap::isEmpty)
                        .isPresent();
    }

    /** Sends the reports that are due; called when the messages at hand are dealt with. */
    public void pump() {
        if (!shared() || !sending.isEmpty()) {
            return;
        }
        Map<String, RouteReport> due = new TreeMap<>();
        for (NodeTable node : nodes.values()) {
            if (node.mine) {
                RouteReport now = now(node);
                RouteReport told = reports.get(node.name);
                if (told == null || !told.tellsAs(now) || !inForce.containsKey(node.name)) {
                    due.put(node.name, now.numbered(told == null ? 1 : told.number() + 1));
                }
            } else {
                inForce.remove(node.name);
            }
        }
        inForce.keySet().retainAll(nodes.keySet());
        seen.keySet().retainAll(nodes.keySet());
        if (!due.isEmpty()) {
            send(due);
        }
    }

    private void send(Map<String, RouteReport> due) {
        sending = Set.copyOf(due.keySet());
        List<Store.Write> writes = due.entrySet().stream()
                .map(report ->
                        Store.Write.put(MAP, report.getKey(), report.getValue().encode()))
                .toList();
        try {
            workers.execute(() -> {
                try {
                    store.commit(writes);
                    Map<String, String> all = store.all(MAP);
                    thread.post(() -> sent(due, all));
                } catch (RuntimeException | Error e) {
                    thread.post(() -> failed(e));
                }
            });
        } catch (RejectedExecutionException closed) {
            sending = Set.of();
        }
    }

    private void sent(Map<String, RouteReport> due, Map<String, String> all) {
        sending = Set.of();
        take(all);
        due.forEach((node, report) -> {
            if (Optional.of(report).equals(Optional.ofNullable(reports.get(node)))) {
                inForce.put(node, report.number());
                news = true;
            }
        });
    }

    private void failed(Throwable e) {
        if (!(e instanceof StoreUnavailableException)) { // no fault of the engine, and its host reports it
            runtime.emit(new EngineEvent.Fault("reports of routes", e));
        }
        thread.postAfter(runtime.settings().retryDelay(), () -> sending = Set.of());
    }

    /** True if the others know all there is to tell. */
    public boolean isQuiet() {
        return sending.isEmpty();
    }

    /** What is to be told of a node now, as number 0. */
    private RouteReport now(NodeTable node) {
        Seen last = seen.get(node.name);
        if (last == null || last.changes() != node.changes() || last.neighbors() != neighbors) {
            last = new Seen(node.changes(), neighbors, look(node));
            seen.put(node.name, last);
        }
        return last.report();
    }

    private RouteReport look(NodeTable node) {
        long plan = 0;
        Set<Row> open = new HashSet<>();
        for (Row row : node.rows.values()) {
            if (Route.isKey(row.key)) {
                Entry wanted = row.wanted();
                plan += wanted instanceof Route route ? digest(route) : 0;
                if (node.mine && !isSettled(row, wanted)) {
                    open.add(row);
                }
            }
        }
        boolean unknown = node.mine && node.isUnread() || open.size() > MOST_UNSETTLED;
        return new RouteReport(
                0, String.format("%016x", plan), unknown ? Optional.empty() : Optional.of(possible(open)));
    }

    private static boolean isSettled(Row row, @Nullable Entry wanted) {
        boolean asPlanned = row.held == null ? wanted == null : wanted != null && row.held.means(wanted);
        return asPlanned && row.unconfirmed().isEmpty();
    }

    private SortedMap<Entry.Key, SortedSet<String>> possible(Set<Row> rows) {
        SortedMap<Entry.Key, SortedSet<String>> possible = new TreeMap<>();
        for (Row row : rows) {
            SortedSet<String> next = new TreeSet<>();
            if (row.held == null) {
                next.add(RouteReport.NONE);
            } else {
                next.addAll(neighbors.of(row.node.name, row.held));
            }
            row.unconfirmed().forEach(entry -> next.addAll(neighbors.of(row.node.name, entry)));
            possible.put(row.key, next);
        }
        return possible;
    }

    /** The same for routes to the same prefix that leave by the same next hops, on every controller; their order does not count. */
    static long digest(Route route) {
        long digest = mix(route.vrf(), route.destination().length());
        for (byte part : route.destination().address().toBytes()) {
            digest = mix(digest, part);
        }
        long hops = 0;
        for (int hop : route.leavesBy()) {
            hops += mix(digest, hop);
        }
        return hops;
    }

    /** The finalizer of SplitMix64. */
    private static long mix(long digest, long value) {
        long mixed = (digest ^ value) + MULTIPLIER;
        mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }
}
