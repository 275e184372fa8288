// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import com.fasterxml.jackson.core.type.TypeReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.sextant.core.intent.DriftReport;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.loop.Answer;
import org.sextant.core.loop.Call;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.port.Capabilities;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.port.NodeUnavailableException;

/**
 * Tracks which nodes can be written and which entries they hold: adopts nodes that connect, discards lost state, and
 * audits. Touched by the engine's thread only; reading itself runs on the node threads.
 */
public final class NodeMonitor {

    private static final TypeReference<Optional<Capabilities>> CAPABILITIES = new TypeReference<>() {};
    private static final TypeReference<Set<String>> NAMES = new TypeReference<>() {};
    private static final TypeReference<Tables> TABLES = new TypeReference<>() {};

    /** Everything that was read from a node. */
    private record Tables(Optional<Capabilities> capabilities, List<Stored> rows) {}

    /** An audit in progress. */
    private static final class Audit {
        /** Nodes whose answer is not in. */
        final Set<String> open = new HashSet<>();

        final SortedMap<String, List<DriftReport.Drift>> drift = new TreeMap<>();
        final SortedMap<String, String> unread = new TreeMap<>();
        final CompletableFuture<DriftReport> report = new CompletableFuture<>();
    }

    /** How long a reading counts among those that run at once; a node that hangs keeps no other from being read. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** A read in progress. */
    private static final class Reading {
        final NodeTable node;
        final int generation;
        boolean counts = true;

        Reading(NodeTable node) {
            this.node = node;
            this.generation = node.generation;
        }
    }

    private final SortedMap<String, NodeTable> nodes;
    private final EngineRuntime runtime;
    private final EngineSettings settings;
    private final EventLoop thread;
    private final DataPlane dataPlane;
    private final Executor workers;
    private final InstallListener listener;
    private final List<Audit> audits = new ArrayList<>();

    /** Audits whose nodes are all read, and whose repairs are being written. */
    private final List<Audit> repairing = new ArrayList<>();

    private final Set<String> unblocked = new HashSet<>();

    private int reads;

    /** Reads that have not timed out. */
    private int counted;

    NodeMonitor(
            SortedMap<String, NodeTable> nodes,
            EngineRuntime runtime,
            DataPlane dataPlane,
            Executor workers,
            InstallListener listener) {
        this.nodes = nodes;
        this.runtime = runtime;
        this.settings = runtime.settings();
        this.thread = runtime.loop();
        this.dataPlane = dataPlane;
        this.workers = workers;
        this.listener = listener;
    }

    public NodeTable node(String name) {
        return nodes.computeIfAbsent(name, n -> {
            NodeTable node = new NodeTable(n);
            node.silent(settings.clock().instant());
            node.mine = runtime.coordination().isMine(n);
            return node;
        });
    }

    // Coming and going

    public void state(DataPlane.NodeState state) {
        NodeTable node = node(state.node());
        if (state.ready()) {
            node.generation++;
            node.known = false;
            node.reachable = true;
            node.readWanted = true;
            changed(node);
            if (!node.mine) {
                askWhatItOffers(node.name);
            }
        } else {
            lost(node, state.reason());
        }
    }

    /**
     * Requests the capabilities of a node that another controller reads: without them the same intent would compile
     * here and not there.
     */
    private void askWhatItOffers(String node) {
        thread.call(Call.outside("capabilities " + node, "", CAPABILITIES, () -> offered(node)), workers, answer -> {
            answer.value().flatMap(offered -> offered).ifPresent(offered -> listener.supports(node, offered));
            answer.failure().ifPresent(fault -> runtime.emit(new EngineEvent.Fault("capabilities of " + node, fault)));
        });
    }

    private Optional<Capabilities> offered(String node) {
        try {
            return dataPlane.capabilities(node);
        } catch (NodeUnavailableException e) {
            return Optional.empty(); // they are requested when it is back
        }
    }

