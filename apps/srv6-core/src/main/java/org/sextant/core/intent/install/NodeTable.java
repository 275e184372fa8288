// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.DriftReport;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Route;

/** All entries of one node, desired and observed, and whether the observed ones are up to date. */
public final class NodeTable {
    final String name;
    final Map<Entry.Key, Row> rows = new HashMap<>();

    /** Rows that may differ from their desired entries; the next round checks them. */
    final Set<Row> dirty = new LinkedHashSet<>();

    /** Rows that wait for others to be written first ({@link NextHopReuse}). */
    final Set<Row> waiting = new LinkedHashSet<>();

    /** Rows that are not written until nodes on the paths of routes have confirmed theirs ({@link RouteWrites}). */
    private Map<Row, HeldBack> heldBack = Map.of();

    /** Routes sent to the node and not confirmed: of few rows at a time, which have no field for it therefore. */
    private Map<Row, List<Entry>> unconfirmed = Map.of();

    /** Rows of adjacencies. */
    final Set<Row> adjacencies = new HashSet<>();

    /** Rows of intents that others refer to, which have changed: rows of the others may name them. */
    final Set<Row> offered = new HashSet<>();

    boolean mine;
    boolean reachable;
    boolean known;
    boolean reading;

    /** A write to the node is in flight, perhaps one whose answer is not awaited any more. */
    boolean writing;

    boolean readWanted;

    /** Counts losses and returns; an answer to a question of an earlier generation is outdated. */
    int generation;

    String reason = "it never connected";

    @Nullable
    Instant adopted;

    @Nullable
    Instant lastRead;

    /** The time of its last answer to any call. */
    @Nullable
    Instant lastSeen;

    /** When it began to answer, or stopped; attempts in between that failed change nothing. */
    @Nullable
    Instant since;

    private boolean answering;

    private final RowCounts counts = new RowCounts(this);

    /** Counts changes of its routes. */
    private int routeChanges;

    /** True if the node was read since this controller handles it, or its former controller reported its routes. */
    private boolean routesKnown;

    /** True if that report is the reason. */
    private boolean routesAssumed;

    /** The last answer of {@link #unavailable()}: many entries share it. */
    private Optional<Failure> unavailable = Optional.empty();

    public NodeTable(String name) {
        this.name = name;
    }

    public NodeStatus.State state() {
        if (!mine) {
            return NodeStatus.State.ELSEWHERE;
        }
        if (!reachable) {
            return NodeStatus.State.LOST;
        }
        return known ? NodeStatus.State.SYNCED : NodeStatus.State.READING;
    }

    /** The reason why it is not SYNCED; "" if it is. */
    String why() {
        return switch (state()) {
            case ELSEWHERE -> "another controller handles it";
            case LOST -> reason;
            case READING -> "it is being read";
            case SYNCED -> "";
        };
    }

    /** The failure that all of its rows share; empty if it is SYNCED. */
    public Optional<Failure> unavailable() {
        if (state() == NodeStatus.State.SYNCED) {
            return Optional.empty();
        }
        String why = state() == NodeStatus.State.LOST ? silence() : "node " + name + ": " + why();
        if (unavailable.isEmpty() || !unavailable.get().reason().equals(why)) {
            unavailable = Optional.of(new Failure(Code.UNAVAILABLE, why));
        }
        return unavailable;
    }

    /** The status now. The rows of another controller's node are not counted: they are as old as its last session here. */
    public NodeStatus status() {
        counts.count();
        return new NodeStatus(
                name,
                state(),
                why(),
                mine ? counts.held() : 0,
                Optional.ofNullable(lastRead),
                Optional.empty(),
                contact());
    }

    private NodeStatus.Contact contact() {
        return mine
                ? new NodeStatus.Contact(Optional.ofNullable(since), Optional.ofNullable(lastSeen), counts.waiting())
                : NodeStatus.Contact.NONE;
    }

    /**
     * True if a status shows the present state of the node. Called for every node after each batch of messages: nothing
     * is allocated.
     */
    public boolean shownBy(NodeStatus status) {
        counts.count();
        return status.state() == state()
                && status.entries() == (mine ? counts.held() : 0)
                && status.reason().equals(why())
                && same(status.lastRead(), lastRead)
                && (mine ? isContact(status.contact()) : status.contact().equals(NodeStatus.Contact.NONE));
    }

    private boolean isContact(NodeStatus.Contact shown) {
        return shown.waiting() == counts.waiting() && same(shown.lastSeen(), lastSeen) && same(shown.since(), since);
    }

