// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.apply;

import java.util.List;
import java.util.Optional;
import org.sextant.core.intent.DryRun;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Submission;

/**
 * A document and the stored intent of its name.
 *
 * @param before empty if there is none
 */
record Comparison<I>(Document<I> document, Optional<I> before) {

    /** The result of a dry run. */
    DocumentResult<I> with(DryRun<Object> tried) {
        I after = typed(tried.intent().intent());
        boolean changed = before.map(
                        stored -> !document.kind().differences(stored, after).isEmpty())
                .orElse(true);
        return new DocumentResult<>(
                document, before, after, changed, Optional.empty(), tried.plan().warnings());
    }

    /** The result of a submission, with the state by now. */
    DocumentResult<I> with(Submission.Outcome<Object> outcome) {
        IntentStatus<Object> status = outcome.intent().orElseThrow();
        Optional<IntentState> state = Optional.of(document.state());
        return new DocumentResult<>(
                document,
                before,
                typed(status.intent().intent()),
                outcome.changed(),
                state,
                status.plan().warnings());
    }

    /** The engine handles intents of all kinds alike: one of a kind's request is of the kind's type. */
    @SuppressWarnings("unchecked")
    private I typed(Object intent) {
        return (I) intent;
    }

    /**
     * The effect of a document.
     *
     * @param before the stored intent before; empty if there was none
     * @param after the stored intent since, which may have a part of the history of the one before
     * @param changed false if both are the same
     * @param state empty for a dry run
     */
    record DocumentResult<I>(
            Document<I> document,
            Optional<I> before,
            I after,
            boolean changed,
            Optional<IntentState> state,
            List<String> warnings) {
        DocumentResult {
            warnings = List.copyOf(warnings);
        }

        Action action() {
            return !changed ? Action.UNCHANGED : before.isEmpty() ? Action.CREATED : Action.CHANGED;
        }

        /** The fields that changed, with pointers into the document. */
        List<Difference> differences() {
            return action() == Action.CHANGED ? document.kind().differences(before.orElseThrow(), after) : List.of();
        }
    }

    /** The effects that documents may have. */
    enum Action {
        CREATED,
        CHANGED,
        UNCHANGED
    }
}
