// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Instant;
import java.util.ArrayList;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.sextant.core.port.Capabilities;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.port.DataPlane.Result;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.port.DataPlane.Update;
import org.sextant.core.table.Entry;

/**
 * Brings the nodes to what the intents want, and keeps them there. Touched by the engine's thread only.
 *
 * <p>Intents wait in a queue. When no round runs, all that can be applied become the next {@link Round}; what comes
 * meanwhile waits for the one after, so many submissions share one pass. The rules:
 *
 * <ul>
 *   <li>An intent that stands or falls as a whole starts only if every node it must change can be written; else it
 *       waits, with nothing of it changed. Removing never waits.
 *   <li>If an entry of it fails, what comes behind is not written, and the next round takes back what was: to the entries
 *       it had before, or to none. It is tried again when the node returns, at an audit, and when its plan changes.
 *   <li>Reads and writes of a node never overlap: reads start between rounds, and a round leaves out a node being read.
 *   <li>When an answer is lost, everything the node holds is unknown; it is read before anything is written again, and
 *       then only differences are.
 * </ul>
 */
final class Reconciler {

    /** Whether an intent can be applied now. */
    private enum Gate {
        OPEN,
        SOON,
        CLOSED
    }

    /** One audit under way. */
    private static final class Audit {
        /** Nodes whose answer is not in. */
        final Set<String> open = new HashSet<>();

        final SortedMap<String, List<AuditReport.Drift>> drift = new TreeMap<>();
        final SortedMap<String, String> unread = new TreeMap<>();
        final CompletableFuture<AuditReport> report = new CompletableFuture<>();
    }

    private final SortedMap<String, NodeTable> nodes;
    private final Registry registry;
    private final Views views;
    private final Events events;
    private final DataPlane dataPlane;
    private final Coordination coordination;
    private final EngineSettings settings;
    private final EngineThread thread;
    private final Executor workers;

    /** True while rows that an earlier run left may belong to intents that cannot be compiled yet. */
    private final BooleanSupplier originUnknown;

    /** Told of every node's capabilities when it is read, before anything is written to it. */
    private final BiConsumer<String, Capabilities> onCapabilities;

    private final Set<Tracked> queue = new LinkedHashSet<>();
    private final Set<Tracked> undoing = new LinkedHashSet<>();

    /** Withdrawn intents whose rows may still be on a node; their numbers are not used again before they are gone. */
    private final Map<Tracked, List<Tracked.Cell>> lingering = new HashMap<>();

    /** Intents that rest short of what they want. */
    private final Set<Tracked> parked = new LinkedHashSet<>();

    private final List<Audit> audits = new ArrayList<>();

    /** Audits whose repairs are part of the round. */
    private final List<Audit> ending = new ArrayList<>();

    private final List<CompletableFuture<Void>> idle = new ArrayList<>();
    private final Set<Tracked> repaired = new HashSet<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private boolean closing;
    private Round round;
    private int outstanding;
    private int reads;

    Reconciler(
            SortedMap<String, NodeTable> nodes,
            Registry registry,
            Views views,
            Events events,
            DataPlane dataPlane,
            Coordination coordination,
            EngineSettings settings,
            EngineThread thread,
            Executor workers,
            BooleanSupplier originUnknown,
            BiConsumer<String, Capabilities> onCapabilities) {
        this.nodes = nodes;
        this.registry = registry;
        this.views = views;
        this.events = events;
        this.dataPlane = dataPlane;
        this.coordination = coordination;
        this.settings = settings;
        this.thread = thread;
        this.workers = workers;
        this.originUnknown = originUnknown;
        this.onCapabilities = onCapabilities;
    }

    // What intents want

    NodeTable node(String name) {
        return nodes.computeIfAbsent(name, n -> {
            NodeTable node = new NodeTable(n);
            node.mine = coordination.isMine(n);
            return node;
        });
    }

