// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.port.DataPlane.Result;
import org.sextant.core.port.DataPlane.Update;
import org.sextant.core.table.Route;

/**
 * Writes one {@link Round} after the other, step by step: a step goes to all of its nodes at once, and the next begins when
 * all have answered. Routes are written as answers allow. Touched by the engine's thread only.
 */
final class RoundWriter {

    private final SortedMap<String, NodeTable> nodes;
    private final NodeWatch watch;
    private final Events events;
    private final DataPlane dataPlane;
    private final EngineSettings settings;
    private final EngineThread thread;
    private final Executor workers;
    private final Consumer<Round> finished;
    private final Refusals refusals = new Refusals();
    private Set<Tracked> repaired = new HashSet<>();
    private @Nullable Round round;
    private int outstanding;

    /** Any row of the round was written. */
    private boolean wrote;

    /** Nodes that have not answered yet. */
    private final Set<String> busy = new HashSet<>();

    /** @param finished is told of every round that has been written, when none is any more */
    RoundWriter(
            SortedMap<String, NodeTable> nodes,
            NodeWatch watch,
            Events events,
            DataPlane dataPlane,
            EngineSettings settings,
            EngineThread thread,
            Executor workers,
            Consumer<Round> finished) {
        this.nodes = nodes;
        this.watch = watch;
        this.events = events;
        this.dataPlane = dataPlane;
        this.settings = settings;
        this.thread = thread;
        this.workers = workers;
        this.finished = finished;
    }

    Refusals refusals() {
        return refusals;
    }

    boolean resting() {
        return round == null;
    }

    /** How many intents change in the round that is being written. */
    int changes() {
        return round == null ? 0 : round.changes.size();
    }

    void write(Round next) {
        round = next;
        wrote = false;
        step();
    }

    /** Those of whom rows were written since the last time that no change of theirs was the cause of. */
    Set<Tracked> takeRepaired() {
        Set<Tracked> taken = repaired;
        repaired = new HashSet<>();
        return taken;
    }

    private void step() {
        outstanding = 0;
        while (outstanding == 0) {
            SortedMap<String, List<Round.Write>> step =
                    running().nextStep(settings.clock().instant());
            if (step.isEmpty()) {
                Round done = running();
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

    private Round running() {
        return Objects.requireNonNull(round, "a round runs");
    }

    /** A node that left the network may be forgotten while a round still has something for it; it is lost, too. */
    private void dispatch(String name, List<Round.Write> writes) {
        NodeTable node = nodes.get(name);
        if (node == null || !node.writable()) {
            running().lose(name, writes);
            return;
        }
        outstanding++;
        busy.add(name);
        writes.forEach(RoundWriter::send);
        int generation = node.generation;
        List<Update> updates = writes.stream().map(Round.Write::update).toList();
        workers.execute(() -> {
            try {
                List<Result> results = NodeWriter.write(dataPlane, name, updates, settings.batchSize());
                thread.post(() -> written(node, generation, writes, results));
            } catch (RuntimeException | Error e) {
                thread.post(() -> failed(node, generation, writes, NodeWriter.reason(e)));
            }
        });
    }

    /** Only routes of other nodes are asked for before they are confirmed. */
    private static void send(Round.Write write) {
        Update update = write.update();
        boolean added = update.operation() != Operation.DELETE && update.entry() instanceof Route;
        if (added && !write.row().unconfirmed().contains(update.entry())) {
            write.row().sent(update.entry());
        }
    }

    private void written(NodeTable node, int generation, List<Round.Write> writes, List<Result> results) {
        try {
            node.answered(settings.clock().instant());
            apply(node, generation, writes, results);
        } finally {
            answered(node.name, writes); // or no round would ever begin again
        }
    }

    private void apply(NodeTable node, int generation, List<Round.Write> writes, List<Result> results) {
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
                node.dirty.addAll(node.waiting); // it may be what they wait for
            }
            if (node.adjacencies.stream().anyMatch(written::contains)) {
                node.dirty.addAll(node.refusedForWantOfAnother());
            }
            events.emit(new EngineEvent.EntriesWritten(
                    node.name,
                    done.getOrDefault(Operation.INSERT, 0),
                    done.getOrDefault(Operation.MODIFY, 0),
                    done.getOrDefault(Operation.DELETE, 0)));
        }
    }

    private boolean apply(Round.Write write, Result result) {
        Row row = write.row();
        row.confirmed();
        row.failure = result.failure().orElse(null);
        if (write.causes().isEmpty()) {
            row.claims().forEach(claim -> repaired.add(claim.owner));
        }
        boolean removal = write.update().operation() == Operation.DELETE;
        refusals.note(row.node.name, row.key, removal ? null : row.failure);
        if (row.failure != null) {
            // What cannot be removed is no reason to take back what replaced it; the next audit tries again.
            (removal ? List.<Round.Change>of() : write.causes()).forEach(change -> change.fail(row, row.failure));
            events.emit(new EngineEvent.EntryRefused(row.node.name, row.key, row.failure));
            return false;
        }
        if (removal) {
            row.gone();
            row.node.sweep(row);
        } else {
            row.held = write.update().entry();
        }
        return true;
    }

    private void failed(NodeTable node, int generation, List<Round.Write> writes, String reason) {
        try {
            if (node.generation == generation) {
                watch.lost(node, reason);
            }
            running().lose(node.name, writes);
        } finally {
            answered(node.name, writes);
        }
    }

    private void answered(String node, List<Round.Write> writes) {
        busy.remove(node);
        running().answered(writes);
        running().nextRoutes(busy).forEach(this::dispatch);
        if (--outstanding == 0) {
            step();
        }
    }
}
