// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.sextant.core.passage.Passage;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.table.Entry;

/**
 * An intent with all that the engine knows about it; touched by the engine's thread only. There may be a hundred thousand:
 * what most of them do not need is made when it is needed.
 */
final class TrackedIntent implements Comparable<TrackedIntent>, PassageOwner {

    /** Whose turn it is when many have to follow a change; nothing is decided by it ({@link #compareTo}). */
    static final Comparator<TrackedIntent> URGENT_FIRST =
            Comparator.comparingInt(TrackedIntent::priority).thenComparing(Comparator.naturalOrder());

    /** An entry in its row. */
    record Cell(Row row, Entry entry) {}

    /** Where the intent is on its way. */
    enum Phase {
        /** Nothing to do, or nothing that can be done now. */
        RESTING,
        /** Its target waits for the next round. */
        QUEUED,
        /** A round is writing it. */
        RUNNING,
        /** A round wrote part of it, the next takes that back. */
        UNDOING
    }

    final IntentKind<Object> kind;
    final IntentRef ref;
    Numbered<Object> intent;

    /** Of its text in the store, which nobody needs in memory; null if it is not stored. */
    @Nullable
    Digest stored;

    /** As it compiles, whoever else wants the same. */
    Plan compiled;

    /** As it is shown: what it compiles to, or why it may not have that. */
    Plan plan;

    /** The rows of {@link #compiled}. */
    List<Cell> wish = List.of();

    /** The numbers of pools that it has. */
    List<IdPools.Hold> holds = List.of();

    /** No intent before it stands against its rows. */
    boolean owns;

    List<Cell> target = List.of();
    List<Cell> active = List.of();

    /** Where the entries in {@link #active} lead packets. */
    List<Passage> travelled = List.of();

    Phase phase = Phase.RESTING;

    /** Withdrawn, or its kind is gone: it is not shown any more. */
    boolean removed;

    /** It was stored before this run, so rows that it wants may be its own already, though this run never wrote them. */
    boolean inherited;

    /** Its last attempt failed at these rows. */
    Map<Row, Failure> failures = Map.of();

    /** Nodes whose return is worth another attempt. */
    Set<String> waitingFor = Set.of();

    /** A node's controller has not said yet what became of it there. */
    boolean unheard;

    private List<CompletableFuture<Void>> hearers = List.of();
    private Map<String, String> digests = Map.of();
    private @Nullable List<Cell> digested;

    /** What readers see of it; null before the first time. */
    @Nullable
    IntentStatus<Object> published;

    IntentState state = IntentState.PENDING;
    Instant since;
    private List<CompletableFuture<Void>> waiters = List.of();

    /** Nobody sees it before it is compiled and judged, and its plans and its time are set. */
    @SuppressWarnings("NullAway.Init")
    TrackedIntent(IntentKind<Object> kind, Numbered<Object> intent, @Nullable Digest stored) {
        this.kind = kind;
        this.ref = new IntentRef(kind.name(), intent.id());
        this.intent = intent;
        this.stored = stored;
    }

    void waitFor(String node) {
        if (waitingFor.isEmpty()) {
            waitingFor = new HashSet<>();
        }
        waitingFor.add(node);
    }

    void waitForNobody() {
        waitingFor = Set.of();
    }

    int number() {
        return intent.number();
    }

    /**
     * Who came first keeps what two want. Numbers are stored and go up, so all controllers agree, also after a restart;
     * derived intents have number 0 and come before all others.
     */
    @Override
    public int compareTo(TrackedIntent other) {
        int order = Integer.compare(number(), other.number());
        return order != 0 ? order : ref.compareTo(other.ref);
    }

    @Override
    public String called() {
        return kind.name() + " \"" + ref.id() + "\"";
    }

    /** Of the intent as it is here ({@link Precondition#tag}). */
    String tag() {
        return Precondition.tag(kind.encode(intent.intent()));
    }

    private int priority() {
        return kind.priority(intent.intent());
    }

    /** Those without which it means nothing. */
    Set<IntentRef> refersTo() {
        return kind.refersTo(intent.intent());
    }

    /** Whether everything its plan wants is what the nodes are to hold. */
    boolean current() {
        return target == active;
    }

    /** Completes when the intent rests. */
    CompletableFuture<Void> rest() {
        if (phase == Phase.RESTING) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> waiter = new CompletableFuture<>();
        waiters = with(waiters, waiter);
        return waiter;
    }

    /** Those who wait for it to rest; they are handed over once. */
    List<CompletableFuture<Void>> takeWaiters() {
        List<CompletableFuture<Void>> taken = waiters;
        waiters = List.of();
        return taken;
    }

    private static <T> List<T> with(List<T> list, T added) {
        List<T> longer = new ArrayList<>(list);
        longer.add(added);
        return List.copyOf(longer);
    }

    /** Completes when every node's controller has said what became of it. */
    CompletableFuture<Void> heard() {
        CompletableFuture<Void> hearer = new CompletableFuture<>();
        if (unheard) {
            hearers = with(hearers, hearer);
        } else {
            hearer.complete(null);
        }
        return hearer;
    }

    void endHearing() {
        List<CompletableFuture<Void>> ending = hearers;
        hearers = List.of();
        ending.forEach(hearer -> hearer.complete(null));
    }

    /** Of what it wants at a node. */
    String digest(NodeTable node) {
        if (digested != target) {
            digested = target;
            digests = new HashMap<>();
        }
        return digests.computeIfAbsent(
                node.name,
                n -> Reports.digest(
                        target.stream().filter(cell -> cell.row().node == node).toList()));
    }

    @Override
    public String toString() {
        return ref.toString();
    }
}
