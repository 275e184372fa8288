// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.sextant.core.intent.DryRun;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRequest;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.StoredChange;
import org.sextant.core.intent.Submission;
import org.sextant.core.intent.Witness;
import org.sextant.core.intent.desired.DesiredState;
import org.sextant.core.loop.Commits;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.loop.Progress;

/**
 * Changes of intents that a caller asks for and waits for. A long list is several changes, each with its own commit: between two of
 * them the loop handles what else has come. Any thread but the event loop may use it.
 */
final class Changes {
    /** A list no longer than this is one change. */
    private static final int SHORT = 16;

    private final EventLoop thread;
    private final Commits commits;
    private final DesiredState desired;

    Changes(EventLoop thread, Commits commits, DesiredState desired) {
        this.thread = thread;
        this.commits = commits;
        this.desired = desired;
    }

    <I> Submission<I> submit(IntentKind<I> kind, List<I> intents, Precondition only) {
        return only.isNone() && intents.size() > SHORT && thread.ask(() -> desired.isDivisible(kind, intents))
                ? submitInTurns(kind, intents)
                : make(changes -> desired.submit(kind, intents, only, changes));
    }

    private <I> Submission<I> submitInTurns(IntentKind<I> kind, List<I> intents) {
        List<Submission<I>> turns = new ArrayList<>();
        thread.post(() -> desired.keepRows(true));
        try {
            for (List<I> rest = intents; !rest.isEmpty(); ) {
                List<I> next = rest;
                Submission<I> turn = make(changes -> desired.submitFirst(kind, next, changes));
                turns.add(turn);
                rest = rest.subList(turn.outcomes().size(), rest.size());
            }
        } finally {
            thread.post(() -> desired.keepRows(false));
        }
        return Submission.of(turns);
    }

    Submission<Object> submitTogether(List<IntentRequest<?>> intents) {
        return make(changes -> desired.submitTogether(intents, changes));
    }

    List<DryRun<Object>> dryRunTogether(List<IntentRequest<?>> intents) {
        return make(changes -> desired.dryRunTogether(intents));
    }

    <I> Submission<I> change(IntentKind<I> kind, String id, UnaryOperator<Object> change, Precondition only) {
        return make(changes -> desired.change(kind, id, change, only, changes));
    }

    CompletableFuture<Void> withdraw(IntentKind<?> kind, Collection<String> ids, Precondition only) {
        if (!only.isNone() || ids.size() <= SHORT) {
            return make(changes -> desired.withdraw(kind, ids, only, changes));
        }
        List<List<String>> parts = thread.ask(() -> desired.partsToWithdraw(kind, ids));
        return CompletableFuture.allOf(parts.stream()
                .map(part -> make(changes -> desired.withdrawPresent(kind, part, changes)))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** The calling thread's witness gets what was changed, also if something fails behind it. */
    private <T> T make(Function<List<StoredChange>, Progress<T>> step) {
        List<StoredChange> changes = new ArrayList<>();
        try {
            return EventLoop.result(thread.ask(() -> commits.submit(() -> {
                desired.requireInForce();
                return step.apply(changes);
            })));
        } finally {
            Witness.report(changes);
        }
    }
}