    /** Replaces what an intent wants; {@link #enqueue} makes it happen. */
    void setTarget(Tracked intent, List<Plan.Placed> entries) {
        Map<Row, Entry> wanted = new LinkedHashMap<>(2 * entries.size());
        RowFinder rows = new RowFinder(intent.target, this::node);
        entries.forEach(placed -> wanted.put(rows.row(placed), placed.entry()));
        for (Tracked.Cell cell : intent.target) {
            if (!wanted.containsKey(cell.row())) {
                cell.row().dropTarget(intent);
                release(cell.row());
            }
        }
        List<Tracked.Cell> target = new ArrayList<>(wanted.size());
        wanted.forEach((row, entry) -> {
            row.target(intent, entry);
            target.add(new Tracked.Cell(row, entry));
        });
        intent.target = target;
    }

    /** A row that was reserved and is no more is not foreign: the engine knows whose it was. */
    private static void release(Row row) {
        if (!row.claimed()) {
            row.released = true;
            row.node.dirty.add(row);
            row.node.sweep(row);
        }
    }

    void enqueue(Tracked intent) {
        queue.add(intent);
        parked.remove(intent);
        if (intent.phase == Tracked.Phase.RESTING) {
            intent.phase = Tracked.Phase.QUEUED;
            views.refresh(intent);
        }
    }

    /** Forgets an intent whose kind left, without touching what the nodes hold. */
    void abandon(Tracked intent) {
        intent.removed = true;
        queue.remove(intent);
        undoing.remove(intent);
        parked.remove(intent);
        intent.target.forEach(cell -> cell.row().dropTarget(intent));
        intent.active.forEach(cell -> {
            cell.row().dropActive(intent);
            cell.row().released = false;
            cell.row().unexplained = true;
        });
        intent.target = List.of();
        intent.active = List.of();
        intent.phase = Tracked.Phase.RESTING;
        intent.takeWaiters().forEach(waiter -> waiter.complete(null));
    }

    // What nodes tell

    void nodeState(String name, boolean ready, String reason) {
        NodeTable node = node(name);
        if (ready) {
            node.generation++;
            node.known = false;
            node.reachable = true;
            node.readWanted = true;
            changed(node);
        } else {
            lost(node, reason);
        }
    }

    /** Asks anew which nodes are this controller's. */
    void coordinate() {
        for (NodeTable node : nodes.values()) {
            boolean mine = coordination.isMine(node.name);
            if (mine != node.mine) {
                node.mine = mine;
                node.generation++;
                node.known = false;
                node.readWanted = mine && node.reachable;
                changed(node);
            }
        }
    }

    private void lost(NodeTable node, String reason) {
        boolean news = node.reachable;
        node.unknown(reason);
        if (news) {
            changed(node);
        }
        int generation = node.generation;
        thread.postAfter(settings.retryDelay(), () -> {
            if (node.generation == generation && dataPlane.ready().contains(node.name)) {
                node.reachable = true;
                node.readWanted = true;
            }
        });
    }

    private void changed(NodeTable node) {
        events.emit(new EngineEvent.NodeChanged(node.status()));
        owners(node).forEach(views::refresh);
    }

    private static Set<Tracked> owners(NodeTable node) {
        Set<Tracked> owners = new HashSet<>();
        node.rows.values().forEach(row -> row.claims().forEach(claim -> owners.add(claim.owner)));
        return owners;
    }

    // Reading

    CompletableFuture<AuditReport> audit() {
        Audit audit = new Audit();
        for (NodeTable node : nodes.values()) {
            if (node.mine && node.reachable) {
                node.readWanted = true;
                audit.open.add(node.name);
            } else if (node.mine) {
                audit.unread.put(node.name, node.why());
            }
        }
        audits.add(audit);
        retry(intent -> true);
        return audit.report;
    }

    boolean auditing() {
        return !audits.isEmpty() || !ending.isEmpty();
    }

    private void startReads() {
        if (closing) {
            return;
        }
        for (NodeTable node : nodes.values()) {
            if (node.readWanted && node.mine && node.reachable && !node.reading) {
                node.readWanted = false;
                node.reading = true;
                reads++;
                int generation = node.generation;
                workers.execute(() -> read(node, generation));
            }
        }
    }

