// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.Submission;
import org.sextant.kit.InstallWait;
import org.sextant.kit.app.SrApp;

/**
 * The result of a posted intent after waiting for the nodes for a while.
 *
 * @param state as of now
 * @param code 201: it is new and installed; 200: it was there, or replaces another; 202: not (fully) installed yet
 */
public record Receipt(String id, IntentState state, int code, ObjectNode view) {
    /** How long REST and shell wait for their changes. */
    public static final Duration PATIENCE = Duration.ofSeconds(20);

    /**
     * Submits an intent and waits a while until it is settled.
     *
     * @throws ProblemException if it is rejected
     */
    public static <I> Receipt submit(SrApp<I> app, I intent) {
        return submit(app, intent, Precondition.NONE);
    }

    /** The same if {@code only} holds. */
    public static <I> Receipt submit(SrApp<I> app, I intent, Precondition only) {
        boolean replaces = app.intents().name(intent).filter(app::present).isPresent();
        return settled(app, app.intents().submit(List.of(intent), only), replaces);
    }

    /**
     * Changes a stored intent in part and waits a while until it is settled.
     *
     * @throws ProblemException if it is not there, or the change is rejected
     */
    public static <I> Receipt change(SrApp<I> app, String id, MergePatch patch, Precondition only) {
        app.stored(id);
        Submission<I> submission =
                app.intents().change(id, intent -> app.decode(patch.applied(app.encode(intent))), only);
        return settled(app, submission, true);
    }

    /**
     * Puts an intent in the place of a stored one and waits a while until it is settled.
     *
     * @throws ProblemException if that is not there, has another name, or the new one is rejected
     */
    public static <I> Receipt replace(SrApp<I> app, String id, I intent) {
        return replace(app, id, intent, Precondition.NONE);
    }

    /** The same if {@code only} holds. */
    public static <I> Receipt replace(SrApp<I> app, String id, I intent, Precondition only) {
        app.stored(id);
        return settled(app, app.intents().change(id, before -> intent, only), true);
    }

    private static <I> Receipt settled(SrApp<I> app, Submission<I> submission, boolean replaces) {
        Submission.Outcome<I> outcome = submission.outcomes().get(0);
        if (!outcome.accepted()) {
            throw new ProblemException(outcome.problems());
        }
        InstallWait.await(submission.settled(), PATIENCE);
        IntentStatus<I> accepted = outcome.intent().orElseThrow();
        IntentStatus<I> status = app.intents().find(accepted.id()).orElse(accepted);
        return new Receipt(
                status.id(),
                status.state(),
                InstallWait.code(outcome.changed(), !replaces, status.state()),
                AppView.looked(app, status));
    }
}