    private static boolean same(Optional<Instant> shown, @Nullable Instant now) {
        return shown.isPresent() ? shown.get().equals(now) : now == null;
    }

    private String silence() {
        return NodeStatus.silence(name, lastSeen == null ? Optional.empty() : Optional.ofNullable(since));
    }

    void answered(Instant now) {
        lastSeen = now;
        if (!answering) {
            answering = true;
            since = now;
        }
    }

    /** An attempt to reach it failed, or it went. */
    void silent(Instant now) {
        if (answering || since == null) {
            answering = false;
            since = now;
        }
    }

    /** Its rows are known and nothing is in flight. */
    public boolean writable() {
        return mine && reachable && known && !reading && !writing;
    }

    /** True if writes to the node wait for its return. */
    public boolean blocks() {
        return mine && !reachable;
    }

    public Row row(Entry.Key key) {
        return rows.computeIfAbsent(key, this::add);
    }

    private Row add(Entry.Key key) {
        Row row = new Row(this, key);
        if (key.namesAdjacency()) {
            adjacencies.add(row);
        }
        return row;
    }

    /** Invalidates the observed entries; the node is read when it is reachable again. */
    void unknown(String why) {
        generation++;
        known = false;
        reachable = false;
        reason = why;
    }

    /**
     * Segment lists to be removed that have to stay for now: entries steer packets into them, and will still do so
     * after the next writes. Only lists that other entries can reference are checked.
     */
    Set<Row> stillNamed(boolean removeUnexplained) {
        Map<Integer, Row> leaving = new HashMap<>();
        offered.removeIf(row -> row.held == null || row.wanted() != null);
        for (Row row : offered) {
            if (row.held != null) {
                row.held.listId().ifPresent(id -> leaving.put(id, row));
            }
        }
        Set<Row> named = new HashSet<>();
        for (Row row : leaving.isEmpty() ? List.<Row>of() : rows.values()) {
            Entry staying = row.needed(removeUnexplained).isEmpty() ? row.held : row.wanted();
            OptionalInt list = staying == null ? OptionalInt.empty() : staying.sendsInto();
            if (list.isPresent() && leaving.containsKey(list.getAsInt())) {
                named.add(leaving.get(list.getAsInt()));
            }
        }
        return named;
    }

    /** Desired rows that the node refused for lack of another one. */
    List<Row> refusedForWantOfAnother() {
        return rows.values().stream()
                .filter(row ->
                        row.wanted() != null && row.failure != null && row.failure.code() == Code.FAILED_PRECONDITION)
                .toList();
    }

    /**
     * Adopts the entries that were read and returns the rows that drifted since they were last known to be in order.
     */
    List<DriftReport.Drift> take(
            List<Stored> stored, boolean adopting, Predicate<Row> inOrder, boolean removeUnexplained) {
        Map<Entry.Key, Stored> read = new HashMap<>(2 * stored.size());
        stored.forEach(row -> read.put(row.entry().key(), row));
        read.keySet().forEach(this::row);
        List<DriftReport.Drift> drift = new ArrayList<>();
        for (Row row : rows.values()) {
            boolean wasInOrder = inOrder.test(row);
            Stored now = read.get(row.key);
            row.hold(now == null ? null : now.entry());
            row.count(now == null ? null : now.counters().orElse(null));
            row.found(adopting);
            Optional<Operation> needed = row.needed(removeUnexplained);
            if (needed.isEmpty()) {
                row.failure = null;
                continue;
            }
            dirty.add(row);
            if (wasInOrder) {
                drift.add(new DriftReport.Drift(kind(needed.get()), row.key));
            }
        }
        sweep();
        drift.sort((a, b) -> a.key().compareTo(b.key()));
        return drift;
    }

    private static DriftReport.Kind kind(Operation repair) {
        return switch (repair) {
            case INSERT -> DriftReport.Kind.MISSING;
            case MODIFY -> DriftReport.Kind.DIFFERENT;
            case DELETE -> DriftReport.Kind.EXTRA;
        };
    }

    /**
     * Another controller is responsible for the node: it removes released entries and does not report when. They are
     * kept from one audit to the next, so that this controller can finish the removal if it has to take the node over.
     */
    void forgetReleased() {
        for (Row row : List.copyOf(rows.values())) {
            if (row.forget()) {
                row.gone();
                sweep(row);
            }
        }
    }

