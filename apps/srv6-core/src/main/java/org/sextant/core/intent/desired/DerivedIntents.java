// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.intent.DerivedKind;
import org.sextant.core.intent.DesiredIntent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.loop.Turn;

/** Maintains the intents that follow from the present network. */
final class DerivedIntents {
    private final IntentRegistry registry;
    private final Compiler compiler;
    private final Deletion deletion;
    private final LatestOnlyWorker worker;

    /** Derivations that are not compared yet with the intents that there are. */
    private final Map<IntentRegistry.Kind, Comparison> open = new LinkedHashMap<>();

    /**
     * The rest of the derived intents, by id; {@code next} runs over all of them once, from where the previous
     * comparison stopped.
     */
    private static final class Comparison {
        private final Queue<Map.Entry<String, Object>> next = new ArrayDeque<>();

        Comparison(SortedMap<String, Object> derived, String from) {
            TreeMap<String, Object> all = new TreeMap<>(derived);
            next.addAll(all.tailMap(from, true).entrySet());
            next.addAll(all.headMap(from, false).entrySet());
        }

        String id() {
            return next.element().getKey();
        }
    }

    DerivedIntents(EngineRuntime runtime, IntentRegistry registry, Compiler compiler, Deletion deletion) {
        this.registry = registry;
        this.compiler = compiler;
        this.deletion = deletion;
        this.worker = new LatestOnlyWorker(
                runtime,
                () -> compiler.context().underlay(),
                kind -> registry.kinds().contains(kind),
                this::take);
    }

    void derive(IntentRegistry.Kind kind) {
        if (kind.kind instanceof DerivedKind<Object> derivedKind) {
            worker.derive(kind, derivedKind);
        }
    }

    /** True if no derivation is pending. */
    boolean quiet() {
        return worker.quiet() && open.isEmpty();
    }

    void close() {
        worker.close();
    }

    /** The rest of an older derivation of the kind is discarded. */
    private void take(IntentRegistry.Kind kind, SortedMap<String, Object> derived) {
        for (TrackedIntent gone : List.copyOf(kind.byId.values())) {
            if (!derived.containsKey(gone.ref().id())) {
                deletion.drop(kind, gone);
            }
        }
        Comparison before = open.remove(kind);
        if (!derived.isEmpty()) {
            open.put(kind, new Comparison(derived, before == null ? "" : before.id()));
        }
    }

    /** Compiles the derived intents that changed, until the turn is over; true if there are more. */
    boolean goOn(Turn turn) {
        open.keySet().removeIf(kind -> !registry.kinds().contains(kind));
        Iterator<Map.Entry<IntentRegistry.Kind, Comparison>> kinds =
                open.entrySet().iterator();
        while (kinds.hasNext() && !turn.isOver()) {
            Map.Entry<IntentRegistry.Kind, Comparison> one = kinds.next();
            Queue<Map.Entry<String, Object>> next = one.getValue().next;
            while (!next.isEmpty() && !turn.isOver()) {
                compare(one.getKey(), next.peek().getKey(), next.remove().getValue());
            }
            if (next.isEmpty()) {
                kinds.remove();
            }
        }
        compiler.settle();
        return !open.isEmpty();
    }

    private void compare(IntentRegistry.Kind kind, String id, Object intent) {
        TrackedIntent known = kind.byId.get(id);
        if (known == null) {
            TrackedIntent created =
                    new TrackedIntent(kind.kind, new DesiredIntent(new NumberedIntent<>(id, 0, intent), null));
            registry.put(kind, created);
            compiler.want(created);
        } else if (!known.numbered().intent().equals(intent)) {
            known.desired(known.desired().with(new NumberedIntent<>(id, 0, intent)));
            compiler.again(known);
        }
    }
}