    /** Queries again which nodes are this controller's. */
    public void coordinate() {
        for (NodeTable node : nodes.values()) {
            boolean mine = runtime.coordination().isMine(node.name);
            if (mine != node.mine) {
                node.handledBy(mine);
                node.generation++;
                node.known = false;
                node.readWanted = mine && node.reachable;
                changed(node);
                unread(node);
                if (!mine) {
                    unblocked.add(node.name);
                }
            }
        }
    }

    /**
     * Nodes for which no intent has to wait any more since the last call: they can be written, or are another
     * controller's.
     */
    Set<String> takeUnblocked() {
        Set<String> taken = Set.copyOf(unblocked);
        unblocked.clear();
        return taken;
    }

    /** Catches up on missed notifications: nodes that this controller has become responsible for, or that are back. */
    public void catchUp() {
        coordinate();
        Set<String> ready = ready();
        nodes.values().stream()
                .filter(node -> !node.reachable && ready.contains(node.name))
                .forEach(node -> {
                    node.reachable = true;
                    node.readWanted = true;
                });
    }

    /**
     * An operation failed or the node reported its loss; tried again soon if the data plane still reports it as ready.
     */
    void lost(NodeTable node, String reason) {
        boolean news = node.reachable;
        node.unknown(reason);
        node.silent(settings.clock().instant());
        unread(node);
        if (news) {
            changed(node);
        }
        int generation = node.generation;
        thread.after("node retry " + node.name, settings.retryDelay(), () -> {
            if (node.generation == generation) {
                back(node);
            }
        });
    }

    /** Requests a read of a lost node if the data plane reports it as ready. */
    void back(NodeTable node) {
        if (!node.reachable && ready().contains(node.name)) {
            node.reachable = true;
            node.readWanted = true;
        }
    }

    private Set<String> ready() {
        return thread.observe(Call.outside("ready nodes", "", NAMES, dataPlane::ready));
    }

    private void changed(NodeTable node) {
        runtime.emit(new EngineEvent.NodeChanged(node.status()));
        owners(node).forEach(listener::changed);
        listener.changed(node);
    }

    private static Set<TrackedIntent> owners(NodeTable node) {
        Set<TrackedIntent> owners = new HashSet<>();
        node.rows.values().forEach(row -> row.claims().forEach(claim -> owners.add(claim.owner)));
        return owners;
    }

    /** Drops nodes that have left the network, once they cannot be written or have no rows left. */
    public void forgetNodes(Set<String> present) {
        for (NodeTable node : List.copyOf(nodes.values())) {
            if (!present.contains(node.name) && !node.reachable && isDone(node)) {
                nodes.remove(node.name);
                unread(node);
                if (!node.rows.isEmpty()) {
                    runtime.emit(new EngineEvent.NodeForgotten(
                            node.name, node.status().entries()));
                }
            }
        }
    }

    /** True if no entry of the node is desired or in flight. */
    private static boolean isDone(NodeTable node) {
        boolean resting = !node.writable() && !node.reading || node.rows.isEmpty();
        return resting && node.rows.values().stream().noneMatch(Row::claimed);
    }

    // Reading

    /**
     * Starts the readings that are due, as many as may run at once; called between rounds, so that no write is in flight.
     * A node that has to wait for its turn can be written meanwhile.
     */
    void startReads() {
        for (NodeTable node : nodes.values()) {
            if (counted >= settings.nodeThreads()) {
                return;
            }
            if (node.readWanted && node.mine && node.reachable && !node.reading && !node.writing) {
                start(node);
            }
        }
    }

    private void start(NodeTable node) {
        Reading reading = new Reading(node);
        node.readWanted = false;
        node.reading = true;
        reads++;
        counted++;
        thread.after("reading " + node.name, PATIENCE, () -> stopCounting(reading));
        Call<Tables> call = Call.outside("read " + node.name, "", TABLES, () -> read(node.name));
        thread.call(call, workers, answer -> answered(reading, answer));
    }

    private void stopCounting(Reading reading) {
        if (reading.counts) {
            reading.counts = false;
            counted--;
        }
    }

    boolean reading() {
        return reads > 0;
    }

    /** On a node thread. */
    private Tables read(String node) {
        Optional<Capabilities> capabilities = dataPlane.capabilities(node);
        return new Tables(capabilities, dataPlane.read(node));
    }

