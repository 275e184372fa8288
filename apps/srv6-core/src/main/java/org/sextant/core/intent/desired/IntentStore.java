// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.sextant.core.Reason;
import org.sextant.core.intent.Allocation;
import org.sextant.core.intent.DesiredIntent;
import org.sextant.core.intent.Digest;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.allocate.IdPools;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.intent.status.Views;
import org.sextant.core.loop.Commits;
import org.sextant.core.loop.StoreWatch;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;

/**
 * Keeps tracked and stored intents equal: loads stored intents when their kind is registered, and follows the changes
 * of other controllers.
 */
public final class IntentStore {

    /** The coordination key of the controller that resolves duplicate numbers of two controllers. */
    public static final String NUMBERING = Coordination.OF_NO_NODE;

    private final IntentRegistry registry;
    private final Compiler compiler;
    private final IdPools pools;
    private final Deletion deletion;
    private final Views views;
    private final EngineRuntime runtime;
    private final Commits commits;
    private final Coordination coordination;
    private final StoreWatch following;

    /** Kinds that were here: their rows are on the nodes. */
    private final Set<String> departed = new HashSet<>();

    IntentStore(DesiredRooms rooms, IntentRegistry registry, Compiler compiler, Deletion deletion) {
        this.registry = registry;
        this.compiler = compiler;
        this.pools = rooms.allocations().pools();
        this.deletion = deletion;
        this.views = rooms.views();
        this.runtime = rooms.runtime();
        this.commits = runtime.commits();
        this.coordination = runtime.coordination();
        this.following = commits.follow(StoredIntent.MAP, this::follow);
    }

    void load() {
        commits.load(StoredIntent.MAP).forEach(this::sleep);
        registry.kinds().forEach(this::wake);
    }

    IntentRegistry.Kind register(IntentKind<?> kind) {
        IntentRegistry.Kind added = registry.add(kind);
        departed.remove(kind.name());
        wake(added);
        return added;
    }

    void unregister(IntentRegistry.Kind kind) {
        registry.remove(kind);
        departed.add(kind.kind.name());
        for (TrackedIntent intent : kind.byId.values()) {
            views.remove(intent);
            registry.abandon(intent);
            compiler.abandon(intent);
            if (intent.isStored()) {
                sleep(intent.ref().toString(), StoredIntent.encode(intent));
            }
        }
        compiler.settle();
    }

    /** Intents that are not compiled may own rows on the nodes: stored ones, or those of a kind that left. */
    boolean dormant() {
        return !registry.dormant().isEmpty() || !departed.isEmpty();
    }

    private void sleep(String key, String json) {
        registry.dormant().put(key, json);
        try {
            StoredIntent stored = StoredIntent.parse(key, json);
            registry.reserve(stored.number());
            pools.reserve(key, stored.holds());
        } catch (IllegalArgumentException e) {
            runtime.emit(new EngineEvent.StoredIntentUnreadable(key, Reason.of(e)));
        }
    }

    private void wake(IntentRegistry.Kind kind) {
        SortedMap<String, String> dormant = registry.dormant();
        List<TrackedIntent> woken = new ArrayList<>();
        for (Map.Entry<String, String> stored : List.copyOf(dormant.entrySet())) {
            if (StoredIntent.kindOf(stored.getKey()).equals(kind.kind.name())) {
                decode(kind, stored.getKey(), stored.getValue()).ifPresent(intent -> {
                    dormant.remove(stored.getKey());
                    pools.unreserve(stored.getKey());
                    pools.has(intent, intent.numbered().grants(), List.of());
                    woken.add(intent);
                });
            }
        }
        woken.sort(null);
        woken.forEach(intent -> {
            intent.inherit();
            settleNumber(intent.ref(), intent.number());
            registry.put(kind, intent);
            compiler.want(intent);
        });
        compiler.settle();
    }

