// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Set;

/**
 * All that decides where an intent stands among those that reserve capacity.
 *
 * @param number {@link Numbered#number}: the lower, the older
 * @param refersTo intents whose capacity it cannot have, as what it does follows from what they do
 */
public record Seat(IntentRef ref, int number, Standing standing, Set<IntentRef> refersTo) {
    public Seat {
        refersTo = Set.copyOf(refersTo);
    }
}