    /** On a worker's thread. */
    private void read(NodeTable node, int generation) {
        try {
            Optional<Capabilities> capabilities = dataPlane.capabilities(node.name);
            List<Stored> rows = dataPlane.read(node.name);
            thread.post(() -> {
                endRead(node);
                if (node.generation == generation) {
                    capabilities.ifPresent(offered -> onCapabilities.accept(node.name, offered));
                    took(node, rows);
                }
            });
        } catch (RuntimeException e) {
            thread.post(() -> {
                endRead(node);
                if (node.generation == generation) {
                    lost(node, e.getMessage());
                    unread(node, e.getMessage());
                }
            });
        }
    }

    private void endRead(NodeTable node) {
        node.reading = false;
        reads--;
    }

    private void took(NodeTable node, List<Stored> rows) {
        boolean adopting = !node.known;
        Instant now = settings.clock().instant();
        node.known = true;
        node.lastRead = now;
        if (adopting) {
            node.adopted = now;
        }
        List<AuditReport.Drift> drift = node.take(
                rows,
                adopting,
                row -> !adopting && row.failure == null && (!row.claimed() || row.needed(false).isEmpty()),
                unexplainedGoes(node));
        if (!drift.isEmpty()) {
            events.emit(new EngineEvent.DriftFound(node.name, drift));
        }
        if (adopting) {
            changed(node);
        } else if (!drift.isEmpty()) {
            owners(node).forEach(views::refresh);
        }
        audits.forEach(audit -> {
            if (audit.open.remove(node.name) && !drift.isEmpty()) {
                audit.drift.put(node.name, drift);
            }
        });
        retry(intent -> intent.waitingFor.contains(node.name));
    }

    private void unread(NodeTable node, String reason) {
        audits.forEach(audit -> {
            if (audit.open.remove(node.name)) {
                audit.unread.put(node.name, reason);
            }
        });
    }

    /** Puts intents that rest short of what they want into the queue again. */
    void retry(Predicate<Tracked> which) {
        parked.stream().filter(which).toList().forEach(this::enqueue);
    }

    /**
     * Whether a row that was there when the node was adopted goes if nobody wants it. Rows that appeared later always do:
     * this controller alone writes the node, and it did not write them.
     */
    private boolean unexplainedGoes(NodeTable node) {
        return !originUnknown.getAsBoolean()
                && !settings.clock().instant().isBefore(node.adopted.plus(settings.adoptionGrace()));
    }

    // Writing

    /** Starts what can be started; called when the messages at hand are dealt with. */
    void pump() {
        endDrain();
        while (round == null && (!closing || !undoing.isEmpty())) {
            startReads();
            audits.stream().filter(audit -> audit.open.isEmpty()).forEach(ending::add);
            audits.removeAll(ending);
            Round next = assemble();
            if (next == null) {
                endAudits();
                endIdle();
                return;
            }
            round = next;
            step();
        }
    }

    private Round assemble() {
        List<Round.Change> changes = new ArrayList<>();
        for (Tracked intent : closing ? List.<Tracked>of() : List.copyOf(queue)) {
            switch (gate(intent)) {
                case OPEN -> {
                    queue.remove(intent);
                    changes.add(begin(intent));
                }
                case CLOSED -> {
                    queue.remove(intent);
                    settle(intent);
                }
                case SOON -> { }
            }
        }
        boolean work = !changes.isEmpty()
                || !undoing.isEmpty()
                || nodes.values().stream().anyMatch(node -> node.writable() && !node.dirty.isEmpty());
        return work ? fill(new Round(changes, undoing)) : null;
    }

    private Round fill(Round next) {
        undoing.clear();
        for (NodeTable node : nodes.values()) {
            if (node.writable() && !node.dirty.isEmpty()) {
                boolean unexplained = unexplainedGoes(node);
                node.dirty.forEach(row -> row.needed(unexplained).ifPresent(operation -> next.plan(row, operation)));
                node.dirty.clear();
            }
        }
        return next;
    }

