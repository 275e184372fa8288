// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Plan;
import org.sextant.core.port.DataPlane;

/**
 * Reconciles the nodes with the intents, continuously.
 *
 * <p>Intents wait in a queue. When no round runs, all that can be applied become the next {@link UpdatePlan}; later
 * submissions wait for the one after, so many submissions share one pass. The rules:
 *
 * <ul>
 *   <li>An intent that is installed as a whole starts only if every node it must change can be written; else it waits,
 *       with nothing of it changed. Removing never waits.
 *   <li>If an entry of it fails, its later steps are not written, and the next round rolls it back: to its earlier
 *       entries, or to none. It is tried again when the node returns, at an audit, and when its plan changes.
 *   <li>Reads and writes of a node never overlap: reads start between rounds, a round leaves out a node being read, and
 *       a node that was silent while it was written is read when the answer to that has come.
 *   <li>An intent that has entries at nodes of several controllers changes in stages ({@link UpdateStages}).
 *   <li>An intent that refers to another follows when that one has reached its desired state; a list that the other
 *       releases stays as long as entries steer packets into it.
 *   <li>When an answer is lost, everything the node holds is unknown; it is read before anything is written again, and
 *       then only differences are.
 * </ul>
 */
public final class Reconciler {

    /** Most intents of one plan, so that its state is bounded and the next ones wait for a short time only. */
    private static final int ROUND = 4096;

    /** Answers whether an intent can be applied now. */
    private enum Gate {
        OPEN,
        SOON,
        CLOSED
    }

    private final SortedMap<String, NodeTable> nodes;
    private final NodeMonitor monitor;
    private final IntentIndex registry;
    private final BootCounts bootCounts;
    private final UpdateExecutor writer;
    private final UpdateStages stages;
    private final InstallListener listener;
    private final Set<TrackedIntent> queue = new LinkedHashSet<>();
    private final Set<TrackedIntent> undoing = new LinkedHashSet<>();

    /** Intents that rest without having reached their desired state. */
    private final Set<TrackedIntent> parked = new LinkedHashSet<>();

    /** The number of tasks in progress that keep rows from removal. */
    private int keeping;

    /** The last {@link #pump} found nothing to write. */
    private boolean rested;

    private final List<CompletableFuture<Void>> idle = new ArrayList<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private boolean closing;

    /** Nodes are read only. */
    private boolean held;

    Reconciler(
            SortedMap<String, NodeTable> nodes,
            NodeMonitor monitor,
            IntentIndex registry,
            BootCounts bootCounts,
            UpdateExecutor writer,
            UpdateStages stages,
            InstallListener listener) {
        this.nodes = nodes;
        this.monitor = monitor;
        this.registry = registry;
        this.bootCounts = bootCounts;
        this.writer = writer;
        this.stages = stages;
        this.listener = listener;
    }

    public Refusals refusals() {
        return writer.refusals();
    }

    // Admission

    /**
     * Keeps all rows from removal until a matching call with false: another intent that has not been processed yet may
     * take over a row that one releases.
     */
    public void keepRows(boolean keep) {
        keeping += keep ? 1 : -1;
        if (keeping == 0) {
            nodes.values().forEach(node -> node.dirty.addAll(node.waiting));
        }
    }

    /** While true no update begins; an update in progress ends. */
    public void hold(boolean hold) {
        held = hold;
    }

    /** Replaces the admitted entries of an intent; {@link #enqueue} applies them. */
    public void admit(TrackedIntent intent, List<TrackedIntent.Cell> cells) {
        Set<Row> kept = new HashSet<>(2 * cells.size());
        cells.forEach(cell -> kept.add(cell.row()));
        for (TrackedIntent.Cell cell : intent.admitted) {
            if (!kept.contains(cell.row())) {
                cell.row().dropAdmitted(intent);
                release(cell.row());
            }
        }
        cells.forEach(cell -> cell.row().admitted(intent, cell.entry()));
        intent.admitted = cells;
    }

    /** A row that was reserved and is not any more is not foreign: its owner is known. */
    private static void release(Row row) {
        if (!row.reserved()) {
            row.release();
            row.node.dirty.add(row);
            row.node.sweep(row);
        }
    }

    public void enqueue(TrackedIntent intent) {
        queue.add(intent);
        parked.remove(intent);
        if (intent.phase == TrackedIntent.Phase.RESTING) {
            intent.phase = TrackedIntent.Phase.QUEUED;
        }
        listener.changed(intent);
    }

