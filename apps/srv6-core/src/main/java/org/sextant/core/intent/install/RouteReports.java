// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import com.fasterxml.jackson.core.type.TypeReference;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import org.sextant.core.loop.Call;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.net.Network;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Route;

/**
 * Reports of routes between controllers. In a cluster each controller stores a {@link RouteReport} of each node that it
 * handles, and writes routes to prefixes in use only as that report allows.
 *
 * <p><em>Rule.</em> A controller writes such routes to a node when its report, with the digest of the present plan, is durable, and
 * it has read all reports after that. A node of another controller may send to the neighbors that its last report lists and to
 * those of its planned route; if the report has another digest than this controller's plan for the node, to any neighbor.
 *
 * <p><em>No forwarding loop.</em> Assume that routes of several controllers close a loop, each written under the last
 * report of its node before. Take the controller whose report was stored last. It read the other reports after that, in
 * these or later versions, and each of them covers the route of its node in the loop: as planned, as listed, or as any
 * neighbor. So the search of this controller ({@link MayGraph}) found the loop, and it did not write its route. This
 * holds among controllers that report, for nodes that have a route to the prefix. For one that has none, nodes with
 * unknown routes count as planned: a network could not be started otherwise.
 *
 * <p>A single controller stores no reports. A node without a report counts as if it had its planned routes: its controller runs a
 * version without reports, or has just started. Used by the event loop only; store calls run on other threads.
 */
public final class RouteReports {
    public static final String MAP = "routes";

    /** Unsettled routes of one node that a report lists; with more, it reports the node's routes as unknown. */
    private static final int MOST_UNSETTLED = 1000;

    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

    private final SortedMap<String, NodeTable> nodes;
    private final EngineRuntime runtime;
    private final EventLoop thread;
    private static final TypeReference<Sent> SENT = new TypeReference<>() {};

    private final Store store;
    private final Executor workers;
    private Neighbors neighbors = new Neighbors(Network.EMPTY);

    /** The latest reports, by node. */
    private final Map<String, RouteReport> reports = new HashMap<>();

    /** The texts of the latest reports in the store, by node; also of those that cannot be parsed. */
    private final Map<String, String> texts = new HashMap<>();

    /** Contents of reports, by node. */
    private final Map<String, Content> contents = new HashMap<>();

    /** Numbers of own reports that are durable, and after which all reports were read, by node. */
    private final Map<String, Long> inForce = new HashMap<>();

    private Set<String> sending = Set.of();

    /** New reports arrived since routes that wait were last retried. */
    private boolean news;

    /**
     * A report without its number.
     *
     * @param changes the node's count of changes of routes from which it was made
     */
    private record Content(int changes, Neighbors neighbors, RouteReport report) {}

    RouteReports(SortedMap<String, NodeTable> nodes, EngineRuntime runtime, Executor workers) {
        this.nodes = nodes;
        this.runtime = runtime;
        this.thread = runtime.loop();
        this.store = runtime.commits().store();
        this.workers = workers;
    }

