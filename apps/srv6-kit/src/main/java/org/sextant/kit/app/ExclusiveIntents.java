// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRequest;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.Submission;
import org.sextant.core.intent.Submission.Outcome;

/** Intents that exclude each other from resources which table entries alone do not show. */
public abstract class ExclusiveIntents<I> extends EngineIntents<I> {

    protected ExclusiveIntents(Intents engine, IntentKind<I> kind) {
        super(engine, kind);
    }

    /** The resources of intents, to check another one against. */
    public interface Held<I> {

        void add(String id, I intent);

        /** The problems of an intent beside these, one of which it may replace. */
        List<Problem> against(I intent);

        boolean isEmpty();
    }

    /** No resources of any intent, in the present network. */
    protected abstract Held<I> nothing();

    /** Lists are admitted one at a time, so that no other intent takes the same resources meanwhile. */
    @Override
    public synchronized Submission<I> submit(List<I> intents, Precondition only) {
        return new Bulk(intents, only).submission();
    }

    /** The result is checked like a submitted intent, unless it has another identity, which the engine refuses. */
    @Override
    public synchronized Submission<I> change(String id, UnaryOperator<I> change, Precondition only) {
        List<Problem> problems = find(id).filter(status -> status.state() != IntentState.REMOVING)
                .map(status -> problems(status.intent().intent(), change))
                .orElse(List.of());
        return problems.isEmpty()
                ? super.change(id, change, only)
                : new Submission<>(
                        List.of(new Outcome<>(Optional.empty(), false, problems)),
                        CompletableFuture.completedFuture(null));
    }

    private List<Problem> problems(I before, UnaryOperator<I> change) {
        I after = change.apply(before);
        return kind().identity(after).equals(kind().identity(before)) ? stored().against(after) : List.of();
    }

    /** Each is checked against the stored intents that the list does not replace, and against those before it. */
    @Override
    public synchronized <R> R together(List<I> intents, Function<List<Candidate<I>>, R> admission) {
        Set<String> replaced =
                intents.stream().flatMap(intent -> name(intent).stream()).collect(Collectors.toSet());
        Held<I> held = nothing();
        list().stream()
                .filter(status -> status.state() != IntentState.REMOVING && !replaced.contains(status.id()))
                .forEach(status -> held.add(status.id(), status.intent().intent()));
        List<Candidate<I>> candidates = new ArrayList<>();
        for (I intent : intents) {
            candidates.add(new Candidate<>(new IntentRequest<>(kind(), intent), held.against(intent)));
            held.add(name(intent).orElse("in this list"), intent);
        }
        return admission.apply(List.copyOf(candidates));
    }

    @Override
    public Plan dryRun(I intent, Precondition only) {
        List<Problem> problems = stored().against(intent);
        if (!problems.isEmpty()) {
            throw new ProblemException(problems);
        }
        return super.dryRun(intent, only);
    }

    /** The resources of all intents that are not deleted. */
    private Held<I> stored() {
        Held<I> held = nothing();
        list().stream()
                .filter(status -> status.state() != IntentState.REMOVING)
                .forEach(status -> held.add(status.id(), status.intent().intent()));
        return held;
    }

    /**
     * A list during admission. One step stores as many intents as possible; before an intent is rejected for another
     * that is not stored yet, that one is stored, as it may be rejected itself.
     */
    private final class Bulk {
        private final List<Outcome<I>> outcomes;
        private final Precondition only;
        private final Map<Integer, I> pending = new LinkedHashMap<>();
        private final List<CompletableFuture<Void>> settling = new ArrayList<>();
        private Held<I> stored = stored();
        private Held<I> waiting = nothing();

        Bulk(List<I> intents, Precondition only) {
            this.only = only;
            outcomes = new ArrayList<>(Collections.nCopies(intents.size(), null));
            for (int index = 0; index < intents.size(); index++) {
                take(index, intents.get(index));
            }
            flush();
        }

        private void take(int index, I intent) {
            if (!waiting.isEmpty() && !against(intent).isEmpty()) {
                flush();
            }
            List<Problem> problems = against(intent);
            if (problems.isEmpty()) {
                pending.put(index, intent);
                waiting.add(name(intent).orElse("in this list"), intent);
            } else {
                outcomes.set(index, new Outcome<>(Optional.empty(), false, problems));
            }
        }

        private List<Problem> against(I intent) {
            List<Problem> problems = stored.against(intent);
            return problems.isEmpty() ? waiting.against(intent) : problems;
        }

        private void flush() {
            if (!pending.isEmpty()) {
                Submission<I> part = ExclusiveIntents.super.submit(List.copyOf(pending.values()), only);
                List<Integer> indexes = List.copyOf(pending.keySet());
                for (int i = 0; i < indexes.size(); i++) {
                    outcomes.set(indexes.get(i), part.outcomes().get(i));
                }
                settling.add(part.settled());
                pending.clear();
                stored = stored();
                waiting = nothing();
            }
        }

        Submission<I> submission() {
            return new Submission<>(outcomes, CompletableFuture.allOf(settling.toArray(CompletableFuture<?>[]::new)));
        }
    }
}
