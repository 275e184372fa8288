// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import com.fasterxml.jackson.core.type.TypeReference;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.loop.Answer;
import org.sextant.core.loop.Call;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.port.DataPlane.Result;
import org.sextant.core.port.DataPlane.Update;
import org.sextant.core.table.Route;

/**
 * Writes one {@link UpdatePlan} after the other, step by step: a step goes to all of its nodes at once, and the next begins when
 * all have answered. Routes are written as answers allow. A node that stays silent is lost: the round goes on without it, and
 * it is read when its answer has come.
 */
final class UpdateExecutor {

    private static final TypeReference<List<Result>> RESULTS = new TypeReference<>() {};
    private static final TypeReference<Integer> COUNT = new TypeReference<>() {};

    /**
     * The factor by which the deadline is longer for an intent that is installed as a whole, as it is rolled back
     * otherwise.
     */
    private static final int ATOMIC = 5;

    private final SortedMap<String, NodeTable> nodes;
    private final NodeMonitor monitor;
    private final RouteReports reports;
    private final EngineRuntime runtime;
    private final EngineSettings settings;
    private final EventLoop thread;
    private final DataPlane dataPlane;
    private final Executor workers;
    private final Refusals refusals = new Refusals();
    private Set<TrackedIntent> repaired = new HashSet<>();
    private @Nullable UpdatePlan round;
    private Consumer<UpdatePlan> finished = plan -> {};
    private int outstanding;

    /** Any row of the round was written. */
    private boolean wrote;

    /** Nodes that have not answered yet. */
    private final Set<String> busy = new HashSet<>();

    UpdateExecutor(
            SortedMap<String, NodeTable> nodes,
            NodeMonitor monitor,
            RouteReports reports,
            EngineRuntime runtime,
            DataPlane dataPlane,
            Executor workers) {
        this.nodes = nodes;
        this.monitor = monitor;
        this.reports = reports;
        this.runtime = runtime;
        this.settings = runtime.settings();
        this.thread = runtime.loop();
        this.dataPlane = dataPlane;
        this.workers = workers;
    }

    Refusals refusals() {
        return refusals;
    }

    /** The routes of a round, none so far. */
    RouteWrites routes() {
        return new RouteWrites(nodes, reports);
    }

    boolean resting() {
        return round == null;
    }

    /** The number of intents that change in the present round. */
    int changes() {
        return round == null ? 0 : round.changes.size();
    }

    /** @param then gets the plan when it is written */
    void write(UpdatePlan next, Consumer<UpdatePlan> then) {
        round = next;
        finished = then;
        wrote = false;
        step();
    }

    /** Intents whose rows were written since the last time, without a change of theirs as the cause. */
    Set<TrackedIntent> takeRepaired() {
        Set<TrackedIntent> taken = repaired;
        repaired = new HashSet<>();
        return taken;
    }

    private void step() {
        outstanding = 0;
        while (outstanding == 0) {
            SortedMap<String, List<UpdatePlan.Write>> step =
                    running().nextStep(settings.clock().instant());
            if (step.isEmpty()) {
                UpdatePlan done = running();
                round = null;
                if (wrote) {
                    nodes.values().forEach(NodeTable::reconsider);
                }
                finished.accept(done);
                return;
            }
            step.forEach(this::dispatch);
        }
    }

    private UpdatePlan running() {
        return Objects.requireNonNull(round, "a round runs");
    }

    /** A node that left the network may be dropped while a round still has writes for it; it is lost, too. */
    private void dispatch(String name, List<UpdatePlan.Write> writes) {
        NodeTable node = nodes.get(name);
        if (node == null || !node.writable()) {
            running().lose(name, writes);
            return;
        }
        outstanding++;
        busy.add(name);
        writes.forEach(write -> send(node, write));
        node.writing = true;
        PendingWrite pending = new PendingWrite(node, writes);
        awaitAnswer(pending);
        List<Update> updates = writes.stream().map(UpdatePlan.Write::update).toList();
        thread.call(
                Call.outside(
                        "write " + name,
                        updates,
                        RESULTS,
                        () -> NodeWriter.write(
                                dataPlane, name, updates, settings.batchSize(), pending.batches::incrementAndGet)),
                workers,
                answer -> answered(pending, answer));
    }

    /** A write to one node, and whether the round still waits for the answer. */
    private static final class PendingWrite {
        final NodeTable node;
        final int generation;
        List<UpdatePlan.Write> writes;
        final AtomicInteger batches = new AtomicInteger();
        boolean awaited = true;

        PendingWrite(NodeTable node, List<UpdatePlan.Write> writes) {
            this.node = node;
            this.generation = node.generation;
            this.writes = writes;
        }

