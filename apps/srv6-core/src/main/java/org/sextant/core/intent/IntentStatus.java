// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Instant;
import java.util.List;
import org.sextant.core.Problem;

/**
 * An intent as the engine sees it now.
 *
 * @param plan its plan in the present network
 * @param troubles the desired entries that are not installed, with the reasons; empty if INSTALLED
 * @param since when {@code state} was reached
 */
public record IntentStatus<I>(
        String kind,
        NumberedIntent<I> intent,
        IntentState state,
        Plan plan,
        List<EntryStatus> troubles,
        Instant since) {

    public IntentStatus {
        troubles = List.copyOf(troubles);
    }

    public String id() {
        return intent.id();
    }

    public IntentRef ref() {
        return new IntentRef(kind, intent.id());
    }

    /** The reasons why it does not compile; empty if it does. */
    public List<Problem> problems() {
        return plan.problems();
    }

    /** The engine handles intents of all kinds alike: a status of a kind's intent is of the kind's type. */
    @SuppressWarnings("unchecked")
    public static <I> IntentStatus<I> typed(IntentStatus<Object> status) {
        return (IntentStatus<I>) (IntentStatus<?>) status;
    }
}