    private void answered(Reading reading, Answer<Tables> answer) {
        NodeTable node = reading.node;
        node.reading = false;
        reads--;
        stopCounting(reading);
        if (node.generation == reading.generation) {
            answer.value().ifPresent(tables -> {
                tables.capabilities().ifPresent(offered -> listener.supports(node.name, offered));
                took(node, tables.rows());
            });
            answer.failure().ifPresent(fault -> lost(node, NodeWriter.reason(fault)));
        }
    }

    private void took(NodeTable node, List<Stored> rows) {
        boolean adopting = !node.known;
        listener.reading(node);
        Instant now = settings.clock().instant();
        node.known = true;
        node.wasRead();
        node.lastRead = now;
        node.answered(now);
        if (adopting) {
            node.adopted = now;
        }
        List<Row> failed =
                node.rows.values().stream().filter(row -> row.failure != null).toList();
        List<DriftReport.Drift> drift =
                node.take(rows, adopting, row -> !adopting && wasInOrder(row), unexplainedGoes(node));
        if (!drift.isEmpty()) {
            runtime.emit(new EngineEvent.DriftFound(node.name, drift));
        }
        if (adopting) {
            changed(node);
        } else if (!drift.isEmpty() || failed.stream().anyMatch(row -> row.failure == null && row.wanted() != null)) {
            owners(node).forEach(listener::changed);
        }
        audits.forEach(audit -> {
            if (audit.open.remove(node.name) && !drift.isEmpty()) {
                audit.drift.put(node.name, drift);
            }
        });
        nodes.values().forEach(NodeTable::reconsider);
        listener.read(node);
        unblocked.add(node.name);
    }

    /** A row that an intent gave up is to be removed by the next round: that it is still there is no drift. */
    private static boolean wasInOrder(Row row) {
        return row.failure == null
                && !row.released()
                && (!row.reserved() || row.needed(false).isEmpty());
    }

    /**
     * True if undesired rows that were there when the node was adopted are removed. Rows that appeared later always do:
     * this controller alone writes the node, and it did not write them.
     */
    boolean unexplainedGoes(NodeTable node) {
        return node.adopted != null && unexplainedGoes().test(node);
    }

    /** The same for many nodes: the origin of rows depends on all nodes. */
    Predicate<NodeTable> unexplainedGoes() {
        if (listener.isOriginUnknown()) {
            return node -> false;
        }
        Instant latest = settings.clock().instant().minus(settings.adoptionGrace());
        return node -> node.adopted != null && !latest.isBefore(node.adopted);
    }

    // Auditing

    public CompletableFuture<DriftReport> audit() {
        Audit audit = new Audit();
        for (NodeTable node : nodes.values()) {
            if (node.mine && node.reachable) {
                node.readWanted = true;
                audit.open.add(node.name);
            } else if (node.mine) {
                audit.unread.put(node.name, node.why());
            } else {
                node.forgetReleased();
            }
        }
        audits.add(audit);
        return audit.report;
    }

    public boolean auditing() {
        return !audits.isEmpty() || !repairing.isEmpty();
    }

    /** Audits that have all answers wait for the round that comes; {@link #endAudits} ends them. */
    void beginRepairs() {
        audits.stream().filter(audit -> audit.open.isEmpty()).forEach(repairing::add);
        audits.removeAll(repairing);
    }

    void endAudits() {
        repairing.forEach(audit -> {
            DriftReport report = new DriftReport(audit.drift, audit.unread);
            runtime.emit(new EngineEvent.AuditEnded(report));
            audit.report.complete(report);
        });
        repairing.clear();
    }

    private void unread(NodeTable node) {
        audits.forEach(audit -> {
            if (audit.open.remove(node.name)) {
                audit.unread.put(node.name, node.why());
            }
        });
    }

    void close(RuntimeException closed) {
        beginRepairs();
        repairing.forEach(audit -> audit.report.completeExceptionally(closed));
        audits.forEach(audit -> audit.report.completeExceptionally(closed));
    }
}
