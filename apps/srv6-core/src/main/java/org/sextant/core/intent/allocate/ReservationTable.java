// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.allocate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.PreemptionKey;
import org.sextant.core.intent.Reservation;
import org.sextant.core.intent.Reserved;
import org.sextant.core.intent.SetupHoldPriority;

/**
 * The capacity that intents have reserved of links, and their order of precedence. Not for several threads; {@link #copy} is for others.
 *
 * <p>The order is a function of the preemption keys alone, so that controllers that share a store agree, in whatever
 * order they received them. The older stand first, but one that a younger one may preempt ({@link SetupHoldPriority}) stands
 * behind the youngest such, as it would have to search anew when that came; several behind the same one by their hold
 * priorities, then by age. Where the two priorities of every intent are equal, that is the order of priorities and,
 * among equals, of age. An intent that refers to others stands behind these in any case. So the capacity of an intent
 * follows from the reservations before it, and there is no cycle.
 */
public final class ReservationTable {

    /** @param shares by link id, in kbit/s */
    public record Reservations(PreemptionKey seat, Map<String, Long> shares) {
        public Reservations {
            shares = Map.copyOf(shares);
        }
    }

    private final Map<IntentRef, Reservations> accounts = new HashMap<>();
    private final Map<String, SortedMap<IntentRef, Long>> byLink = new HashMap<>();
    private final Map<String, Long> totals = new HashMap<>();

    /** The numbers of intents by setup priority. */
    private final List<TreeMap<Integer, Integer>> numbers = new ArrayList<>();

    /** The number of intents by hold priority. */
    private final NavigableMap<Integer, Integer> holds = new TreeMap<>();

    /** The references of intents, those without reservations among them. */
    private final Function<IntentRef, Set<IntentRef>> references;

    public ReservationTable(Function<IntentRef, Set<IntentRef>> references) {
        this.references = references;
        for (int setup = 0; setup <= SetupHoldPriority.LOWEST; setup++) {
            numbers.add(new TreeMap<>());
        }
    }

    /** A copy of the present table for other threads to read. */
    ReservationTable copy() {
        Map<IntentRef, Set<IntentRef>> known = new HashMap<>();
        List<IntentRef> open = new ArrayList<>(accounts.keySet());
        while (!open.isEmpty()) {
            IntentRef ref = open.remove(open.size() - 1);
            if (!known.containsKey(ref)) {
                known.put(ref, references.apply(ref));
                open.addAll(references.apply(ref));
            }
        }
        ReservationTable copy = new ReservationTable(ref -> known.getOrDefault(ref, Set.of()));
        accounts.values().forEach(copy::put);
        return copy;
    }

    boolean isEmpty() {
        return accounts.isEmpty();
    }

    Optional<Reservations> account(IntentRef ref) {
        return Optional.ofNullable(accounts.get(ref));
    }

    /** All intents with reservations, in their order of precedence. */
    public List<Reservations> inOrder() {
        Order order = new Order(null);
        List<Reservations> all = new ArrayList<>(accounts.values());
        all.sort(Comparator.comparing(account -> order.rank(account.seat())));
        return all;
    }

    public void put(Reservations account) {
        remove(account.seat().ref());
        accounts.put(account.seat().ref(), account);
        numbers.get(account.seat().standing().setup()).merge(account.seat().number(), 1, Integer::sum);
        holds.merge(account.seat().standing().hold(), 1, Integer::sum);
        account.shares().forEach((link, kbps) -> {
            byLink.computeIfAbsent(link, none -> new TreeMap<>())
                    .put(account.seat().ref(), kbps);
            totals.merge(link, kbps, Long::sum);
        });
    }