    /** Whether every node where the intent needs a row that it does not have can be written. */
    private Gate gate(Tracked intent) {
        intent.waitingFor.clear();
        if (!intent.kind.atomic()) {
            return Gate.OPEN;
        }
        Gate gate = Gate.OPEN;
        for (Tracked.Cell cell : intent.target) {
            NodeTable node = cell.row().node;
            if (!node.mine || node.writable() || cell.entry().equals(cell.row().activeOf(intent))) {
                continue;
            }
            if (node.reachable) {
                gate = gate == Gate.OPEN ? Gate.SOON : gate;
            } else {
                gate = Gate.CLOSED;
                intent.waitingFor.add(node.name);
            }
        }
        return gate;
    }

    private static Round.Change begin(Tracked intent) {
        List<Tracked.Cell> before = intent.active;
        intent.phase = Tracked.Phase.RUNNING;
        intent.inherited = false;
        intent.failures = new HashMap<>();
        return new Round.Change(intent, before, activate(intent, intent.target));
    }

    /** Lets the nodes hold what these cells say, and returns the rows for which that is another entry than before. */
    private static List<Row> activate(Tracked intent, List<Tracked.Cell> cells) {
        List<Row> touched = new ArrayList<>();
        Set<Row> kept = new HashSet<>();
        if (!intent.active.isEmpty()) {
            cells.forEach(cell -> kept.add(cell.row()));
        }
        for (Tracked.Cell cell : intent.active) {
            if (!kept.contains(cell.row())) {
                cell.row().dropActive(intent);
                touched.add(cell.row());
            }
        }
        for (Tracked.Cell cell : cells) {
            if (!cell.entry().equals(cell.row().activeOf(intent))) {
                touched.add(cell.row());
            }
            cell.row().active(intent, cell.entry());
        }
        touched.forEach(row -> row.node.dirty.add(row));
        intent.active = cells;
        return touched;
    }

    private void step() {
        outstanding = 0;
        while (outstanding == 0) {
            SortedMap<String, List<Round.Write>> step = round.nextStep();
            if (step.isEmpty()) {
                finish();
                return;
            }
            step.forEach(this::dispatch);
        }
    }

    private void dispatch(String name, List<Round.Write> writes) {
        NodeTable node = nodes.get(name);
        if (!node.writable()) {
            round.lose(name, writes);
            return;
        }
        outstanding++;
        int generation = node.generation;
        List<Update> updates = writes.stream().map(Round.Write::update).toList();
        workers.execute(() -> {
            try {
                List<Result> results = NodeWriter.write(dataPlane, name, updates, settings.batchSize());
                thread.post(() -> written(node, generation, writes, results));
            } catch (RuntimeException e) {
                thread.post(() -> failed(node, generation, writes, e.getMessage()));
            }
        });
    }

    private void written(NodeTable node, int generation, List<Round.Write> writes, List<Result> results) {
        if (node.generation != generation) {
            round.lose(node.name, writes);
        } else {
            int[] done = new int[Operation.values().length];
            for (int i = 0; i < writes.size(); i++) {
                if (apply(writes.get(i), results.get(i))) {
                    done[writes.get(i).update().operation().ordinal()]++;
                }
            }
            events.emit(new EngineEvent.EntriesWritten(
                    node.name, done[Operation.INSERT.ordinal()], done[Operation.MODIFY.ordinal()], done[Operation.DELETE.ordinal()]));
        }
        answered();
    }

    private void failed(NodeTable node, int generation, List<Round.Write> writes, String reason) {
        if (node.generation == generation) {
            lost(node, reason);
            unread(node, reason);
        }
        round.lose(node.name, writes);
        answered();
    }

    private void answered() {
        if (--outstanding == 0) {
            step();
        }
    }

