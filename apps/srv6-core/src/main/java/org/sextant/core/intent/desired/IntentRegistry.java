// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.DerivedKind;
import org.sextant.core.intent.DesiredIntent;
import org.sextant.core.intent.Digest;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.install.IntentIndex;
import org.sextant.core.intent.install.TrackedIntent;

/** All intents by id and by identity, and the numbers in use. */
public final class IntentRegistry implements IntentIndex {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final int SHORT_ID_DIGITS = 8;

    /** A registered kind and its intents. */
    static final class Kind {
        final IntentKind<Object> kind;
        final SortedMap<String, TrackedIntent> byId = new TreeMap<>();
        private final Map<Digest, TrackedIntent> byIdentity = new HashMap<>();

        Kind(IntentKind<Object> kind) {
            this.kind = kind;
        }

        /** The intent that this one would replace; null if there is none. */
        @Nullable
        TrackedIntent same(Object intent) {
            return byIdentity.get(Digest.of(kind.identity(intent)));
        }

        void requireSubmitted() {
            if (kind instanceof DerivedKind) {
                throw new IllegalArgumentException("intents of kind " + kind.name() + " follow from the network");
            }
        }
    }

    /** The registered kinds; other threads may read them, too. */
    private final SortedMap<String, Kind> kinds = new ConcurrentSkipListMap<>();

    /** Stored intents that nothing can be done with yet: their kind is not registered, or they cannot be read. */
    private final SortedMap<String, String> dormant = new TreeMap<>();

    /** Numbers of intents, dormant ones included. */
    private final BitSet numbers = new BitSet();

    /** Numbers of which nodes may still have rows. */
    private final BitSet held = new BitSet();

    /** The number of {@linkplain #hold holds} of each number. */
    private final Map<Integer, Integer> holds = new HashMap<>();

    /** The intents that refer to an intent, which need not exist; read by any thread. */
    private final Map<IntentRef, Set<TrackedIntent>> referers = new ConcurrentHashMap<>();

    /** Two controllers may give one number; that is settled soon. */
    private final Map<Integer, List<TrackedIntent>> byNumber = new HashMap<>();

    public IntentRegistry() {
        numbers.set(0);
    }

    Kind add(IntentKind<?> kind) {
        if (kinds.containsKey(kind.name())) {
            throw new IllegalStateException("a kind named " + kind.name() + " is registered");
        }
        Kind added = new Kind(untyped(kind));
        kinds.put(kind.name(), added);
        return added;
    }

    /** The engine handles intents of all kinds alike; their type comes back at the engine's door. */
    @SuppressWarnings("unchecked")
    private static IntentKind<Object> untyped(IntentKind<?> kind) {
        return (IntentKind<Object>) kind;
    }

    void remove(Kind kind) {
        kinds.remove(kind.kind.name());
    }

    Optional<Kind> kind(String name) {
        return Optional.ofNullable(kinds.get(name));
    }

    Kind require(IntentKind<?> kind) {
        return kind(kind.name())
                .orElseThrow(() -> new IllegalStateException("the kind " + kind.name() + " is not registered"));
    }

    @Override
    public Optional<TrackedIntent> find(IntentRef ref) {
        return kind(ref.kind()).map(kind -> kind.byId.get(ref.id()));
    }

    Collection<Kind> kinds() {
        return kinds.values();
    }

    @Override
    public Optional<IntentKind<Object>> kindNamed(String name) {
        return kind(name).map(found -> found.kind);
    }

    @Override
    public List<TrackedIntent> all() {
        List<TrackedIntent> all = new ArrayList<>();
        kinds.values().forEach(kind -> all.addAll(kind.byId.values()));
        all.sort(null);
        return all;
    }

    SortedMap<String, String> dormant() {
        return dormant;
    }

    void put(Kind kind, TrackedIntent tracked) {
        kind.byId.put(tracked.ref().id(), tracked);
        refers(tracked);
        if (tracked.number() > 0) {
            kind.byIdentity.put(Digest.of(kind.kind.identity(tracked.numbered().intent())), tracked);
            take(tracked.number(), tracked);
        }
    }

    /** The intent is gone; its number stays taken until {@link #free}. */
    void remove(Kind kind, TrackedIntent tracked) {
        kind.byId.remove(tracked.ref().id(), tracked);
        refersNoMore(tracked);
        if (tracked.number() > 0) {
            kind.byIdentity.remove(
                    Digest.of(kind.kind.identity(tracked.numbered().intent())), tracked);
        }
    }

    /** The intent is another of the same identity, which may refer to others than before. */
    void intent(TrackedIntent tracked, DesiredIntent now) {
        refersNoMore(tracked);
        tracked.desired(now);
        refers(tracked);
    }

    private void refers(TrackedIntent tracked) {
        tracked.refersTo()
                .forEach(ref -> referers.computeIfAbsent(ref, none -> ConcurrentHashMap.newKeySet())
                        .add(tracked));
    }

