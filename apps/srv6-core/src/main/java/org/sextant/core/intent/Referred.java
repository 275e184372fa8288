// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Optional;

/**
 * An intent as those see it that refer to it ({@link IntentKind#refersTo}).
 *
 * @param offer {@link IntentKind#offers}; empty if it has no feasible plan now
 */
public record Referred(Optional<Object> offer) {

    public static Referred by(IntentKind<Object> kind, Numbered<Object> intent, Plan plan) {
        return new Referred(plan.feasible() ? Optional.of(kind.offers(intent, plan)) : Optional.empty());
    }
}
