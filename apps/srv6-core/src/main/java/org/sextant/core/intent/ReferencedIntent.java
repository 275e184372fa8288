// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Optional;

/**
 * An intent as those see it that refer to it ({@link IntentKind#refersTo}).
 *
 * @param offer {@link IntentKind#offers}; empty if it has no feasible plan now
 */
public record ReferencedIntent(Optional<Object> offer) {

    public static ReferencedIntent by(IntentKind<Object> kind, NumberedIntent<Object> intent, Plan plan) {
        return new ReferencedIntent(plan.feasible() ? Optional.of(kind.offers(intent, plan)) : Optional.empty());
    }
}