    void remove(IntentRef ref) {
        Reservations gone = accounts.remove(ref);
        if (gone == null) {
            return;
        }
        numbers.get(gone.seat().standing().setup())
                .computeIfPresent(gone.seat().number(), (number, many) -> many == 1 ? null : many - 1);
        holds.merge(gone.seat().standing().hold(), -1, Integer::sum);
        gone.shares().forEach((link, kbps) -> {
            byLink.computeIfPresent(link, (id, those) -> {
                those.remove(ref);
                return those.isEmpty() ? null : those;
            });
            totals.computeIfPresent(link, (id, sum) -> sum.equals(kbps) ? null : sum - kbps);
        });
    }

    /** True if the hold priority of any intent is a larger number. */
    boolean holdsWorseThan(int setup) {
        return holds.tailMap(setup, false).values().stream().anyMatch(many -> many > 0);
    }

    /** All reservations, by links, in their order of precedence. */
    public List<Reservation> all() {
        Order order = new Order(null);
        return new TreeMap<>(byLink)
                .entrySet().stream()
                        .flatMap(link -> link.getValue().keySet().stream()
                                .map(accounts::get)
                                .sorted(Comparator.comparing(account -> order.rank(account.seat())))
                                .map(account -> new Reservation(
                                        link.getKey(),
                                        account.seat().ref(),
                                        account.seat().standing(),
                                        account.shares().getOrDefault(link.getKey(), 0L))))
                        .toList();
    }

    /** All links with reservations. */
    Set<String> links() {
        return byLink.keySet();
    }

    /** The sum of all reservations of a link. */
    long total(String link) {
        return totals.getOrDefault(link, 0L);
    }

    /**
     * The reservations of intents that precede a preemption key, whichever intent has that now.
     *
     * @param capacity of a link, in kbit/s; 0 if unknown
     */
    public Reserved before(PreemptionKey seat, ToLongFunction<String> capacity) {
        return accounts.isEmpty() ? Reserved.NOTHING : new Before(seat, capacity);
    }

    private static boolean preempts(PreemptionKey one, PreemptionKey other) {
        return one.number() > other.number()
                && one.standing().setup() < other.standing().hold();
    }

    private final class Before implements Reserved {
        private final PreemptionKey seat;
        private final Order order;
        private final ToLongFunction<String> capacity;

        Before(PreemptionKey seat, ToLongFunction<String> capacity) {
            this.seat = seat;
            this.order = new Order(seat);
            this.capacity = capacity;
        }

        @Override
        public Set<String> lacking(long kbps) {
            Set<String> lacking = new HashSet<>();
            for (String link : byLink.keySet()) {
                if (lacks(link, kbps)) {
                    lacking.add(link);
                }
            }
            return Collections.unmodifiableSet(lacking);
        }

        /** Most links have capacity for all, whatever their order. */
        private boolean lacks(String link, long kbps) {
            long most = capacity.applyAsLong(link);
            return most > 0 && total(link) > most - kbps && sum(link) > most - kbps;
        }

        @Override
        public long sum(String link) {
            Rank own = order.rank(seat);
            long sum = 0;
            for (Map.Entry<IntentRef, Long> share :
                    byLink.getOrDefault(link, Collections.emptySortedMap()).entrySet()) {
                sum += isBefore(share.getKey(), own) ? share.getValue() : 0;
            }
            return sum;
        }

        @Override
        public List<Share> shares(String link) {
            Rank own = order.rank(seat);
            return byLink.getOrDefault(link, Collections.emptySortedMap()).keySet().stream()
                    .filter(ref -> isBefore(ref, own))
                    .map(accounts::get)
                    .sorted(Comparator.comparing(account -> order.rank(account.seat())))
                    .map(account -> new Share(
                            account.seat().ref(),
                            account.shares().getOrDefault(link, 0L),
                            preempts(account.seat(), seat)))
                    .toList();
        }

        private boolean isBefore(IntentRef ref, Rank own) {
            Reservations account = accounts.get(ref);
            return account != null
                    && !ref.equals(seat.ref())
                    && order.rank(account.seat()).compareTo(own) < 0;
        }
    }

