// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.intent.DerivedKind;
import org.sextant.core.intent.DesiredIntent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.Numbered;
import org.sextant.core.intent.install.TrackedIntent;

/** Keeps the intents that follow from the network as it is. */
final class DerivedIntents {
    private final IntentRegistry registry;
    private final Compiler compiler;
    private final Deletion deletion;
    private final LatestOnlyWorker worker;

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
        if (!(kind.kind instanceof DerivedKind<Object> derivedKind)) {
            return;
        }
        if (derivedKind.slow()) {
            worker.derive(kind, derivedKind);
        } else {
            take(kind, derivedKind.derive(compiler.context().underlay()));
        }
    }

    /** True if no derivation is under way. */
    boolean quiet() {
        return worker.quiet();
    }

    void close() {
        worker.close();
    }

    private void take(IntentRegistry.Kind kind, SortedMap<String, Object> derived) {
        for (TrackedIntent gone : List.copyOf(kind.byId.values())) {
            if (!derived.containsKey(gone.ref().id())) {
                deletion.drop(kind, gone);
            }
        }
        List<TrackedIntent> other = new ArrayList<>();
        new TreeMap<>(derived).forEach((id, intent) -> {
            TrackedIntent known = kind.byId.get(id);
            if (known == null) {
                TrackedIntent created =
                        new TrackedIntent(kind.kind, new DesiredIntent(new Numbered<>(id, 0, intent), null));
                registry.put(kind, created);
                compiler.want(created);
            } else if (!known.numbered().intent().equals(intent)) {
                known.desired(known.desired().with(new Numbered<>(id, 0, intent)));
                other.add(known);
            }
        });
        compiler.again(other);
    }
}