    /**
     * The reason for not writing a row although it differs from its desired entry.
     *
     * @param node that has to confirm its own route first
     * @param since when the row was first held back by this node
     */
    public record HeldBack(String node, Instant since) {}

    /** Keeps a row unchanged until other nodes have confirmed more. */
    void holdBack(Row row, String by, Instant now) {
        heldBack = heldBack.isEmpty() ? new LinkedHashMap<>() : heldBack;
        heldBack.merge(
                row, new HeldBack(by, now), (before, why) -> before.node().equals(by) ? before : why);
    }

    /** Null if nothing holds the row back. */
    @Nullable
    public HeldBack heldBack(Row row) {
        return heldBack.get(row);
    }

    /** Other nodes have confirmed more: rows that are held back are checked again. */
    void reconsider() {
        heldBack = without(heldBack, row -> row.needed(false).isEmpty());
        dirty.addAll(heldBack.keySet());
    }

    /** The row is being written. */
    void release(Row row) {
        heldBack = without(heldBack, row::equals);
    }

    /** Entries of a row that are in flight to the node. */
    List<Entry> unconfirmed(Row row) {
        return unconfirmed.getOrDefault(row, List.of());
    }

    void unconfirmed(Row row, List<Entry> entries) {
        unconfirmed = unconfirmed.isEmpty() ? new HashMap<>() : unconfirmed;
        unconfirmed.put(row, entries);
        changed(row);
    }

    /** The row is known, or written. */
    void confirmed(Row row) {
        if (unconfirmed.containsKey(row)) {
            unconfirmed = without(unconfirmed, row::equals);
            changed(row);
        }
    }

    private static <V> Map<Row, V> without(Map<Row, V> some, Predicate<Row> which) {
        if (some.isEmpty()) {
            return some;
        }
        some.keySet().removeIf(which);
        return some.isEmpty() ? Map.of() : some;
    }

    /** Drops rows that are neither desired nor held. */
    public void sweep() {
        if (rows.values().removeIf(this::isGone)) {
            counts.allChanged();
        }
        adjacencies.removeIf(this::isGone);
        offered.removeIf(this::isGone);
        unconfirmed = without(unconfirmed, this::isGone);
        heldBack = without(heldBack, this::isGone);
    }

    public void sweep(Row row) {
        if (isGone(row)) {
            confirmed(row);
            rows.remove(row.key, row);
            counts.removed(row);
            release(row);
            adjacencies.remove(row);
            offered.remove(row);
        }
    }

    /** A row has changed. */
    void changed(Row row) {
        counts.changed(row);
        if (Route.isKey(row.key)) {
            routeChanges++;
        }
    }

    int routeChanges() {
        return routeChanges;
    }

    /** The node was assigned to this controller, or to another one. */
    void handledBy(boolean here) {
        mine = here;
        routesKnown = false;
        routesAssumed = false;
        routeChanges++;
    }

    void wasRead() {
        routesKnown = true;
        routesAssumed = false;
        routeChanges++;
    }

    /** The former controller reported that the node has its planned routes. */
    void assumeRoutes() {
        for (Row row : rows.values()) {
            row.held = Route.isKey(row.key) ? row.wanted() : row.held;
        }
        routesAreKnown(true);
    }

    /** The former controller has reported other routes since. */
    void forgetAssumedRoutes() {
        if (routesAssumed) {
            for (Row row : rows.values()) {
                row.held = Route.isKey(row.key) ? null : row.held;
            }
            routesAreKnown(false);
        }
    }

    private void routesAreKnown(boolean assumed) {
        routesKnown = assumed;
        routesAssumed = assumed;
        routeChanges++;
        counts.allChanged();
    }

    /** True if its routes are unknown. A node that gets no entries has no routes to be read. */
    boolean isUnread() {
        return !routesKnown && !rows.isEmpty();
    }

    private boolean isGone(Row row) {
        return !row.claimed() && row.held == null && (known || !mine || !row.released());
    }

    public String name() {
        return name;
    }

    public boolean isMine() {
        return mine;
    }

    public boolean isKnown() {
        return known;
    }

    public Map<Entry.Key, Row> rows() {
        return rows;
    }

    /** Marks a row for the next update plan. */
    public void mark(Row row) {
        dirty.add(row);
    }

    /** True if the next update plan checks the row. */
    public boolean isPending(Row row) {
        return waiting.contains(row) || dirty.contains(row);
    }

    public boolean isReachable() {
        return reachable;
    }

    public @Nullable Instant adopted() {
        return adopted;
    }
}
