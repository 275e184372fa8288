// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.service;

import java.time.Duration;
import java.util.List;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Submission;
import org.sextant.kit.Settling;
import org.sextant.usid.Policy;

/**
 * What became of a posted policy after waiting for the nodes for a while.
 *
 * @param status as of now
 * @param code 201: it is new and installed; 200: it was there, or replaces another; 202: not (fully) installed yet
 */
public record Receipt(IntentStatus<Policy> status, int code) {
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
        Settling.await(submission.settled(), patience);
        IntentStatus<Policy> accepted = outcome.intent().orElseThrow();
        IntentStatus<Policy> status = policies.find(accepted.id()).orElse(accepted);
        return new Receipt(status, Settling.code(outcome.changed(), !replaces, status.state()));
    }
}
