// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.allocate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.Allocation;
import org.sextant.core.intent.AllocationRequest;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Pool;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.loop.Commits;
import org.sextant.core.port.Store;

/**
 * Allocates the numbers of pools.
 *
 * <p>The numbers of intents are stored with them, and given-up ones with the orphaned entries, so all controllers
 * agree. Where two intents have the same number, as when two controllers allocated it at the same moment or a host
 * moved, the older keeps it ({@link TrackedIntent#compareTo}); the package of desired intents allocates another one to
 * the younger.
 *
 * <p>Numbers are allocated in turn: the number that was freed last is allocated last. The next one of each pool is
 * stored, too, as a switch may keep state of a number longer than any controller does.
 */
public final class IdPools {
    public static final String MAP = "pools";
    private static final NavigableMap<Long, List<Hold>> EMPTY = new TreeMap<>();

    /** Numbers that an intent has, or may have. */
    public record Hold(Owner owner, String pool, long first, int many, Set<String> nodes) {
        long end() {
            return first + many;
        }

        /** At no certain nodes: anywhere. */
        boolean meets(Set<String> others) {
            return nodes.isEmpty() || others.isEmpty() || nodes.stream().anyMatch(others::contains);
        }
    }

    /**
     * @param live null for a holder that stands in the store alone: an intent that cannot be compiled now, or orphaned
     *     entries
     * @param sure true if the use of the numbers is known; if not, they are only not given to others
     */
    public record Owner(IntentRef ref, int number, @Nullable TrackedIntent live, boolean sure)
            implements Comparable<Owner> {
        @Override
        public int compareTo(Owner other) {
            int order = Integer.compare(number, other.number);
            return order != 0 ? order : ref.compareTo(other.ref);
        }
    }

    private final Commits commits;
    private final Map<String, NavigableMap<Long, List<Hold>>> byPool = new HashMap<>();

    /** The longest run of numbers of any holder, by pool. */
    private final Map<String, Integer> widest = new HashMap<>();

    private final Map<TrackedIntent, List<Hold>> held = new HashMap<>();
    private final Map<String, List<Hold>> stored = new HashMap<>();
    private final Map<String, Long> turns = new TreeMap<>();
    private final Set<String> unstored = new TreeSet<>();
    private final Set<TrackedIntent> displaced = new LinkedHashSet<>();
    private boolean released;

    IdPools(Commits commits) {
        this.commits = commits;
        commits.follow(MAP, this::turn);
    }

    // Allocations

    /**
     * An intent has these numbers.
     *
     * @param claims the uses of the numbers; a number without one keeps its known use, or has none
     */
    public void has(TrackedIntent intent, List<Allocation> grants, List<AllocationRequest> claims) {
        if (grants.isEmpty() && !held.containsKey(intent)) {
            return;
        }
        List<Hold> holds = new ArrayList<>(grants.size());
        grants.forEach(grant -> holds.add(hold(intent, grant, claims)));
        restore(intent, holds);
    }

    private Hold hold(TrackedIntent intent, Allocation grant, List<AllocationRequest> claims) {
        Optional<Set<String>> nodes = claims.stream()
                .filter(grant::answers)
                .map(AllocationRequest::nodes)
                .findFirst();
        Optional<Set<String>> before = holds(intent).stream()
                .filter(hold ->
                        hold.owner().sure() && hold.pool().equals(grant.pool()) && hold.first() == grant.number())
                .map(Hold::nodes)
                .findFirst();
        boolean sure = nodes.isPresent() || before.isPresent();
        Owner owner = new Owner(intent.ref(), intent.number(), intent, sure);
        return new Hold(
                owner,
                grant.pool(),
                grant.number(),
                grant.many(),
                nodes.or(() -> before).orElse(Set.of()));
    }

    /** The numbers that an intent has. */
    public List<Hold> holds(TrackedIntent intent) {
        return held.getOrDefault(intent, List.of());
    }

