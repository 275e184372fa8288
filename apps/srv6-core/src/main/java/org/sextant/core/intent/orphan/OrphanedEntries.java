// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.orphan;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.sextant.core.Reason;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.allocate.IdPools;
import org.sextant.core.intent.install.NodeTable;
import org.sextant.core.intent.install.Row;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.loop.Commits;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.loop.StoreQuestion;
import org.sextant.core.loop.StoreWatch;
import org.sextant.core.passage.Passage;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.table.Entry;

/**
 * Entries that intents released and nodes may still hold: as durable as the intents, so that they survive restarts and
 * changes of the controller. They are stored in one step with the intent's change or removal, and removed by the node's
 * controller once the node was seen without them. Until then the intent's number stays taken, the rows go as soon as
 * the node can be written, and no intent may form a forwarding loop with them. Only removing runs on another thread.
 */
public final class OrphanedEntries {
    public static final String MAP = "leftovers";

    /**
     * How long a request waits for other controllers, and for nodes that are being read: either may take arbitrarily
     * long.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final SortedMap<String, NodeTable> nodes;
    private final IdPools pools;
    private final EngineRuntime runtime;
    private final Commits commits;
    private final EventLoop thread;
    private final Executor workers;
    private final OrphanListener listener;
    private final StoreWatch following;
    private final SortedMap<String, Orphan> known = new TreeMap<>();

    /** Keys that the store is to have as {@link #known} has them, or not at all. */
    private final Set<String> unsent = new LinkedHashSet<>();

    private Set<String> sending = Set.of();

    /** Requests that wait for intents, in the order of their ends. */
    private final Map<IntentRef, Waiter> waiting = new LinkedHashMap<>();

    /** A message that ends overdue waiters is pending. */
    private boolean endPosted;

    /** @param end when it has waited long enough, by {@link EventLoop#nanoTime} */
    private record Waiter(CompletableFuture<Void> settled, long end) {}

    public OrphanedEntries(
            SortedMap<String, NodeTable> nodes,
            IdPools pools,
            EngineRuntime runtime,
            Executor workers,
            OrphanListener listener) {
        this.nodes = nodes;
        this.pools = pools;
        this.runtime = runtime;
        this.commits = runtime.commits();
        this.thread = runtime.loop();
        this.workers = workers;
        this.listener = listener;
        this.following = commits.follow(MAP, this::follow);
    }

    // Recording

    /** The orphans of an intent that is withdrawn, per node. */
    public List<Orphan> ofWithdrawn(TrackedIntent intent) {
        List<TrackedIntent.Cell> cells = new ArrayList<>(intent.admitted());
        cells.addAll(intent.applied());
        return of(
                intent,
                cells,
                Optional.of(intent.kind().encode(intent.numbered().intent())));
    }

    /** The orphans of an intent that changes: rows that go, and rows of nodes that cannot be written. */
    public List<Orphan> ofChanged(TrackedIntent intent, List<Plan.Placed> next) {
        Map<String, Map<Entry.Key, Entry>> wanted = new HashMap<>();
        next.forEach(placed -> wanted.computeIfAbsent(placed.node(), name -> new HashMap<>())
                .put(placed.entry().key(), placed.entry()));
        List<TrackedIntent.Cell> left = new ArrayList<>();
        for (TrackedIntent.Cell cell : intent.applied()) {
            Entry then = wanted.getOrDefault(cell.row().node().name(), Map.of())
                    .get(cell.row().key());
            if (then == null || cell.row().node().blocks() && !then.equals(cell.entry())) {
                left.add(cell);
            }
        }
        return of(intent, left, Optional.empty());
    }

    private List<Orphan> of(TrackedIntent intent, List<TrackedIntent.Cell> cells, Optional<JsonNode> withdrawn) {
        Map<String, List<Entry.Key>> rows = new TreeMap<>();
        cells.forEach(cell -> rows.computeIfAbsent(cell.row().node().name(), name -> new ArrayList<>())
                .add(cell.row().key()));
        Set<Passage> ways = new LinkedHashSet<>(intent.travelled());
        ways.addAll(intent.compiled().passages());
        List<Orphan> orphans = new ArrayList<>();
        rows.forEach((name, keys) -> {
            List<Passage> here =
                    ways.stream().filter(way -> way.from().node().equals(name)).toList();
            List<Orphan.Left> numbers = pools.holds(intent).stream()
                    .flatMap(hold -> Orphan.Left.at(name, hold).stream())
                    .toList();
            Orphan one = new Orphan(
                    intent.ref(),
                    intent.number(),
                    name,
                    numbers,
                    keys,
                    here,
                    withdrawn,
                    runtime.settings().clock().instant());
            Orphan before = known.get(one.key());
            orphans.add(before == null ? one : one.and(before));
        });
        return orphans;
    }