    private Optional<TrackedIntent> decode(IntentRegistry.Kind kind, String key, String json) {
        try {
            StoredIntent stored = StoredIntent.parse(key, json);
            Object intent = kind.kind.decode(stored.intent());
            List<Allocation> grants = stored.granted() ? stored.grants() : kind.kind.granted(stored.intent());
            return Optional.of(new TrackedIntent(
                    kind.kind,
                    new DesiredIntent(
                            new NumberedIntent<>(stored.ref().id(), stored.number(), intent, grants),
                            Digest.of(json))));
        } catch (RuntimeException e) {
            // The text stays in the store and among the dormant ones: a later version may read it.
            runtime.emit(new EngineEvent.StoredIntentUnreadable(key, Reason.of(e)));
            return Optional.empty();
        }
    }

    // Changes of other controllers

    /** Most changes are echoes of this controller's own writes, and are not read. */
    void storeChanged(Store.Change change) {
        if (!known(change.key(), change.value())) {
            following.changed(change.key());
        }
    }

    /** True if this is the stored text of a key, as far as this controller has seen. */
    private boolean known(String key, Optional<String> value) {
        return tracked(key)
                .map(intent -> value.map(Digest::of)
                        .equals(Optional.ofNullable(intent.desired().stored())))
                .orElseGet(() ->
                        value.equals(Optional.ofNullable(registry.dormant().get(key))));
    }

    private Optional<TrackedIntent> tracked(String key) {
        return registry.kind(StoredIntent.kindOf(key)).map(kind -> kind.byId.get(key.substring(key.indexOf('/') + 1)));
    }

    private void follow(String key, Optional<String> now) {
        Optional<IntentRegistry.Kind> kind = registry.kind(StoredIntent.kindOf(key));
        Optional<TrackedIntent> known = tracked(key);
        if (now.isEmpty()) {
            registry.dormant().remove(key);
            pools.unreserve(key);
            known.filter(TrackedIntent::isStored).ifPresent(intent -> deletion.drop(kind.orElseThrow(), intent));
        } else if (known.isEmpty()) {
            sleep(key, now.get());
            kind.ifPresent(this::wake);
        } else if (!known(key, now)) {
            decode(kind.orElseThrow(), key, now.get()).ifPresent(other -> exchange(kind.get(), known.get(), other));
        }
        // Another controller may have changed it before it received the new number.
        tracked(key).ifPresent(intent -> settleNumber(intent.ref(), intent.number()));
    }

    private void exchange(IntentRegistry.Kind kind, TrackedIntent known, TrackedIntent other) {
        registry.remove(kind, known);
        compiler.unwish(known);
        if (known.number() != other.number()) {
            registry.free(known);
        }
        known.desired(known.desired()
                .with(other.numbered())
                .withStored(other.desired().stored()));
        registry.put(kind, known);
        compiler.want(known);
        views.refresh(known); // its status may be unchanged
    }

    /**
     * Two controllers may give the same number at the same moment. One controller, the one that coordination names,
     * then gives the later in the order of references another number; all see that change as any other.
     */
    private void settleNumber(IntentRef ref, int contested) {
        TrackedIntent rival = registry.rival(ref, contested).orElse(null);
        if (rival == null || !coordination.isMine(NUMBERING)) {
            return;
        }
        try {
            renumber(
                    (rival.ref().compareTo(ref) > 0 ? rival.ref() : ref).toString(),
                    contested,
                    () -> settleNumber(ref, contested));
        } catch (StoreUnavailableException e) {
            following.changedLater(ref.toString());
        }
    }

    /** The controller that was to settle numbers may be gone. */
    void coordinate() {
        registry.rivals().forEach(intent -> settleNumber(intent.ref(), intent.number()));
    }

    /** @param again has this done when the answer of the store is there, if it is late */
    private void renumber(String loser, int number, Runnable again) {
        Optional<String> text = Optional.ofNullable(
                commits.read(StoredIntent.MAP, List.of(loser), again).get(loser));
        text.map(stored -> StoredIntent.parse(loser, stored))
                .filter(now -> now.number() == number)
                .ifPresent(now -> {
                    int other = registry.nextNumber();
                    registry.reserve(other);
                    String next =
                            StoredIntent.encode(now.ref(), other, now.intent().deepCopy(), now.grants());
                    commits.make(
                            List.of(Store.Write.replace(StoredIntent.MAP, loser, text.get(), next)),
                            () -> registry.unreserve(other));
                    following.changed(loser);
                });
    }
}