    /** Drops an intent whose kind was unregistered, without touching the entries of the nodes. */
    public void abandon(TrackedIntent intent) {
        intent.removed = true;
        queue.remove(intent);
        undoing.remove(intent);
        parked.remove(intent);
        stages.await(intent, Set.of());
        intent.admitted.forEach(cell -> cell.row().dropAdmitted(intent));
        intent.applied.forEach(cell -> {
            cell.row().dropApplied(intent);
            cell.row().abandon();
        });
        intent.admitted = List.of();
        intent.applied = List.of();
        intent.phase = TrackedIntent.Phase.RESTING;
        intent.takeWaiters().forEach(waiter -> waiter.complete(null));
    }

    private void retry(Predicate<TrackedIntent> which) {
        parked.stream().filter(which).toList().forEach(this::retry);
    }

    /**
     * Queues an intent again that rests without having reached its desired state; its state stays until the attempt
     * ends.
     */
    public void retry(TrackedIntent intent) {
        if (parked.remove(intent)) {
            queue.add(intent);
            intent.phase = TrackedIntent.Phase.QUEUED;
        }
    }

    /** Queues intents again that rest without having reached their desired state and wait for no node. */
    public void retryUnblocked() {
        retry(intent ->
                intent.waitingFor.stream().noneMatch(node -> monitor.node(node).blocks()));
    }

    /** Reports about an intent were stored or read: its next stage may begin. */
    public void reported(IntentRef ref) {
        for (TrackedIntent intent : stages.waiting(ref)) {
            if (stages.isNextOpen(intent)) {
                retry(intent);
            } else if (intent.phase == TrackedIntent.Phase.RESTING) {
                stages.await(intent, stages.next(intent).awaited());
            }
        }
    }

    // Writing

    /** The number of intents that wait for the next round or are being written. */
    public int waiting() {
        return queue.size() + writer.changes();
    }

    /** Starts all updates that can start; called after the pending messages are handled. */
    public void pump() {
        rested = false;
        Set<String> unblocked = monitor.takeUnblocked();
        if (!unblocked.isEmpty()) {
            retry(intent -> intent.waitingFor.stream().anyMatch(unblocked::contains)
                    || intent.awaited.stream().anyMatch(unblocked::contains));
        }
        endDrain();
        if (held && !closing) {
            if (writer.resting()) {
                monitor.startReads();
                monitor.beginRepairs();
                monitor.endAudits(); // drift stays
                rested = true;
            }
            return;
        }
        while (writer.resting() && (!closing || !undoing.isEmpty())) {
            if (!closing) {
                monitor.startReads();
                monitor.beginRepairs();
            }
            UpdatePlan next = assemble();
            if (next == null) {
                monitor.endAudits();
                rested = true;
                return;
            }
            writer.write(next, this::finish);
        }
    }

    private @Nullable UpdatePlan assemble() {
        List<UpdatePlan.Change> changes = new ArrayList<>();
        boolean again = !closing;
        while (again) {
            again = beginOpen(changes);
        }
        takeAlong(changes);
        boolean work = !changes.isEmpty()
                || !undoing.isEmpty()
                || nodes.values().stream().anyMatch(node -> node.writable() && !node.dirty.isEmpty());
        return work ? fill(new UpdatePlan(changes, undoing)) : null;
    }

    /** True if intents were settled that others in the queue may refer to. */
    private boolean beginOpen(List<UpdatePlan.Change> changes) {
        boolean closed = false;
        for (TrackedIntent intent : List.copyOf(queue)) {
            if (changes.size() >= ROUND) {
                return false;
            }
            switch (gate(intent)) {
                case OPEN -> {
                    queue.remove(intent);
                    changes.add(begin(intent));
                }
                case CLOSED -> {
                    queue.remove(intent);
                    settle(intent);
                    closed |= !registry.referers(intent.ref).isEmpty();
                }
                case SOON -> {}
            }
        }
        return closed;
    }

    /**
     * An intent that takes over a row which another releases is part of the plan that would remove the row: the row
     * would be absent in between. The other releases it in this plan, or did in an earlier one that kept the row.
     */
    private void takeAlong(List<UpdatePlan.Change> changes) {
        for (NodeTable node : queue.isEmpty() ? List.<NodeTable>of() : List.copyOf(nodes.values())) {
            List.copyOf(node.dirty).forEach(row -> takeOver(row, changes));
            List.copyOf(node.waiting).forEach(row -> takeOver(row, changes));
        }
        for (int i = 0; i < changes.size() && !queue.isEmpty(); i++) {
            changes.get(i).touched.forEach(row -> takeOver(row, changes));
        }
    }