    /** Belong into one commit with the intents that leave these; the last of several with one key counts. */
    public static List<Store.Write> writes(Collection<Orphan> orphans) {
        SortedMap<String, Store.Write> byKey = new TreeMap<>();
        orphans.forEach(orphan -> byKey.put(orphan.key(), Store.Write.put(MAP, orphan.key(), orphan.encode())));
        return List.copyOf(byKey.values());
    }

    /** The orphans are stored, and their intents deleted or changed. */
    public void add(Collection<Orphan> orphans) {
        orphans.forEach(this::add);
    }

    /**
     * As {@link #note}, for the entries of an intent on nodes that cannot be written, if it loses them when it changes
     * to {@code next}.
     */
    public void noteBlocked(TrackedIntent intent, List<Plan.Placed> next) {
        note(ofChanged(intent, next).stream()
                .filter(left -> Optional.ofNullable(nodes.get(left.node()))
                        .filter(NodeTable::blocks)
                        .isPresent())
                .toList());
    }

    /** As {@link #add}, for changes that follow from the network: they are stored soon, not before anything is done. */
    void note(Collection<Orphan> orphans) {
        add(orphans);
        orphans.forEach(orphan -> unsent.add(orphan.key()));
    }

    /** An intent was withdrawn by a commit that was late: entries written for it in the meantime are recorded, too. */
    public void completeWithdrawn(TrackedIntent intent) {
        complete(ofWithdrawn(intent));
    }

    /** As {@link #completeWithdrawn}, for an intent that was changed. */
    public void completeChanged(TrackedIntent intent) {
        complete(ofChanged(intent, intent.compiled().entries()));
    }

    private void complete(List<Orphan> leaving) {
        note(leaving.stream()
                .filter(one -> !Optional.ofNullable(known.get(one.key()))
                        .map(before -> Set.copyOf(before.rows()).containsAll(one.rows()))
                        .orElse(false))
                .toList());
    }

    private void add(Orphan orphan) {
        Orphan before = known.put(orphan.key(), orphan);
        if (before != null) {
            listener.removed(before);
        }
        pools.reserve(orphan.key(), orphan.holds());
        listener.added(orphan);
        release(orphan);
        changed(orphan.ref());
    }

    // The store

    public void load() {
        commits.load(MAP).forEach(this::read);
    }

    /** Most changes are echoes of this controller's own writes, and are not read. */
    public void storeChanged(Store.Change change) {
        Orphan before = known.get(change.key());
        if (!change.value().equals(Optional.ofNullable(before).map(Orphan::encode))) {
            following.changed(change.key());
        }
    }

    private void follow(String key, Optional<String> now) {
        Optional<Orphan> mine = Optional.ofNullable(known.get(key));
        boolean unwritten = unsent.contains(key) || sending.contains(key);
        if (now.equals(mine.map(Orphan::encode)) || now.isEmpty() && unwritten) {
            return;
        }
        now.ifPresentOrElse(text -> read(key, text), () -> forget(key));
        if (unwritten) {
            mine.ifPresent(before -> keep(key, before));
        }
    }

    /** A leftover that the store does not have yet stays, together with the one that it has. */
    private void keep(String key, Orphan before) {
        Orphan both = Optional.ofNullable(known.get(key)).map(before::and).orElse(before);
        forget(key);
        add(both);
        unsent.add(key);
    }

    private void read(String key, String text) {
        try {
            forget(key);
            add(Orphan.parse(key, text));
        } catch (IllegalArgumentException e) {
            runtime.emit(new EngineEvent.StoredIntentUnreadable(MAP + " " + key, Reason.of(e)));
        }
    }

    private void forget(String key) {
        Orphan orphan = known.remove(key);
        if (orphan == null) {
            return;
        }
        pools.unreserve(orphan.key());
        listener.removed(orphan);
        changed(orphan.ref());
    }

    // The nodes

    /**
     * A node's entries are about to be compared with the desired ones: its orphaned entries are released, whatever
     * their origin.
     */
    public void reading(NodeTable read) {
        known.values().stream()
                .filter(orphan -> orphan.node().equals(read.name()))
                .forEach(this::release);
    }

    private void release(Orphan orphan) {
        NodeTable there = nodes.get(orphan.node());
        if (there == null) {
            return;
        }
        for (Entry.Key key : orphan.rows()) {
            Row row = there.row(key);
            if (!row.reserved()) {
                row.release();
                there.mark(row);
                there.sweep(row);
            }
        }
    }

    /** Removes the orphans that this controller's nodes no longer hold. */
    public void prune() {
        for (Orphan orphan : List.copyOf(known.values())) {
            NodeTable there = nodes.get(orphan.node());
            if (there != null
                    && there.isMine()
                    && there.isKnown()
                    && orphan.rows().stream().noneMatch(key -> holds(there, key))) {
                remove(orphan);
            }
        }
        waiting.entrySet()
                .removeIf(
                        one -> !leaves(one.getKey()) && one.getValue().settled().complete(null));
    }

