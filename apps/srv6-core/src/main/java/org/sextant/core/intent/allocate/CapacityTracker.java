// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.allocate;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.PreemptionKey;
import org.sextant.core.intent.Reserved;
import org.sextant.core.intent.SetupHoldPriority;
import org.sextant.core.intent.allocate.ReservationTable.Reservations;
import org.sextant.core.intent.install.IntentIndex;
import org.sextant.core.intent.install.TrackedIntent;

/**
 * Keeps the {@link ReservationTable} of compiled plans, and finds the intents that would get another answer than they were compiled with.
 *
 * <p>Compiled plans count, not written ones: ownership of rows is decided by age, and must not depend on capacity.
 */
public final class CapacityTracker {
    private final IntentIndex registry;
    private final ReservationTable ledger;

    /** The answers that each got when it was compiled: of which links so much was not left. */
    private final Map<IntentRef, Map<Long, Set<String>>> answered = new HashMap<>();

    /** Links whose answers may have changed. */
    private final Set<String> touched = new HashSet<>();

    private @Nullable ReservationTable shown;

    CapacityTracker(IntentIndex registry) {
        this.registry = registry;
        this.ledger = new ReservationTable(
                ref -> registry.find(ref).map(TrackedIntent::refersTo).orElse(Set.of()));
    }

    /** Answers the questions of one compilation, and records them. */
    public final class Inquiry {
        private final ToLongFunction<String> capacity;
        private final Map<Long, Set<String>> answers = new HashMap<>();

        private Inquiry(ToLongFunction<String> capacity) {
            this.capacity = capacity;
        }

        public Reserved before(PreemptionKey seat) {
            Reserved reserved = ledger.before(seat, capacity);
            return new Reserved() {
                @Override
                public Set<String> lacking(long kbps) {
                    return answers.computeIfAbsent(kbps, reserved::lacking);
                }

                @Override
                public List<Share> shares(String link) {
                    return reserved.shares(link);
                }

                @Override
                public long sum(String link) {
                    return reserved.sum(link);
                }
            };
        }
    }

    public Inquiry inquiry(CompileContext context) {
        return new Inquiry(context::capacity);
    }

    /** The intent, or its plan, has changed. */
    public void update(TrackedIntent intent) {
        Optional<SetupHoldPriority> standing =
                intent.kind().standing(intent.numbered().intent());
        if (standing.isEmpty()) {
            remove(intent);
            return;
        }
        Reservations now = new Reservations(
                new PreemptionKey(intent.ref(), intent.number(), standing.get(), intent.refersTo()),
                intent.compiled().feasible() ? intent.kind().reserves(intent.numbered(), intent.compiled()) : Map.of());
        exchange(intent.ref(), ledger.account(intent.ref()), Optional.of(now));
    }

    /** The answers that led to its present plan. */
    public void answered(TrackedIntent intent, Inquiry inquiry) {
        restore(intent, inquiry.answers);
    }

    /** For {@link #restore}. */
    public Map<Long, Set<String>> answered(TrackedIntent intent) {
        return answered.getOrDefault(intent.ref(), Map.of());
    }

    public void restore(TrackedIntent intent, Map<Long, Set<String>> answers) {
        if (answers.isEmpty()) {
            answered.remove(intent.ref());
        } else {
            answered.put(intent.ref(), Map.copyOf(answers));
        }
    }

    public void remove(TrackedIntent intent) {
        exchange(intent.ref(), ledger.account(intent.ref()), Optional.empty());
        answered.remove(intent.ref());
    }

    private void exchange(IntentRef ref, Optional<Reservations> before, Optional<Reservations> now) {
        if (now.equals(before)) {
            return;
        }
        shown = null;
        boolean seated = !before.map(Reservations::seat).equals(now.map(Reservations::seat));
        before.ifPresent(this::touch);
        now.ifPresent(this::touch);
        boolean reordered = seated
                && (before.filter(this::matters).isPresent()
                        || now.filter(this::matters).isPresent());
        now.ifPresentOrElse(ledger::put, () -> ledger.remove(ref));
        if (reordered) {
            touched.addAll(ledger.links());
        }
    }

    private void touch(Reservations account) {
        touched.addAll(account.shares().keySet());
    }

    /** True if the order of others may depend on this one. */
    private boolean matters(Reservations account) {
        return ledger.holdsWorseThan(account.seat().standing().setup())
                || !registry.referers(account.seat().ref()).isEmpty();
    }

    /**
     * Compiles the intents again that would get another answer now, the first in the order first: their result counts for
     * those behind them.
     *
     * @return true if there was one
     */
    public boolean settle(ToLongFunction<String> capacity, Consumer<TrackedIntent> again) {
        boolean any = false;
        if (!touched.isEmpty() && answered.keySet().stream().anyMatch(ref -> otherwise(ref, capacity))) {
            for (Reservations account : ledger.inOrder()) {
                IntentRef ref = account.seat().ref();
                Optional<TrackedIntent> intent = registry.find(ref);
                if (intent.isPresent() && otherwise(ref, capacity)) {
                    again.accept(intent.get());
                    any = true;
                }
            }
        }
        touched.clear();
        return any;
    }

    private boolean otherwise(IntentRef ref, ToLongFunction<String> capacity) {
        Optional<Reservations> account = ledger.account(ref);
        if (account.isEmpty()) {
            return false;
        }
        Reserved now = ledger.before(account.get().seat(), capacity);
        return answered.getOrDefault(ref, Map.of()).entrySet().stream()
                .anyMatch(answer -> touched.stream()
                        .anyMatch(link ->
                                answer.getValue().contains(link) != lacks(now, link, answer.getKey(), capacity)));
    }

    private boolean lacks(Reserved now, String link, long kbps, ToLongFunction<String> capacity) {
        long most = capacity.applyAsLong(link);
        return most > 0 && ledger.total(link) > most - kbps && now.sum(link) > most - kbps;
    }

    /** At most so many may have to be compiled again, one because of the other. */
    public int size() {
        return answered.size();
    }

    /** A copy of the present table for other threads. */
    public ReservationTable shown() {
        ReservationTable now = shown;
        if (now == null) {
            now = ledger.copy();
            shown = now;
        }
        return now;
    }
}
