// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.sextant.core.Problem;

/**
 * The answer to a bulk of intents. Accepted intents are durable when the caller receives this; their installation
 * continues.
 *
 * @param outcomes one per intent, in the order submitted
 * @param settled completes when every accepted intent is installed, failed and undone, or waits for a node; never
 *     exceptionally, unless the engine is closed first
 */
public record Submission<I>(List<Outcome<I>> outcomes, CompletableFuture<Void> settled) {

    /** The problem of feasible intents of a list that is admitted as a whole, where another one of it is rejected. */
    public static final Problem ANOTHER_REJECTED = new Problem(
            Problem.Code.CONFLICT,
            "",
            "another intent of the list is rejected, and all are accepted or none",
            "mend that one, or take it out of the list");

    public Submission {
        outcomes = List.copyOf(outcomes);
    }

    /** The answers to parts of a list, as one. */
    public static <I> Submission<I> of(List<Submission<I>> parts) {
        return new Submission<>(
                parts.stream().flatMap(part -> part.outcomes().stream()).toList(),
                CompletableFuture.allOf(parts.stream().map(Submission::settled).toArray(CompletableFuture<?>[]::new)));
    }

    /**
     * The outcome of one intent.
     *
     * @param intent empty if it was rejected
     * @param changed false if the same intent was there already; nothing was done then
     * @param problems why it was rejected
     */
    public record Outcome<I>(Optional<IntentStatus<I>> intent, boolean changed, List<Problem> problems) {
        public Outcome {
            problems = List.copyOf(problems);
        }

        public boolean accepted() {
            return intent.isPresent();
        }
    }
}