    private boolean apply(Round.Write write, Result result) {
        Row row = write.row();
        row.failure = result.failure().orElse(null);
        if (write.causes().isEmpty()) {
            row.claims().forEach(claim -> repaired.add(claim.owner));
        }
        boolean removal = write.update().operation() == Operation.DELETE;
        if (row.failure != null) {
            // What cannot be removed is no reason to take back what replaced it; the next audit tries again.
            (removal ? List.<Round.Change>of() : write.causes()).forEach(change -> change.failures.put(row, row.failure));
            events.emit(new EngineEvent.EntryRefused(row.node.name, row.key, row.failure));
            return false;
        }
        row.held = removal ? null : write.update().entry();
        row.counters = removal ? null : row.counters;
        if (removal) {
            row.released = false;
            row.node.sweep(row);
        }
        return true;
    }

    private void finish() {
        Round done = round;
        round = null;
        for (Round.Change change : done.changes) {
            if (change.failed() && !change.intent.removed) {
                undo(change);
            } else {
                succeed(change);
            }
        }
        done.undoing.stream().filter(intent -> intent.phase == Tracked.Phase.UNDOING).forEach(this::settle);
        repaired.stream().filter(intent -> intent.phase == Tracked.Phase.RESTING).forEach(views::refresh);
        repaired.clear();
        freeNumbers();
        endAudits();
    }

    private void succeed(Round.Change change) {
        Tracked intent = change.intent;
        intent.failures = new HashMap<>();
        if (intent.removed && intent.active.isEmpty()) {
            lingering.put(intent, change.before);
        }
        settle(intent);
    }

    /** Back to what it had, unless another intent has a place in that by now; then to nothing. */
    private void undo(Round.Change change) {
        Tracked intent = change.intent;
        boolean free = change.before.stream().allMatch(cell -> cell.row().claims().stream()
                .allMatch(claim -> claim.owner == intent || claim.target == null || Row.same(claim.target, cell.entry())));
        activate(intent, free ? change.before : List.of());
        change.touched.forEach(row -> row.node.dirty.add(row));
        intent.failures = new HashMap<>(change.failures);
        intent.waitingFor.addAll(change.lostNodes);
        intent.phase = Tracked.Phase.UNDOING;
        undoing.add(intent);
    }

    private void settle(Tracked intent) {
        intent.phase = queue.contains(intent) ? Tracked.Phase.QUEUED : Tracked.Phase.RESTING;
        views.refresh(intent);
        if (intent.phase == Tracked.Phase.RESTING) {
            if (!intent.current() && !intent.removed) {
                parked.add(intent);
            }
            intent.takeWaiters().forEach(waiter -> waiter.complete(null));
        }
    }

    private void freeNumbers() {
        lingering.entrySet().removeIf(entry -> {
            boolean gone = entry.getValue().stream().noneMatch(cell -> cell.row().released);
            if (gone) {
                registry.free(entry.getKey());
            }
            return gone;
        });
    }

    // Waiting

    private void endAudits() {
        ending.forEach(audit -> audit.report.complete(new AuditReport(audit.drift, audit.unread)));
        ending.clear();
    }

    CompletableFuture<Void> idle() {
        CompletableFuture<Void> waiter = new CompletableFuture<>();
        idle.add(waiter);
        return waiter;
    }

    private void endDrain() {
        if (closing && round == null && reads == 0 && undoing.isEmpty()) {
            drained.complete(null);
        }
    }

    private void endIdle() {
        if (round == null && reads == 0 && queue.isEmpty() && audits.isEmpty()) {
            idle.forEach(waiter -> waiter.complete(null));
            idle.clear();
        }
    }

    /** Starts nothing new; completes when what is in flight has ended and what failed is taken back. */
    CompletableFuture<Void> drain() {
        closing = true;
        return drained;
    }

    /** Ends all waiting. */
    void close() {
        IllegalStateException closed = new IllegalStateException("the intent engine is closed");
        idle.forEach(waiter -> waiter.completeExceptionally(closed));
        audits.forEach(audit -> audit.report.completeExceptionally(closed));
        ending.forEach(audit -> audit.report.completeExceptionally(closed));
        registry.all().forEach(intent -> intent.takeWaiters().forEach(waiter -> waiter.completeExceptionally(closed)));
    }
}