    private void refersNoMore(TrackedIntent tracked) {
        for (IntentRef ref : tracked.refersTo()) {
            referers.computeIfPresent(ref, (to, those) -> {
                those.remove(tracked);
                return those.isEmpty() ? null : those;
            });
        }
    }

    /** Any thread may call it. */
    @Override
    public Set<TrackedIntent> referers(IntentRef ref) {
        return referers.getOrDefault(ref, Set.of());
    }

    /** True if any intent refers to one of this kind. */
    boolean isReferredTo(Kind kind) {
        return referers.keySet().stream().anyMatch(ref -> ref.kind().equals(kind.kind.name()));
    }

    /** Another intent with the same number. */
    Optional<TrackedIntent> rival(IntentRef ref, int number) {
        return byNumber.getOrDefault(number, List.of()).stream()
                .filter(other -> !other.ref().equals(ref))
                .findFirst();
    }

    /** One intent of each number that several intents have. */
    List<TrackedIntent> rivals() {
        return byNumber.values().stream()
                .filter(owners -> owners.size() > 1)
                .map(owners -> owners.get(0))
                .toList();
    }

    private void take(int number, TrackedIntent tracked) {
        numbers.set(number);
        List<TrackedIntent> owners = byNumber.computeIfAbsent(number, none -> new ArrayList<>(1));
        if (!owners.contains(tracked)) {
            owners.add(tracked);
        }
    }

    /** False if another has it, too. */
    private boolean leave(TrackedIntent tracked) {
        List<TrackedIntent> rest = byNumber.computeIfPresent(tracked.number(), (number, owners) -> {
            owners.remove(tracked);
            return owners.isEmpty() ? null : owners;
        });
        return rest == null;
    }

    /** Keeps a number away from new intents on behalf of a dormant one. */
    void reserve(int number) {
        numbers.set(number);
    }

    /** Takes {@link #reserve} back. */
    void unreserve(int number) {
        numbers.clear(number);
    }

    /** The intent goes dormant: its number stays taken, without it. */
    void abandon(TrackedIntent tracked) {
        refersNoMore(tracked);
        leave(tracked);
    }

    /** The intent has no number any more. */
    void free(TrackedIntent tracked) {
        if (tracked.number() > 0 && leave(tracked)) {
            numbers.clear(tracked.number());
        }
    }

    /** Keeps a number away from new intents although its intent is gone or has another. */
    void hold(int number) {
        held.set(number);
        holds.merge(number, 1, Integer::sum);
    }

    void letGo(int number) {
        if (holds.merge(number, -1, (count, less) -> count + less == 0 ? null : count + less) == null) {
            held.clear(number);
        }
    }

    /** The number behind all in use, so that later intents are younger; if there is none, the smallest free one. */
    int nextNumber() {
        int number = Math.max(numbers.length(), held.length());
        if (number > NumberedIntent.MAX_NUMBER) {
            BitSet taken = (BitSet) numbers.clone();
            taken.or(held);
            number = taken.nextClearBit(1);
            if (number > NumberedIntent.MAX_NUMBER) {
                throw new ProblemException(new Problem(
                        Problem.Code.UNFEASIBLE,
                        "",
                        "all " + NumberedIntent.MAX_NUMBER + " intents are in use",
                        "withdraw some first"));
            }
        }
        return number;
    }

    /** The id a new intent gets: the suggested one, or the first digits of its identity's hash that are free. */
    String newId(Kind kind, Object intent) {
        Optional<String> suggested = kind.kind.suggestedId(intent);
        if (suggested.isPresent()) {
            return check(kind, kind.kind.refersTo(intent), suggested.get());
        }
        String hash = HexFormat.of().formatHex(Digest.sha256(kind.kind.identity(intent)));
        int digits = SHORT_ID_DIGITS;
        while (kind.byId.containsKey(hash.substring(0, digits))) {
            digits++;
        }
        return hash.substring(0, digits);
    }

    /** The id that {@link #newId} returns for an intent, if it is an id that can be used. */
    String proposedId(Kind kind, Object intent) {
        return kind.kind.suggestedId(intent).orElseGet(() -> newId(kind, intent));
    }

    private static String check(Kind kind, Set<IntentRef> refersTo, String id) {
        String own = refersTo.stream()
                .map(ref -> ref.id() + "/")
                .filter(id::startsWith)
                .findFirst()
                .map(beginning -> id.substring(beginning.length()))
                .orElse(id);
        if (!ID.matcher(own).matches()) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID,
                    "/id",
                    "\"" + own + "\" is not an id",
                    "use letters, digits, dots, dashes and underscores, at most 63, a letter or digit first"));
        }
        if (kind.byId.containsKey(id)) {
            throw new ProblemException(new Problem(
                    Problem.Code.CONFLICT,
                    "/id",
                    "there is another " + kind.kind.name() + " with the id \"" + own + "\"",
                    "choose another id, or delete that " + kind.kind.name() + " first"));
        }
        return id;
    }
}
