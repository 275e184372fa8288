// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import java.time.Clock;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.Submission;
import org.sextant.core.text.Moments;
import org.sextant.kit.app.Candidate;
import org.sextant.kit.app.EngineIntents;
import org.sextant.sera.Versioned;

/** Firewalls of a running controller: each version has the time of its admission. */
final class FirewallIntents extends EngineIntents<Versioned> {
    private final Clock clock;

    FirewallIntents(Intents engine, IntentKind<Versioned> kind, Clock clock) {
        super(engine, kind);
        this.clock = clock;
    }

    private Versioned now(Versioned submitted) {
        return Versioned.first(submitted.firewall(), Moments.iso(clock.instant()));
    }

    @Override
    public Submission<Versioned> submit(List<Versioned> intents, Precondition only) {
        return super.submit(intents.stream().map(this::now).toList(), only);
    }

    @Override
    public <R> R together(List<Versioned> intents, Function<List<Candidate<Versioned>>, R> admission) {
        return super.together(intents.stream().map(this::now).toList(), admission);
    }

    @Override
    public Submission<Versioned> change(String id, UnaryOperator<Versioned> change, Precondition only) {
        return super.change(id, before -> now(change.apply(before)), only);
    }
}
