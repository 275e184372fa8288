// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.sextant.core.intent.ChangeListener;
import org.sextant.core.intent.DryRun;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRequest;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.Submission;
import org.sextant.core.intent.desired.DesiredState;
import org.sextant.core.intent.desired.Replacement;
import org.sextant.core.loop.EngineThread;
import org.sextant.core.loop.EventLoop;

/**
 * Changes of intents that a caller requests and waits for. A long list is several changes, each with its own commit:
 * between two of them the loop handles other messages. Any thread but the event loop may use it.
 */
final class Changes {
    /** A list no longer than this is one change. */
    private static final int SHORT = 16;

    /** More intents than a turn has time for. */
    private static final int MOST_IN_A_TURN = 1000;

    private final EventLoop loop;
    private final DesiredState desired;

    Changes(EventLoop loop, DesiredState desired) {
        this.loop = loop;
        this.desired = desired;
    }

    <I> Submission<I> submit(IntentKind<I> kind, List<I> intents, Precondition only) {
        return only.isNone() && intents.size() > SHORT && loop.ask(() -> desired.isDivisible(kind, intents))
                ? submitInTurns(kind, intents)
                : make(new EngineMessage.Submit<>(kind, intents, only));
    }

    private <I> Submission<I> submitInTurns(IntentKind<I> kind, List<I> intents) {
        List<Submission<I>> turns = new ArrayList<>();
        loop.post(new EngineMessage.KeepRows(true));
        try {
            for (List<I> rest = intents; !rest.isEmpty(); ) {
                List<I> next = rest.subList(0, Math.min(MOST_IN_A_TURN, rest.size()));
                Submission<I> turn = make(new EngineMessage.SubmitFirst<>(kind, next));
                turns.add(turn);
                rest = rest.subList(turn.outcomes().size(), rest.size());
            }
        } finally {
            loop.post(new EngineMessage.KeepRows(false));
        }
        return Submission.of(turns);
    }

    Submission<Object> submitTogether(List<IntentRequest<?>> intents) {
        return make(new EngineMessage.SubmitTogether(intents));
    }

    List<DryRun<Object>> dryRunTogether(List<IntentRequest<?>> intents) {
        return make(new EngineMessage.DryRunTogether(intents));
    }

    /** The change is made here of the intent as it was, and made anew if that is another one by its turn. */
    @SuppressWarnings("unchecked") // the registered kind is a kind of the intents' type
    <I> Submission<I> change(IntentKind<I> kind, String id, UnaryOperator<I> change, Precondition only) {
        Optional<I> seen = Optional.empty();
        while (true) {
            Replacement replacement = make(new EngineMessage.Replace(kind, id, seen, seen.map(change), only));
            if (replacement.submission().isPresent()) {
                return submission(replacement.submission().get());
            }
            seen = Optional.of((I) replacement.before());
        }
    }

    /** The registered kind is a kind of the intents' type. */
    @SuppressWarnings("unchecked")
    private static <I> Submission<I> submission(Submission<Object> submission) {
        return (Submission<I>) (Submission<?>) submission;
    }

    CompletableFuture<Void> withdraw(IntentKind<?> kind, Collection<String> ids, Precondition only) {
        if (!only.isNone() || ids.size() <= SHORT) {
            return make(new EngineMessage.Withdraw(kind, List.copyOf(ids), only));
        }
        List<List<String>> parts = loop.ask(() -> desired.partsToWithdraw(kind, ids));
        return CompletableFuture.allOf(parts.stream()
                .map(part -> make(new EngineMessage.WithdrawPresent(kind, part)))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Reports the changes to the calling thread's change listener, also if a later one fails. */
    private <T> T make(EngineMessage.Change<T> change) {
        EngineMessage.PendingChange<T> begun = loop.request(change);
        try {
            return EngineThread.result(begun.result());
        } finally {
            ChangeListener.report(begun.changes());
        }
    }
}