    /** Restores earlier numbers of an intent. */
    public void restore(TrackedIntent intent, List<Hold> holds) {
        List<Hold> before = holds(intent);
        if (holds.equals(before)) {
            return;
        }
        before.forEach(this::remove);
        if (holds.isEmpty()) {
            held.remove(intent);
        } else {
            held.put(intent, holds);
        }
        holds.forEach(this::add);
        holds.forEach(this::displace);
    }

    /** Younger intents with any of these numbers must yield. */
    private void displace(Hold hold) {
        overlapping(hold.pool(), hold.first(), hold.many())
                .filter(other -> loses(other, hold))
                .forEach(other -> displaced.add(other.owner().live()));
    }

    private static boolean loses(Hold one, Hold older) {
        return one.owner().live() != null
                && one.owner().sure()
                && older.owner().sure()
                && !one.owner().ref().equals(older.owner().ref())
                && one.owner().compareTo(older.owner()) > 0
                && one.meets(older.nodes());
    }

    /** An intent has none any more. */
    public void leaves(TrackedIntent intent) {
        restore(intent, List.of());
    }

    /**
     * Keeps numbers from others that no compiled intent has: those of a stored intent that cannot be compiled now, and those that
     * nodes may still use.
     *
     * @param key names them, for {@link #unreserve}; another list under the same key replaces this one
     */
    public void reserve(String key, List<Hold> holds) {
        keep(key, holds);
    }

    public void unreserve(String key) {
        keep(key, List.of());
    }

    private void keep(String key, List<Hold> holds) {
        List<Hold> before = holds.isEmpty() ? stored.remove(key) : stored.put(key, holds);
        if (before != null) {
            before.forEach(this::remove);
        }
        holds.forEach(this::add);
        holds.forEach(this::displace);
    }

    private void add(Hold hold) {
        byPool.computeIfAbsent(hold.pool(), name -> new TreeMap<>())
                .computeIfAbsent(hold.first(), first -> new ArrayList<>(1))
                .add(hold);
        widest.merge(hold.pool(), hold.many(), Math::max);
    }

    private void remove(Hold hold) {
        byPool.getOrDefault(hold.pool(), new TreeMap<>()).computeIfPresent(hold.first(), (first, holds) -> {
            holds.remove(hold);
            return holds.isEmpty() ? null : holds;
        });
        released = true;
    }

    /** True if a number came free since the last call, so that waiting intents may get one now. */
    public boolean takeReleased() {
        boolean was = released;
        released = false;
        return was;
    }

    /** Intents that lost a number to an older one since the last call. */
    public Set<TrackedIntent> takeDisplaced() {
        Set<TrackedIntent> taken = Set.copyOf(displaced);
        displaced.clear();
        return taken;
    }

    private Stream<Hold> overlapping(String pool, long first, int many) {
        NavigableMap<Long, List<Hold>> holds = byPool.getOrDefault(pool, EMPTY);
        long from = first - widest.getOrDefault(pool, 1) + 1;
        return holds.subMap(from, true, first + many, false).values().stream()
                .flatMap(List::stream)
                .filter(hold -> hold.end() > first);
    }

    // Requests

    /**
     * True if an intent must not have a number because of others.
     *
     * @param onlyBefore ignores younger ones, which would have to yield
     */
    boolean taken(TrackedIntent intent, AllocationRequest claim, long number, boolean onlyBefore) {
        return others(intent, claim, number, onlyBefore).anyMatch(Owner::sure);
    }

    /** Another intent that has a number, or may have it, and does not yield. */
    Optional<IntentRef> holder(TrackedIntent intent, AllocationRequest claim, long number, boolean onlyBefore) {
        return others(intent, claim, number, onlyBefore).min(Owner::compareTo).map(Owner::ref);
    }

