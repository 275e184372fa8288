// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.fake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.sextant.core.port.Capabilities;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.port.Subscription;
import org.sextant.core.table.Entry;

/**
 * Nodes in memory, as strict as P4Runtime about rows that exist or not. Every update is recorded in the order in which
 * the nodes, all together, saw it. Each node can refuse, lose the connection at a given update, ignore updates, and be
 * slow.
 */
public final class FakeDataPlane implements DataPlane {
    private static final long HELD_AT_MOST_SECONDS = 30;

    private final Map<String, FakeNode> nodes = new ConcurrentHashMap<>();
    private final List<Consumer<NodeState>> listeners = new CopyOnWriteArrayList<>();
    private final List<Done> log = new ArrayList<>();
    private final List<Batch> batches = new ArrayList<>();

    /** An update that a node carried out or refused. */
    public record Done(String node, Operation operation, Entry entry, boolean ok) {
        @Override
        public String toString() {
            return node + " " + operation + " " + entry.key() + (ok ? "" : " refused");
        }
    }

    /** One call of {@link #write}. */
    public record Batch(String node, int updates) {}

    private static final class FakeNode {
        final SortedMap<Entry.Key, Stored> rows = new TreeMap<>();
        final Map<String, SortedMap<Integer, Counters>> cells = new TreeMap<>();
        volatile boolean ready;
        volatile Optional<Capabilities> capabilities = Optional.empty();
        volatile CountDownLatch gate = new CountDownLatch(0);
        Predicate<Update> refused = update -> false;
        Failure refusal;
        Predicate<Update> ignored = update -> false;
        int updatesUntilLost = -1;
        boolean breakNextCall;
        int reads;
    }

    // Actions of tests on nodes

    public void connect(String node) {
        node(node).ready = true;
        tell(new NodeState(node, true, ""));
    }

    public void connect(String node, Capabilities capabilities) {
        node(node).capabilities = Optional.of(capabilities);
        connect(node);
    }

    /** The node keeps its rows, but does not answer any more. */
    public void disconnect(String node, String reason) {
        node(node).ready = false;
        tell(new NodeState(node, false, reason));
    }

    /** The node will refuse updates that match, until {@link #obey}. */
    public void refuse(String node, Predicate<Update> which, Code code, String reason) {
        synchronized (node(node)) {
            node(node).refused = which;
            node(node).refusal = new Failure(code, reason);
        }
    }

    /** The node will accept updates that match and do nothing, until {@link #obey}. */
    public void ignore(String node, Predicate<Update> which) {
        synchronized (node(node)) {
            node(node).ignored = which;
        }
    }

    public void obey(String node) {
        synchronized (node(node)) {
            node(node).refused = update -> false;
            node(node).ignored = update -> false;
        }
    }

    /** The connection breaks when the node has carried out {@code updates} more updates; it reports itself lost. */
    public void loseAfter(String node, int updates) {
        synchronized (node(node)) {
            node(node).updatesUntilLost = updates;
        }
    }

    /** The next call of the node fails, without the node reporting itself lost. */
    public void breakNextCall(String node) {
        synchronized (node(node)) {
            node(node).breakNextCall = true;
        }
    }

    /** Calls of the node block until {@link #release}. */
    public void hold(String node) {
        node(node).gate = new CountDownLatch(1);
    }

    public void release(String node) {
        node(node).gate.countDown();
    }

    /** Puts a row into the node behind the controller's back. */
    public void plant(String node, Entry entry) {
        synchronized (node(node)) {
            node(node).rows.put(entry.key(), new Stored(entry, Optional.empty()));
        }
    }

    /** Takes a row out of the node behind the controller's back. */
    public void erase(String node, Entry.Key key) {
        synchronized (node(node)) {
            node(node).rows.remove(key);
        }
    }

    /** Lets a row's counters stand at these values. */
    public void count(String node, Entry.Key key, Counters counters) {
        synchronized (node(node)) {
            node(node).rows.computeIfPresent(key, (k, row) -> new Stored(row.entry(), Optional.of(counters)));
        }
    }

    /** Lets a cell of a counter array stand at these values. */
    public void count(String node, String array, int index, Counters counters) {
        synchronized (node(node)) {
            node(node).cells.computeIfAbsent(array, name -> new TreeMap<>()).put(index, counters);
        }
    }

