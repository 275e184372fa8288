// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.DesiredIntent;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Precondition;
import org.sextant.core.passage.Passage;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.table.Entry;

/**
 * An intent as the installation tracks it, and its identity in all packages. A hundred thousand may exist: fields that
 * most of them do not need are created on demand.
 */
public final class TrackedIntent implements Comparable<TrackedIntent>, PassageOwner {

    /** The order in which many follow a change; conflicts are decided by {@link #compareTo}. */
    public static final Comparator<TrackedIntent> URGENT_FIRST =
            Comparator.comparingInt(TrackedIntent::priority).thenComparing(Comparator.naturalOrder());

    /** An entry in its row. */
    public record Cell(Row row, Entry entry) {}

    /** The progress of the intent's installation. */
    enum Phase {
        /** Nothing to do, or nothing that can be done now. */
        RESTING,
        /** The admitted entries wait for the next update plan. */
        QUEUED,
        /** A round is writing it. */
        RUNNING,
        /** A round wrote part of it, the next takes that back. */
        UNDOING
    }

    final IntentKind<Object> kind;
    final IntentRef ref;
    private DesiredIntent desired;

    List<Cell> admitted = List.of();
    List<Cell> applied = List.of();

    /** The passages of the entries in {@link #applied}. */
    List<Passage> travelled = List.of();

    Phase phase = Phase.RESTING;

    /** Withdrawn, or its kind is gone: it is not shown any more. */
    boolean removed;

    /** It was stored before this run, so its desired rows may be its own already, though this run never wrote them. */
    boolean inherited;

    /** Its last attempt failed at these rows. */
    Map<Row, Failure> failures = Map.of();

    /** Nodes whose return is worth another attempt. */
    Set<String> waitingFor = Set.of();

    /** Nodes whose reports its next stage waits for ({@link UpdateStages}). */
    Set<String> awaited = Set.of();

    /** The admitted entries about which this controller has last reported; null before. */
    @Nullable
    List<Cell> reported;

    private List<CompletableFuture<Void>> waiters = List.of();

    public TrackedIntent(IntentKind<Object> kind, DesiredIntent desired) {
        this.kind = kind;
        this.ref = new IntentRef(kind.name(), desired.intent().id());
        this.desired = desired;
    }

    public DesiredIntent desired() {
        return desired;
    }

    /** Sets the desired intent; the entries of nodes follow when it is enqueued. */
    public void desired(DesiredIntent next) {
        desired = next;
    }

    public NumberedIntent<Object> numbered() {
        return desired.intent();
    }

    /** Another intent in place of this one: with its id, its number and its allocations. */
    public NumberedIntent<Object> numbered(Object other) {
        return new NumberedIntent<>(ref.id(), number(), other, numbered().grants());
    }

    /** The intent that results if {@code submitted} replaces this one ({@link IntentKind#following}). */
    @SuppressWarnings("unchecked") // an intent that follows another of a kind is one of that kind
    public <I> I following(I submitted) {
        return (I) kind.following(numbered().intent(), submitted);
    }

    public Plan compiled() {
        return desired.compiled();
    }

    public Plan plan() {
        return desired.plan();
    }

    public boolean isStored() {
        return desired.stored() != null;
    }

    /** The intent is withdrawn: it is not shown, and releases its entries. */
    public void withdraw() {
        removed = true;
    }

    /** It was stored before this run, so that nodes may have entries of it. */
    public void inherit() {
        inherited = true;
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

    public int number() {
        return desired.intent().number();
    }

    /**
     * The older of two intents keeps a row that both claim. Numbers are stored and go up, so all controllers agree,
     * also after a restart; derived intents have number 0 and come before all others.
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

    /** The entity tag of the intent in this controller ({@link Precondition#tag}). */
    public String tag() {
        return Precondition.tag(kind.encode(numbered().intent()));
    }

    private int priority() {
        return kind.priority(numbered().intent());
    }

    /** The intents that it refers to ({@link IntentKind#refersTo}). */
    public Set<IntentRef> refersTo() {
        return kind.refersTo(numbered().intent());
    }

    /** True if the admitted entries are the applied ones. */
    public boolean isCurrent() {
        return admitted == applied;
    }

    /** Completes when the intent rests. */
    public CompletableFuture<Void> rest() {
        if (phase == Phase.RESTING) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> waiter = new CompletableFuture<>();
        waiters = with(waiters, waiter);
        return waiter;
    }

    /** Futures that wait for it to rest; they are handed over once. */
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

    @Override
    public String toString() {
        return ref.toString();
    }

    public Set<String> waitingFor() {
        return waitingFor;
    }

    /** Nodes whose reports its next entries wait for: of other controllers, or own ones whose report is not stored yet. */
    public Set<String> awaited() {
        return awaited;
    }

    public Map<Row, Failure> failures() {
        return failures;
    }

    public IntentRef ref() {
        return ref;
    }

    public List<Cell> admitted() {
        return admitted;
    }

    public boolean inherited() {
        return inherited;
    }

    public IntentKind<Object> kind() {
        return kind;
    }

    public List<Cell> applied() {
        return applied;
    }

    /** True if nothing of it is queued or being written. */
    public boolean isResting() {
        return phase == Phase.RESTING;
    }

    public boolean isRemoved() {
        return removed;
    }

    public List<Passage> travelled() {
        return travelled;
    }
}
