// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Optional;

/**
 * An intent as those see it that refer to it ({@link IntentKind#refersTo}).
 *
 * @param offer what its plan offers, or the intent with its numbers ({@link Numbered}) if the plan offers nothing of its
 *     own; empty if there is nothing of it to be installed now
 */
public record Referred(Optional<Object> offer) {

    static Referred by(Numbered<?> intent, Plan plan) {
        Object offer = plan.offer();
        return new Referred(plan.feasible() ? Optional.of(offer == null ? intent : offer) : Optional.empty());
    }
}