    private void takeOver(Row row, List<UpdatePlan.Change> changes) {
        for (Row.Claim claim : row.wanted() == null ? row.claims() : List.<Row.Claim>of()) {
            if (queue.contains(claim.owner) && gate(claim.owner) == Gate.OPEN) {
                queue.remove(claim.owner);
                changes.add(begin(claim.owner));
            }
        }
    }

    private UpdatePlan fill(UpdatePlan next) {
        undoing.clear();
        Predicate<NodeTable> unexplainedGoes = monitor.unexplainedGoes();
        for (NodeTable node : nodes.values()) {
            if (node.writable() && !node.dirty.isEmpty()) {
                fill(next, node, unexplainedGoes.test(node));
            }
        }
        next.order(writer.routes());
        return next;
    }

    private void fill(UpdatePlan next, NodeTable node, boolean unexplained) {
        NextHopReuse turnover = NextHopReuse.of(node);
        Set<Row> named = node.stillNamed(unexplained);
        node.dirty.addAll(node.waiting);
        node.waiting.clear();
        node.reconsider();
        node.dirty.forEach(row -> row.needed(unexplained).ifPresent(operation -> {
            boolean kept = operation == DataPlane.Operation.DELETE && keeping > 0;
            if (kept || turnover.waits(row) || named.contains(row) || !bootCounts.mayWrite(row)) {
                node.waiting.add(row);
            } else {
                next.plan(row, operation);
            }
        }));
        node.dirty.clear();
    }

    /** Open if every node where the intent needs a row that it does not have can be written. */
    private Gate gate(TrackedIntent intent) {
        intent.waitForNobody();
        if (!intent.kind.atomic()) {
            return Gate.OPEN;
        }
        Gate gate = ground(intent);
        for (TrackedIntent.Cell cell : intent.admitted) {
            NodeTable node = cell.row().node;
            if (!node.mine || node.writable() || cell.entry().equals(cell.row().appliedOf(intent))) {
                continue;
            }
            if (node.reachable) {
                gate = gate == Gate.OPEN ? Gate.SOON : gate;
            } else {
                gate = Gate.CLOSED;
                intent.waitFor(node.name);
            }
        }
        return gate;
    }

    /** Open if the intents that it refers to are on their nodes. */
    private Gate ground(TrackedIntent intent) {
        if (intent.admitted.isEmpty() || intent.isCurrent()) {
            return Gate.OPEN;
        }
        Gate gate = Gate.OPEN;
        for (IntentRef ref : intent.refersTo()) {
            Optional<TrackedIntent> other = registry.find(ref);
            if (other.isPresent() && other.get().phase != TrackedIntent.Phase.RESTING) {
                return Gate.SOON;
            }
            if (other.filter(TrackedIntent::isCurrent).isEmpty()) {
                gate = Gate.CLOSED;
            }
        }
        return gate;
    }

    private UpdatePlan.Change begin(TrackedIntent intent) {
        List<TrackedIntent.Cell> before = intent.applied;
        noteUnwritable(intent);
        intent.phase = TrackedIntent.Phase.RUNNING;
        intent.inherited = false;
        intent.failures = Map.of();
        UpdateStages.Stage stage = stages.next(intent);
        stages.await(intent, stage.awaited());
        List<Row> touched = activate(intent, stage.cells());
        if (!registry.referers(intent.ref).isEmpty()) {
            touched.forEach(row -> row.node.offered.add(row));
        }
        if (stage.sends()) {
            intent.travelled =
                    intent.admitted.isEmpty() ? List.of() : intent.plan().passages();
        }
        return new UpdatePlan.Change(intent, before, touched);
    }

    /**
     * Reports the entries that a change releases at nodes that cannot be written. A submitted change has stored them
     * already.
     */
    private void noteUnwritable(TrackedIntent intent) {
        boolean stored = intent.isStored() && !intent.removed;
        if (stored && intent.applied.stream().anyMatch(cell -> cell.row().node.blocks())) {
            listener.leaving(
                    intent,
                    intent.admitted.stream()
                            .map(cell -> new Plan.Placed(cell.row().node.name, cell.entry()))
                            .toList());
        }
    }