    /**
     * The place of an intent in the order.
     *
     * @param since the number of the youngest that may preempt it, or its own
     * @param moved true if that is another's
     */
    private record Turn(int since, boolean moved, int hold, int number, IntentRef ref) implements Comparable<Turn> {
        private static final Comparator<Turn> ORDER = Comparator.comparingInt(Turn::since)
                .thenComparing(Turn::moved)
                .thenComparingInt(turn -> turn.moved() ? turn.hold() : 0)
                .thenComparingInt(Turn::number)
                .thenComparing(Turn::ref);

        @Override
        public int compareTo(Turn other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * A place in the order.
     *
     * @param top the last turn of all intents that it refers to, itself included
     * @param depth how many references away that is
     */
    private record Rank(Turn top, int depth, Turn own) implements Comparable<Rank> {
        private static final Comparator<Rank> ORDER =
                Comparator.comparing(Rank::top).thenComparingInt(Rank::depth).thenComparing(Rank::own);

        @Override
        public int compareTo(Rank other) {
            return ORDER.compare(this, other);
        }
    }

    /** Computes ranks on demand. */
    private final class Order {
        private final @Nullable PreemptionKey asked;
        private final int[] youngest = new int[SetupHoldPriority.LOWEST + 1];
        private final Map<IntentRef, Rank> ranks = new HashMap<>();

        /** @param asked in place of the one that its intent has, if any */
        Order(@Nullable PreemptionKey asked) {
            this.asked = asked;
            Reservations now = asked == null ? null : accounts.get(asked.ref());
            for (int setup = 0; setup <= SetupHoldPriority.LOWEST; setup++) {
                youngest[setup] = youngest(setup, now);
            }
            if (asked != null) {
                int setup = asked.standing().setup();
                youngest[setup] = Math.max(youngest[setup], asked.number());
            }
        }

        private int youngest(int setup, @Nullable Reservations without) {
            Map.Entry<Integer, Integer> last = numbers.get(setup).lastEntry();
            boolean alone = last != null
                    && without != null
                    && without.seat().standing().setup() == setup
                    && last.getKey() == without.seat().number()
                    && last.getValue() == 1;
            if (alone) {
                last = numbers.get(setup).lowerEntry(last.getKey());
            }
            return last == null ? 0 : last.getKey();
        }

        private Turn turn(PreemptionKey seat) {
            int since = seat.number();
            for (int setup = 0; setup < seat.standing().hold(); setup++) {
                since = Math.max(since, youngest[setup]);
            }
            return new Turn(since, since > seat.number(), seat.standing().hold(), seat.number(), seat.ref());
        }

        Rank rank(PreemptionKey seat) {
            Rank known = ranks.get(seat.ref());
            if (known == null) {
                Turn own = turn(seat);
                ranks.put(
                        seat.ref(), new Rank(own, 0, own)); // intents that refer to each other in a cycle have nothing
                known = last(seat.refersTo(), new HashSet<>(Set.of(seat.ref())))
                        .filter(rank -> rank.top().compareTo(own) > 0)
                        .map(rank -> new Rank(rank.top(), rank.depth() + 1, own))
                        .orElse(new Rank(own, 0, own));
                ranks.put(seat.ref(), known);
            }
            return known;
        }

        /** The last of the intents that are referred to, also through others that reserve no capacity. */
        private Optional<Rank> last(Set<IntentRef> refs, Set<IntentRef> seen) {
            Optional<Rank> last = Optional.empty();
            for (IntentRef ref : refs) {
                if (seen.add(ref)) {
                    Optional<Rank> next = of(ref, seen);
                    last = last.filter(rank -> next.filter(other -> other.compareTo(rank) > 0)
                                    .isEmpty())
                            .or(() -> next);
                }
            }
            return last;
        }

        private Optional<Rank> of(IntentRef ref, Set<IntentRef> seen) {
            if (asked != null && ref.equals(asked.ref())) {
                return Optional.of(rank(asked));
            }
            Reservations account = accounts.get(ref);
            return account != null ? Optional.of(rank(account.seat())) : last(references.apply(ref), seen);
        }
    }
}
