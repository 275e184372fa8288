// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.apply;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.sextant.core.Problem;
import org.sextant.core.intent.DryRun;
import org.sextant.core.intent.IntentRequest;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.Submission;
import org.sextant.kit.InstallWait;
import org.sextant.kit.app.Candidate;
import org.sextant.northbound.app.Receipt;
import org.sextant.northbound.apply.Comparison.DocumentResult;

/**
 * The admission of a list of documents: all are admitted as one plan and in one durable step, or refused with the
 * problems of those that cannot be outcome.
 */
public final class DocumentAdmission {
    private final Intents engine;
    private final List<Document<?>> documents;

    public DocumentAdmission(Intents engine, DocumentList list) {
        this.engine = engine;
        this.documents = list.documents();
    }

    /** The last step of an admission, by documents and by requests. */
    private interface Step<R> extends BiFunction<List<Comparison<?>>, List<IntentRequest<?>>, R> {}

    private record Outcome(List<Comparison<?>> comparisons, Submission<Object> submission) {}

    /**
     * The result that {@link #submit} would have; changes nothing.
     *
     * @throws org.sextant.core.ProblemException as {@link #submit}
     */
    public ApplyResult dryRun() {
        return admit((comparisons, requests) -> {
            List<DryRun<Object>> plans = engine.dryRunTogether(requests);
            refuse(plans.stream().map(one -> one.plan().problems()).toList());
            List<DocumentResult<?>> items = new ArrayList<>();
            for (int i = 0; i < plans.size(); i++) {
                items.add(comparisons.get(i).with(plans.get(i)));
            }
            return new ApplyResult(true, items);
        });
    }

    /**
     * Installs the documents and waits a while for the nodes. A document that equals the stored intent changes nothing.
     *
     * @throws org.sextant.core.ProblemException with pointers into the list, if one of them is refused; then nothing
     *     changed
     */
    public ApplyResult submit() {
        Outcome outcome = admit((comparisons, requests) -> new Outcome(comparisons, engine.submitTogether(requests)));
        Submission<Object> submission = outcome.submission();
        refuse(submission.outcomes().stream().map(one -> one.problems()).toList());
        InstallWait.await(submission.settled(), Receipt.PATIENCE);
        List<DocumentResult<?>> items = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            items.add(outcome.comparisons().get(i).with(submission.outcomes().get(i)));
        }
        return new ApplyResult(false, items);
    }

    /** Calls {@code last} while all apps concerned hold back other intents that could exclude these. */
    private <R> R admit(Step<R> last) {
        Candidate<?>[] candidates = new Candidate<?>[documents.size()];
        Supplier<R> step = () -> {
            refuse(Arrays.stream(candidates)
                    .<List<Problem>>map(Candidate::problems)
                    .toList());
            return last.apply(
                    documents.stream().<Comparison<?>>map(Document::beside).toList(),
                    Arrays.stream(candidates)
                            .<IntentRequest<?>>map(Candidate::request)
                            .toList());
        };
        for (Group<?> group : groups()) {
            Supplier<R> inner = step;
            step = () -> group.admit(candidates, inner);
        }
        return step.get();
    }

    /** By kind: every request has the same order, so that none waits for another that waits for it. */
    private Iterable<Group<?>> groups() {
        Map<String, Group<?>> groups = new TreeMap<>();
        for (int i = 0; i < documents.size(); i++) {
            add(documents.get(i), i, groups);
        }
        return groups.values();
    }

    private static <I> void add(Document<I> document, int place, Map<String, Group<?>> groups) {
        @SuppressWarnings("unchecked") // documents of one kind have intents of one type
        Group<I> group =
                (Group<I>) groups.computeIfAbsent(document.kind().word(), word -> new Group<>(document.kind()));
        group.places.add(place);
        group.intents.add(document.intent());
    }

    /** The documents of one kind. */
    private static final class Group<I> {
        private final DocumentKind<I> kind;
        private final List<Integer> places = new ArrayList<>();
        private final List<I> intents = new ArrayList<>();

        Group(DocumentKind<I> kind) {
            this.kind = kind;
        }

        <R> R admit(Candidate<?>[] all, Supplier<R> inner) {
            return kind.app().intents().together(intents, candidates -> {
                for (int i = 0; i < places.size(); i++) {
                    all[places.get(i)] = candidates.get(i);
                }
                return inner.get();
            });
        }
    }

    /** @param byDocument the problems of each document, with pointers into its intent */
    private void refuse(List<List<Problem>> byDocument) {
        List<Problem> problems = new ArrayList<>();
        for (int i = 0; i < byDocument.size(); i++) {
            List<Problem> own = byDocument.get(i);
            if (!own.isEmpty() && !own.equals(List.of(Submission.ANOTHER_REJECTED))) {
                problems.addAll(documents.get(i).kind().placed("/" + i + "/", own));
            }
        }
        DocumentList.refuse(problems);
    }
}