    /** Applies these cells, and returns the rows whose entry changes by that. */
    private static List<Row> activate(TrackedIntent intent, List<TrackedIntent.Cell> cells) {
        List<Row> touched = new ArrayList<>();
        Set<Row> kept = new HashSet<>();
        if (!intent.applied.isEmpty()) {
            cells.forEach(cell -> kept.add(cell.row()));
        }
        for (TrackedIntent.Cell cell : intent.applied) {
            if (!kept.contains(cell.row())) {
                cell.row().dropApplied(intent);
                touched.add(cell.row());
            }
        }
        for (TrackedIntent.Cell cell : cells) {
            if (!cell.entry().equals(cell.row().appliedOf(intent))) {
                touched.add(cell.row());
            }
            cell.row().applied(intent, cell.entry());
        }
        touched.forEach(row -> row.node.dirty.add(row));
        intent.applied = cells;
        return touched;
    }

    private void finish(UpdatePlan done) {
        listener.written();
        for (UpdatePlan.Change change : done.changes) {
            if (change.failed() && !change.intent.removed) {
                undo(change);
            } else {
                succeed(change);
            }
        }
        done.undoing.stream()
                .filter(intent -> intent.phase == TrackedIntent.Phase.UNDOING)
                .forEach(this::settle);
        writer.takeRepaired().stream()
                .filter(intent -> intent.phase == TrackedIntent.Phase.RESTING)
                .forEach(listener::changed);
        monitor.endAudits();
    }

    private void succeed(UpdatePlan.Change change) {
        TrackedIntent intent = change.intent;
        intent.failures = Map.of();
        settle(intent);
    }

    /** Rolls back to the earlier entries, or to none if another intent has claimed a row of them since. */
    private void undo(UpdatePlan.Change change) {
        TrackedIntent intent = change.intent;
        boolean free = change.before.stream()
                .allMatch(cell -> cell.row().claims().stream()
                        .allMatch(claim ->
                                claim.owner == intent || claim.admitted == null || claim.admitted.means(cell.entry())));
        activate(intent, free ? change.before : List.of());
        change.touched.forEach(row -> row.node.dirty.add(row));
        intent.failures = Map.copyOf(change.failures());
        change.lostNodes().stream().filter(node -> monitor.node(node).mine).forEach(intent::waitFor);
        intent.phase = TrackedIntent.Phase.UNDOING;
        undoing.add(intent);
    }

    private void settle(TrackedIntent intent) {
        boolean again = !intent.isCurrent()
                && intent.failures.isEmpty()
                && intent.waitingFor.isEmpty()
                && ground(intent) != Gate.CLOSED
                && (intent.awaited.isEmpty() || stages.isNextOpen(intent));
        if (again && (!intent.removed || !intent.awaited.isEmpty())) {
            queue.add(intent); // the node that was lost is another controller's by now, or a report arrived
        }
        intent.phase = queue.contains(intent) ? TrackedIntent.Phase.QUEUED : TrackedIntent.Phase.RESTING;
        listener.changed(intent);
        if (intent.phase == TrackedIntent.Phase.RESTING) {
            if (!intent.isCurrent() && (!intent.removed || !intent.awaited.isEmpty())) {
                parked.add(intent);
            } else if (!registry.referers(intent.ref).isEmpty()) {
                retry(waiting -> waiting.refersTo().contains(intent.ref));
            }
            intent.takeWaiters().forEach(waiter -> waiter.complete(null));
        }
    }

    // Waiting

    public CompletableFuture<Void> idle() {
        CompletableFuture<Void> waiter = new CompletableFuture<>();
        idle.add(waiter);
        return waiter;
    }

    private void endDrain() {
        if (closing && writer.resting() && !monitor.reading() && undoing.isEmpty()) {
            drained.complete(null);
        }
    }

    /**
     * Completes the futures that wait for an idle engine; called after {@link #pump}, when readers can see its results.
     *
     * @param quiet true if the other packages have nothing pending
     */
    public void endIdle(boolean quiet) {
        if (rested
                && writer.resting()
                && !monitor.reading()
                && nodes.values().stream().noneMatch(node -> node.writing)
                && (held || queue.isEmpty())
                && !monitor.auditing()
                && bootCounts.quiet()
                && quiet) {
            idle.forEach(waiter -> waiter.complete(null));
            idle.clear();
        }
    }

    /** Starts no new update; completes when those in flight have ended and failed ones are rolled back. */
    public CompletableFuture<Void> drain() {
        closing = true;
        return drained;
    }

    /** Ends all waiting. */
    public void close() {
        IllegalStateException closed = new IllegalStateException("the intent engine is closed");
        idle.forEach(waiter -> waiter.completeExceptionally(closed));
        monitor.close(closed);
        registry.all().forEach(intent -> intent.takeWaiters().forEach(waiter -> waiter.completeExceptionally(closed)));
    }
}
