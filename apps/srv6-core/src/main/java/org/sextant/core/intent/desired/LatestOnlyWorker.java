// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.sextant.core.calls.Daemons;
import org.sextant.core.intent.DerivedKind;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.loop.Call;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.underlay.Underlay;

/**
 * Derives intents, in a large network beside the engine's thread, each kind separately. A result for an outdated
 * network is discarded, and derived anew; but only a few times in a row, if the network changes faster than that: then
 * it is better than the older result.
 */
final class LatestOnlyWorker {

    /** Results in a row that come to nothing. */
    private static final int MOST_THROWN_AWAY = 2;

    /** In a network of so many nodes deriving takes a small part of a turn; another thread would only delay it. */
    private static final int SMALL = 64;

    private final EngineRuntime runtime;
    private final EventLoop thread;
    private final Supplier<Underlay> current;
    private final Predicate<IntentRegistry.Kind> registered;
    private final BiConsumer<IntentRegistry.Kind, SortedMap<String, Object>> taken;
    private final ExecutorService workers = Executors.newCachedThreadPool(Daemons.numbered("sextant-derive"));
    private final Map<IntentRegistry.Kind, Derivation> derivations = new HashMap<>();

    /** The progress of a kind. */
    private static final class Derivation {
        boolean working;

        /** The network has changed since it began. */
        boolean outdated;

        int thrownAway;
    }

    /** @param taken receives the derived intents */
    LatestOnlyWorker(
            EngineRuntime runtime,
            Supplier<Underlay> current,
            Predicate<IntentRegistry.Kind> registered,
            BiConsumer<IntentRegistry.Kind, SortedMap<String, Object>> taken) {
        this.runtime = runtime;
        this.thread = runtime.loop();
        this.current = current;
        this.registered = registered;
        this.taken = taken;
    }

    void derive(IntentRegistry.Kind kind, DerivedKind<Object> derived) {
        Derivation derivation = derivations.computeIfAbsent(kind, none -> new Derivation());
        if (derivation.working) {
            derivation.outdated = true;
        } else if (!derived.slow() && current.get().network().nodes().size() <= SMALL) {
            finish(kind, derived.derive(current.get()));
        } else {
            begin(kind, derived);
        }
    }

    boolean quiet() {
        return derivations.values().stream().noneMatch(derivation -> derivation.working);
    }

    void close() {
        workers.shutdownNow();
    }

    private void begin(IntentRegistry.Kind kind, DerivedKind<Object> derived) {
        Derivation derivation = derivation(kind);
        Underlay underlay = current.get();
        derivation.working = true;
        derivation.outdated = false;
        try {
            thread.call(
                    Call.computation("derive " + kind.kind.name(), () -> derived.derive(underlay)), workers, answer -> {
                        answer.value().ifPresent(result -> done(kind, derived, result));
                        answer.failure().ifPresent(fault -> failed(kind, derived, fault));
                    });
        } catch (RejectedExecutionException closed) {
            derivation.working = false;
        }
    }

    private void done(IntentRegistry.Kind kind, DerivedKind<Object> derived, SortedMap<String, Object> result) {
        Derivation derivation = derivation(kind);
        derivation.working = false;
        boolean again = derivation.outdated;
        if (again && derivation.thrownAway < MOST_THROWN_AWAY) {
            derivation.thrownAway++;
        } else {
            finish(kind, result);
        }
        if (again && registered.test(kind)) {
            begin(kind, derived);
        }
    }

    private void finish(IntentRegistry.Kind kind, SortedMap<String, Object> result) {
        derivation(kind).thrownAway = 0;
        if (registered.test(kind)) {
            taken.accept(kind, result);
        } else {
            derivations.remove(kind);
        }
    }

    private void failed(IntentRegistry.Kind kind, DerivedKind<Object> derived, Throwable fault) {
        runtime.emit(new EngineEvent.Fault("deriving " + kind.kind.name(), fault));
        Derivation derivation = derivation(kind);
        derivation.working = false;
        if (derivation.outdated) {
            begin(kind, derived);
        }
    }

    private Derivation derivation(IntentRegistry.Kind kind) {
        return Objects.requireNonNull(derivations.get(kind), "it was asked for");
    }
}