    /** Nodes that have left the network keep their entries: no controller will write them. */
    public void dropOutside(Set<String> network) {
        if (!network.isEmpty()) {
            List.copyOf(known.values()).stream()
                    .filter(orphan -> !network.contains(orphan.node()))
                    .forEach(this::remove);
        }
    }

    private void remove(Orphan orphan) {
        forget(orphan.key());
        unsent.add(orphan.key());
    }

    /**
     * True unless it is gone, or an intent has applied and desires it: one that released it has it until its next round
     * begins.
     */
    private static boolean holds(NodeTable there, Entry.Key key) {
        Row row = there.rows().get(key);
        if (row == null || row.held() == null) {
            return false;
        }
        boolean taken = row.claims().stream()
                .anyMatch(claim -> !claim.owner().isRemoved() && claim.admitted() != null && claim.applied() != null);
        return !(taken && row.wanted() != null && row.holds(row.wanted()));
    }

    // Telling

    public boolean any(IntentRef ref) {
        return !of(ref).isEmpty();
    }

    public Collection<Orphan> of(IntentRef ref) {
        return known.isEmpty() ? List.of() : known.subMap(ref + "#", ref + "$").values(); // all with '#'
    }

    public Collection<Orphan> all() {
        return known.values();
    }

    /** Completes when none of its entries is about to be removed, or none has been for a while. */
    public CompletableFuture<Void> settled(IntentRef ref) {
        if (!leaves(ref)) {
            return CompletableFuture.completedFuture(null);
        }
        if (!endPosted) {
            endPosted = true;
            thread.after("orphans settled", PATIENCE, this::endLate);
        }
        return waiting.computeIfAbsent(
                        ref, none -> new Waiter(new CompletableFuture<>(), thread.nanoTime() + PATIENCE.toNanos()))
                .settled();
    }

    private void endLate() {
        endPosted = false;
        waiting.values()
                .removeIf(waiter -> waiter.end() - thread.nanoTime() <= 0
                        && waiter.settled().complete(null));
        waiting.values().stream().findFirst().ifPresent(next -> {
            endPosted = true;
            thread.after("orphans settled", Duration.ofNanos(next.end() - thread.nanoTime()), this::endLate);
        });
    }

    /** True if another controller has to remove something of it, or this one will as soon as a node is read. */
    private boolean leaves(IntentRef ref) {
        return of(ref).stream().anyMatch(orphan -> {
            NodeTable node = nodes.get(orphan.node());
            return node != null && (!node.isMine() || node.isReachable() && (!node.writable() || waits(node, orphan)));
        });
    }

    private static boolean waits(NodeTable node, Orphan orphan) {
        return orphan.rows().stream().map(node.rows()::get).anyMatch(row -> node.isPending(row));
    }

    /** A node came or went. */
    public void nodeChanged(NodeTable there) {
        known.values().stream()
                .filter(orphan -> orphan.node().equals(there.name()))
                .map(Orphan::ref)
                .distinct()
                .forEach(this::changed);
    }

    private void changed(IntentRef ref) {
        listener.changed(ref);
        if (waiting.containsKey(ref) && !leaves(ref)) {
            waiting.remove(ref).settled().complete(null);
        }
    }

    public boolean quiet() {
        return unsent.isEmpty() && sending.isEmpty();
    }

    /** Brings the store up to date; called when the messages at hand are dealt with. */
    public void pump() {
        if (unsent.isEmpty() || !sending.isEmpty()) {
            return;
        }
        Set<String> batch = Set.copyOf(unsent);
        unsent.clear();
        sending = batch;
        List<Orphan> there =
                batch.stream().filter(known::containsKey).map(known::get).toList();
        Set<String> gone =
                batch.stream().filter(key -> !known.containsKey(key)).collect(Collectors.toCollection(TreeSet::new));
        List<Store.Write> writes = new ArrayList<>(writes(there));
        gone.forEach(key -> writes.add(Store.Write.clear(MAP, key)));
        thread.call(StoreQuestion.commit(commits.store(), writes), workers, answer -> {
            if (answer.failure().isPresent()) {
                failed(batch, answer.failure().get());
                return;
            }
            sending = Set.of();
            gone.stream().filter(known::containsKey).forEach(unsent::add); // stored anew while it was taken out
        });
    }

    private void failed(Set<String> batch, Throwable e) {
        if (!(e instanceof StoreUnavailableException)) { // no fault of the engine, and its host reports it
            runtime.emit(new EngineEvent.Fault("leftovers", e));
        }
        thread.after("orphans retry", runtime.settings().retryDelay(), () -> {
            sending = Set.of();
            unsent.addAll(batch);
        });
    }
}
