// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Keeps the intents that follow from the network as it is. Touched by the engine's thread only. */
final class DerivedIntents {
    private final IntentRegistry registry;
    private final Compiler compilation;
    private final Deletion withdrawal;
    private final LatestOnlyWorker slowly;

    DerivedIntents(EngineRuntime runtime, IntentRegistry registry, Compiler compilation, Deletion withdrawal) {
        this.registry = registry;
        this.compilation = compilation;
        this.withdrawal = withdrawal;
        this.slowly = new LatestOnlyWorker(
                runtime,
                () -> compilation.context().underlay(),
                kind -> registry.kinds().contains(kind),
                this::take);
    }

    void derive(IntentRegistry.Kind kind) {
        if (!(kind.kind instanceof DerivedKind<Object> derivedKind)) {
            return;
        }
        if (derivedKind.slow()) {
            slowly.derive(kind, derivedKind);
        } else {
            take(kind, derivedKind.derive(compilation.context().underlay()));
        }
    }

    /** Whether nothing is being worked out. */
    boolean quiet() {
        return slowly.quiet();
    }

    void close() {
        slowly.close();
    }

    private void take(IntentRegistry.Kind kind, SortedMap<String, Object> derived) {
        for (TrackedIntent gone : List.copyOf(kind.byId.values())) {
            if (!derived.containsKey(gone.ref.id())) {
                withdrawal.drop(kind, gone);
            }
        }
        List<TrackedIntent> other = new ArrayList<>();
        new TreeMap<>(derived).forEach((id, intent) -> {
            TrackedIntent known = kind.byId.get(id);
            if (known == null) {
                TrackedIntent created = new TrackedIntent(kind.kind, new Desired(new Numbered<>(id, 0, intent), null));
                registry.put(kind, created);
                compilation.want(created);
            } else if (!known.numbered().intent().equals(intent)) {
                known.desired(known.desired().with(new Numbered<>(id, 0, intent)));
                other.add(known);
            }
        });
        compilation.again(other);
    }
}