    /** The same on a node that records the time since the row was hit. */
    public void count(String node, Entry.Key key, Counters counters, Duration idle) {
        synchronized (node(node)) {
            node(node)
                    .rows
                    .computeIfPresent(
                            key, (k, row) -> new Stored(row.entry(), Optional.of(counters), Optional.of(idle)));
        }
    }

    // Observations of tests

    /** The entries of the node, by key. */
    public SortedMap<Entry.Key, Entry> held(String node) {
        SortedMap<Entry.Key, Entry> held = new TreeMap<>();
        synchronized (node(node)) {
            node(node).rows.forEach((key, row) -> held.put(key, row.entry()));
        }
        return held;
    }

    public int reads(String node) {
        synchronized (node(node)) {
            return node(node).reads;
        }
    }

    /** Every update of every node, in order. */
    public List<Done> log() {
        synchronized (log) {
            return List.copyOf(log);
        }
    }

    public List<Batch> batches() {
        synchronized (log) {
            return List.copyOf(batches);
        }
    }

    public void forgetLog() {
        synchronized (log) {
            log.clear();
            batches.clear();
        }
    }

    // The port

    @Override
    public Optional<Capabilities> capabilities(String node) {
        return node(node).ready ? node(node).capabilities : Optional.empty();
    }

    @Override
    public Set<String> ready() {
        Set<String> ready = new TreeSet<>();
        nodes.forEach((name, node) -> {
            if (node.ready) {
                ready.add(name);
            }
        });
        return ready;
    }

    /** Tests set these cells; only the requested ones are returned. */
    @Override
    public Map<Integer, Counters> cells(String node, String array, Set<Integer> indexes) {
        synchronized (node(node)) {
            SortedMap<Integer, Counters> cells = new TreeMap<>(node(node).cells.getOrDefault(array, new TreeMap<>()));
            cells.keySet().retainAll(indexes);
            return cells;
        }
    }

    @Override
    public List<Result> write(String name, List<Update> updates) {
        FakeNode node = node(name);
        pass(name, node);
        List<Result> results = new ArrayList<>();
        synchronized (log) {
            batches.add(new Batch(name, updates.size()));
        }
        for (Update update : updates) {
            boolean lost;
            synchronized (node) {
                lost = node.updatesUntilLost == 0;
                if (lost) {
                    node.updatesUntilLost = -1;
                } else {
                    node.updatesUntilLost = Math.max(-1, node.updatesUntilLost - 1);
                    Result result = carryOut(node, update);
                    results.add(result);
                    synchronized (log) {
                        log.add(new Done(name, update.operation(), update.entry(), result.ok()));
                    }
                }
            }
            if (lost) {
                disconnect(name, "connection reset");
                throw new NodeUnavailableException(name, "connection reset");
            }
        }
        return results;
    }

    @Override
    public List<Stored> read(String name) {
        FakeNode node = node(name);
        pass(name, node);
        synchronized (node) {
            node.reads++;
            return List.copyOf(node.rows.values());
        }
    }

    @Override
    public Subscription onState(Consumer<NodeState> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    private static Result carryOut(FakeNode node, Update update) {
        Entry entry = update.entry();
        boolean exists = node.rows.containsKey(entry.key());
        if (node.refused.test(update)) {
            return new Result(Optional.of(node.refusal));
        }
        if (update.operation() == Operation.INSERT && exists) {
            return Result.failed(Code.ALREADY_EXISTS, entry.key() + " exists");
        }
        if (update.operation() != Operation.INSERT && !exists) {
            return Result.failed(Code.NOT_FOUND, entry.key() + " does not exist");
        }
        if (!node.ignored.test(update)) {
            if (update.operation() == Operation.DELETE) {
                node.rows.remove(entry.key());
            } else {
                node.rows.put(entry.key(), new Stored(entry, Optional.empty()));
            }
        }
        return Result.OK;
    }

    private static void pass(String name, FakeNode node) {
        try {
            if (!node.gate.await(HELD_AT_MOST_SECONDS, TimeUnit.SECONDS)) {
                throw new NodeUnavailableException(name, "deadline exceeded");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeUnavailableException(name, "interrupted");
        }
        synchronized (node) {
            if (node.breakNextCall) {
                node.breakNextCall = false;
                throw new NodeUnavailableException(name, "deadline exceeded");
            }
        }
        if (!node.ready) {
            throw new NodeUnavailableException(name, "not connected");
        }
    }

    private FakeNode node(String name) {
        return nodes.computeIfAbsent(name, n -> new FakeNode());
    }

    private void tell(NodeState state) {
        listeners.forEach(listener -> listener.accept(state));
    }
}