        /** True if it is part of an intent that is installed as a whole, which is rolled back without the answer. */
        boolean atomic() {
            return writes.stream()
                    .flatMap(write -> write.causes().stream())
                    .anyMatch(change -> change.intent.kind.atomic());
        }
    }

    /** Looks after a while whether the node has answered a batch since; the round goes on without a node that has not. */
    private void awaitAnswer(PendingWrite call) {
        Duration silence = call.atomic() ? settings.silence().multipliedBy(ATOMIC) : settings.silence();
        int answered = batches(call);
        thread.after("silence " + call.node.name, silence, () -> {
            if (call.awaited && batches(call) > answered) {
                awaitAnswer(call);
            } else if (call.awaited) {
                end(call, () -> failed(call, "it has not answered a write for " + silence.toMillis() / 1000.0 + " s"));
            }
        });
    }

    private int batches(PendingWrite call) {
        return thread.observe(Call.outside("batches " + call.node.name, "", COUNT, call.batches::get));
    }

    /** Records sent routes only: routes of other nodes depend on them before they are confirmed. */
    private static void send(NodeTable node, UpdatePlan.Write write) {
        node.release(write.row());
        Update update = write.update();
        boolean added = update.operation() != Operation.DELETE && update.entry() instanceof Route;
        if (added && !write.row().unconfirmed().contains(update.entry())) {
            write.row().sent(update.entry());
        }
    }

    /** A late answer only shows that the node can be read again; the read then returns its entries. */
    private void answered(PendingWrite call, Answer<List<Result>> answer) {
        call.node.writing = false;
        if (call.awaited) {
            end(call, () -> {
                answer.value().ifPresent(results -> written(call, results));
                answer.failure().ifPresent(fault -> failed(call, NodeWriter.reason(fault)));
            });
        } else if (answer.failure().isEmpty()) {
            monitor.back(call.node);
        }
    }

    private void end(PendingWrite call, Runnable news) {
        call.awaited = false;
        try {
            news.run();
        } finally {
            goOn(call); // or no round would ever begin again
        }
    }

    private void written(PendingWrite call, List<Result> results) {
        call.node.answered(settings.clock().instant());
        apply(call.node, call.generation, call.writes, results);
    }

    private void apply(NodeTable node, int generation, List<UpdatePlan.Write> writes, List<Result> results) {
        if (node.generation != generation) {
            running().lose(node.name, writes);
        } else {
            Map<Operation, Integer> done = new EnumMap<>(Operation.class);
            Set<Row> written = new HashSet<>();
            for (int i = 0; i < writes.size(); i++) {
                if (apply(writes.get(i), results.get(i))) {
                    written.add(writes.get(i).row());
                    done.merge(writes.get(i).update().operation(), 1, Integer::sum);
                }
            }
            if (!done.isEmpty()) {
                wrote = true;
                node.dirty.addAll(node.waiting); // they may wait for this one
            }
            if (node.adjacencies.stream().anyMatch(written::contains)) {
                node.dirty.addAll(node.refusedForWantOfAnother());
            }
            runtime.emit(new EngineEvent.EntriesWritten(
                    node.name,
                    done.getOrDefault(Operation.INSERT, 0),
                    done.getOrDefault(Operation.MODIFY, 0),
                    done.getOrDefault(Operation.DELETE, 0)));
        }
    }

    private boolean apply(UpdatePlan.Write write, Result result) {
        Row row = write.row();
        row.confirmed();
        row.failure = result.failure().orElse(null);
        if (write.causes().isEmpty()) {
            row.claims().forEach(claim -> repaired.add(claim.owner));
        }
        boolean removal = write.update().operation() == Operation.DELETE;
        refusals.note(row.node.name, row.key, removal ? null : row.failure);
        if (row.failure != null) {
            // A failed removal is no reason to roll back the entry's replacement; the next audit tries again.
            (removal ? List.<UpdatePlan.Change>of() : write.causes()).forEach(change -> change.fail(row, row.failure));
            runtime.emit(new EngineEvent.EntryRefused(row.node.name, row.key, row.failure));
            return false;
        }
        if (removal) {
            row.gone();
            row.node.sweep(row);
        } else {
            row.held = write.update().entry();
            row.node.changed(row);
        }
        return true;
    }

    private void failed(PendingWrite call, String reason) {
        if (call.node.generation == call.generation) {
            monitor.lost(call.node, reason);
        }
        running().lose(call.node.name, call.writes);
    }

    private void goOn(PendingWrite call) {
        busy.remove(call.node.name);
        running().answered(call.writes);
        call.writes = List.of(); // its timer keeps it for a while
        running().nextRoutes(busy).forEach(this::dispatch);
        if (--outstanding == 0) {
            step();
        }
    }
}
