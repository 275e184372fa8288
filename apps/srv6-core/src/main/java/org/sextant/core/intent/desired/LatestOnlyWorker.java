// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
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
import org.sextant.core.loop.EventLoop;
import org.sextant.core.underlay.Underlay;

/**
 * Works out beside the engine's thread what takes long, one at a time. What was worked out for a network that is not the one any more
 * is thrown away, and begun anew; but not for ever, if the network changes faster than that: then it is better than what was before.
 */
final class LatestOnlyWorker {

    /** Results in a row that come to nothing. */
    private static final int MOST_THROWN_AWAY = 2;

    private final EngineRuntime runtime;
    private final EventLoop thread;
    private final Supplier<Underlay> current;
    private final Predicate<IntentRegistry.Kind> registered;
    private final BiConsumer<IntentRegistry.Kind, SortedMap<String, Object>> taken;
    private final ExecutorService worker = Executors.newSingleThreadExecutor(Daemons.one("sextant-derive"));

    /** Kinds to be derived next. */
    private final Map<IntentRegistry.Kind, DerivedKind<Object>> waiting = new LinkedHashMap<>();

    private boolean working;
    private int thrownAway;

    /** @param taken gets what was worked out */
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
        waiting.put(kind, derived);
        begin();
    }

    boolean quiet() {
        return !working && waiting.isEmpty();
    }

    void close() {
        worker.shutdownNow();
    }

    private void begin() {
        Iterator<Map.Entry<IntentRegistry.Kind, DerivedKind<Object>>> next =
                waiting.entrySet().iterator();
        if (working || !next.hasNext()) {
            return;
        }
        Map.Entry<IntentRegistry.Kind, DerivedKind<Object>> first = next.next();
        IntentRegistry.Kind kind = first.getKey();
        DerivedKind<Object> derived = first.getValue();
        next.remove();
        Underlay underlay = current.get();
        working = true;
        try {
            worker.execute(() -> work(kind, derived, underlay));
        } catch (RejectedExecutionException closed) {
            working = false;
        }
    }

    /** On the thread of its own. */
    private void work(IntentRegistry.Kind kind, DerivedKind<Object> derived, Underlay underlay) {
        try {
            SortedMap<String, Object> result = derived.derive(underlay);
            thread.post(() -> done(kind, result));
        } catch (RuntimeException | Error e) {
            thread.post(() -> {
                runtime.emit(new EngineEvent.Fault("deriving " + kind.kind.name(), e));
                working = false;
                begin();
            });
        }
    }

    private void done(IntentRegistry.Kind kind, SortedMap<String, Object> result) {
        working = false;
        if (waiting.containsKey(kind) && thrownAway < MOST_THROWN_AWAY) {
            thrownAway++;
        } else if (registered.test(kind)) {
            thrownAway = 0;
            taken.accept(kind, result);
        }
        begin();
    }
}