    private Stream<Owner> others(TrackedIntent intent, AllocationRequest claim, long number, boolean onlyBefore) {
        Owner self = new Owner(intent.ref(), intent.number(), intent, true);
        return overlapping(claim.pool().name(), number, claim.many())
                .filter(hold -> hold.meets(claim.nodes()))
                .map(Hold::owner)
                .filter(owner -> owner.compareTo(self) != 0) // an intent of the same name that is gone is another
                .filter(owner -> !(onlyBefore && owner.compareTo(self) > 0));
    }

    /**
     * The next number in turn that no intent has; when there is none, one that no intent has at the nodes of the request.
     *
     * @param apart true for numbers that may not be given either
     */
    OptionalLong free(AllocationRequest claim, OptionalLong turn, Predicate<Allocation> apart) {
        long from = turn.orElseGet(() -> turn(claim.pool()));
        OptionalLong unused = free(claim, from, hold -> true, apart);
        return unused.isPresent() ? unused : free(claim, from, hold -> hold.meets(claim.nodes()), apart);
    }

    private OptionalLong free(AllocationRequest claim, long from, Predicate<Hold> blocks, Predicate<Allocation> apart) {
        OptionalLong found = free(claim, from, claim.pool().last(), blocks, apart);
        long end = Math.min(from + claim.many() - 2, claim.pool().last());
        return found.isPresent() ? found : free(claim, claim.pool().firstShared(), end, blocks, apart);
    }

    private OptionalLong free(
            AllocationRequest claim, long from, long last, Predicate<Hold> blocks, Predicate<Allocation> apart) {
        long number = from;
        while (number + claim.many() - 1 <= last) {
            OptionalLong behind = overlapping(claim.pool().name(), number, claim.many())
                    .filter(blocks)
                    .mapToLong(Hold::end)
                    .max();
            if (behind.isPresent()) {
                number = behind.getAsLong();
            } else if (apart.test(new Allocation(claim.pool().name(), claim.use(), number, claim.many()))) {
                number++;
            } else {
                return OptionalLong.of(number);
            }
        }
        return OptionalLong.empty();
    }

    // Turns

    /** The next number of a pool; a pool without a stored turn begins behind all numbers in use. */
    private long turn(Pool pool) {
        Long next = turns.get(pool.name());
        if (next == null) {
            next = byPool.getOrDefault(pool.name(), EMPTY).values().stream()
                    .flatMap(List::stream)
                    .mapToLong(Hold::end)
                    .max()
                    .orElse(pool.firstShared());
        }
        return next < pool.firstShared() || next > pool.last() ? pool.firstShared() : next;
    }

    /** Sets the next numbers of pools, to be stored. */
    public void given(Map<String, Long> next) {
        next.forEach((pool, number) -> {
            if (!Objects.equals(turns.put(pool, number), number)) {
                unstored.add(pool);
            }
        });
    }

    /** Belong into one commit with the intents to which numbers were given. */
    public List<Store.Write> writes() {
        return unstored.stream()
                .map(pool -> Store.Write.put(MAP, pool, String.valueOf(turns.get(pool))))
                .toList();
    }

    /** The store has {@link #writes}. */
    public void stored() {
        unstored.clear();
    }

    /** When called, restores the present turns. */
    public Runnable back() {
        Map<String, Long> before = Map.copyOf(turns);
        Set<String> pending = Set.copyOf(unstored);
        return () -> {
            turns.clear();
            turns.putAll(before);
            unstored.clear();
            unstored.addAll(pending);
        };
    }

    public void load() {
        commits.load(MAP).forEach((pool, text) -> turn(pool, Optional.of(text)));
    }

    public void storeChanged(Store.Change change) {
        turn(change.key(), change.value());
    }

    /** A value that another version wrote is ignored. */
    private void turn(String pool, Optional<String> text) {
        text.filter(number -> number.matches("\\d{1,18}")).ifPresent(number -> turns.put(pool, Long.parseLong(number)));
    }
}
