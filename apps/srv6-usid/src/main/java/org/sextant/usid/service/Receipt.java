// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.service;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Submission;
import org.sextant.usid.Policy;

/**
 * What became of a posted policy after waiting for the nodes for a while.
 *
 * @param status as of now
 * @param code 201: it is new and installed; 200: it was there, or replaces another; 202: not (fully) installed yet
 */
public record Receipt(IntentStatus<Policy> status, int code) {
    /** Who waits holds a thread of the server's: beyond so many, the answer is what is known at once. */
    private static final Semaphore ROOM = new Semaphore(64);

    /**
     * Submits a policy and waits until it is settled, at most {@code patience}.
     *
     * @throws ProblemException if it is rejected
     */
    public static Receipt submit(Policies policies, Policy policy, Duration patience) {
        boolean replaces = policy.name().filter(policies::present).isPresent();
        Submission<Policy> submission = policies.submit(List.of(policy));
        Submission.Outcome<Policy> outcome = submission.outcomes().get(0);
        if (!outcome.accepted()) {
            throw new ProblemException(outcome.problems());
        }
        await(submission.settled(), patience);
        IntentStatus<Policy> accepted = outcome.intent().orElseThrow();
        IntentStatus<Policy> status = policies.find(accepted.id()).orElse(accepted);
        return new Receipt(status, code(outcome.changed(), !replaces, status.state()));
    }

    static int code(boolean changed, boolean created, IntentState state) {
        if (!changed) {
            return 200;
        }
        return state != IntentState.INSTALLED ? 202 : created ? 201 : 200;
    }

    /** The status of what was rejected: the gravest of its problems. */
    static int code(List<Problem> problems) {
        return problems.stream()
                .mapToInt(problem -> switch (problem.code()) {
                    case INVALID -> 400;
                    case UNKNOWN -> 422;
                    case CONFLICT -> 409;
                    case UNFEASIBLE -> 422;
                })
                .max()
                .orElse(400);
    }

    /** True if it completed in time; false also, and at once, if too many wait already. */
    public static boolean await(CompletableFuture<Void> future, Duration patience) {
        if (!ROOM.tryAcquire()) {
            return future.isDone();
        }
        try {
            future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            ROOM.release();
        }
    }
}