    /** Sets the desired network. */
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
            take(runtime.commits().load(MAP));
        }
    }

    public void storeChanged(Store.Change change) {
        change.value().ifPresent(text -> take(change.key(), text));
    }

    private void take(Map<String, String> all) {
        all.forEach(this::take);
    }

    /** Events may arrive late: a report replaces those with lower numbers only. */
    private void take(String node, String text) {
        Optional<RouteReport> report = RouteReport.parse(text);
        RouteReport before = reports.get(node);
        if (before == null
                || report.isPresent() && before.number() < report.get().number()) {
            texts.put(node, text);
            report.ifPresent(newer -> reports.put(node, newer));
            news = true;
        }
    }

    /**
     * True if routes in use may be written to an own node: its report is valid and covers all routes the node may have
     * now.
     */
    boolean mayWrite(NodeTable node) {
        if (!shared()) {
            return true;
        }
        return isInForce(node.name)
                && last(node).filter(last -> last.covers(content(node))).isPresent();
    }

    /** True if the last report of a node is this controller's, durable, and all reports were read after it. */
    private boolean isInForce(String node) {
        RouteReport last = reports.get(node);
        return last != null && Long.valueOf(last.number()).equals(inForce.get(node));
    }

    /** The last report of a node, if it has the digest of this controller's plan for the node. */
    Optional<RouteReport> matching(NodeTable node) {
        return last(node).filter(report -> report.plan().equals(content(node).plan()));
    }

    Optional<RouteReport> last(NodeTable node) {
        return Optional.ofNullable(reports.get(node.name));
    }

    /** True if the routes of a node are not known well enough to be counted: it may send to any neighbor. */
    boolean isUnknown(NodeTable node) {
        if (node.mine) {
            return node.isUnread() || shared() && !isInForce(node.name);
        }
        return last(node).isPresent()
                && matching(node).flatMap(RouteReport::unsettled).isEmpty();
    }

    /** True if a node of another controller may have a route to the prefix that differs from its planned one. */
    boolean isUnsettled(Entry.Key route) {
        return nodes.values().stream()
                .filter(node -> !node.mine)
                .anyMatch(node -> isUnknown(node)
                        || last(node)
                                .filter(report -> !report.possible(route).isEmpty())
                                .isPresent());
    }

    /** Retries routes that wait, if new reports arrived. */
    public void retryWaiting() {
        nodes.values().stream()
                .filter(node -> node.mine && node.isUnread() && isReportedSettled(node))
                .forEach(NodeTable::assumeRoutes);
        if (news) {
            news = false;
            nodes.values().forEach(NodeTable::reconsider);
        }
    }

    /**
     * True if the last report, by the controller that handled the node before, lists no other routes than the planned
     * ones.
     */
    private boolean isReportedSettled(NodeTable node) {
        return shared()
                && matching(node)
                        .flatMap(RouteReport::unsettled)
                        .filter(SortedMap::isEmpty)
                        .isPresent();
    }

    /** Stores the reports that are due; called after each batch of messages. */
    public void pump() {
        if (!shared() || !sending.isEmpty()) {
            return;
        }
        Map<String, RouteReport> due = new TreeMap<>();
        for (NodeTable node : nodes.values()) {
            if (node.mine) {
                RouteReport content = content(node);
                RouteReport last = reports.get(node.name);
                if (last == null || !last.hasContentOf(content) || !isInForce(node.name)) {
                    due.put(node.name, content.numbered(last == null ? 1 : last.number() + 1));
                }
            } else {
                inForce.remove(node.name);
            }
        }
        inForce.keySet().retainAll(nodes.keySet());
        contents.keySet().retainAll(nodes.keySet());
        if (!due.isEmpty()) {
            send(due);
        }
    }

    /**
     * Each write replaces the report that this controller has read: a report that another controller has stored is
     * never lost.
     */
    private void send(Map<String, RouteReport> due) {
        sending = Set.copyOf(due.keySet());
        List<Store.Write> writes = due.entrySet().stream()
                .map(report -> write(report.getKey(), report.getValue().encode()))
                .toList();
        try {
            thread.call(sending(writes), workers, answer -> {
                answer.value().ifPresent(sent -> sent(sent.stored() ? due : Map.of(), sent.all()));
                answer.failure().ifPresent(this::failed);
            });
        } catch (RejectedExecutionException closed) {
            sending = Set.of();
        }
    }

    private Call<Sent> sending(List<Store.Write> writes) {
        return Call.outside("store commit route reports", writes, SENT, () -> {
            boolean stored = store.commit(writes).isEmpty();
            return new Sent(stored, store.all(MAP));
        });
    }

    /** The result of a commit, and all reports after it. */
    private record Sent(boolean stored, SortedMap<String, String> all) {}

    private Store.Write write(String node, String report) {
        String known = texts.get(node);
        return known == null ? Store.Write.create(MAP, node, report) : Store.Write.replace(MAP, node, known, report);
    }

    /** @param stored this controller's reports that are durable; the others were refused */
    private void sent(Map<String, RouteReport> stored, Map<String, String> all) {
        sending.stream()
                .filter(node -> !stored.containsKey(node) && !inForce.containsKey(node))
                .map(nodes::get)
                .filter(Objects::nonNull)
                .forEach(NodeTable::forgetAssumedRoutes);
        sending = Set.of();
        take(all);
        texts.clear();
        texts.putAll(all);
        stored.forEach((node, report) -> {
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
        thread.after("route report retry", runtime.settings().retryDelay(), () -> sending = Set.of());
    }

    /** True if no report is being stored. */
    public boolean isQuiet() {
        return sending.isEmpty();
    }

    /** The report that describes the node now, with number 0. */
    private RouteReport content(NodeTable node) {
        Content last = contents.get(node.name);
        if (last == null || last.changes() != node.routeChanges() || last.neighbors() != neighbors) {
            last = new Content(node.routeChanges(), neighbors, compose(node));
            contents.put(node.name, last);
        }
        return last.report();
    }

    private RouteReport compose(NodeTable node) {
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

    /** Equal on every controller for routes to the same prefix by the same next hops; digests of a node's routes are added. */
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
