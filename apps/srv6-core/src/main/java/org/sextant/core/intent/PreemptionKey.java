// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Set;

/**
 * The key of the order of precedence among intents that reserve capacity.
 *
 * @param number {@link NumberedIntent#number}: the lower, the older
 * @param refersTo intents whose capacity it cannot take, as its plan follows from theirs
 */
public record PreemptionKey(IntentRef ref, int number, SetupHoldPriority standing, Set<IntentRef> refersTo) {
    public PreemptionKey {
        refersTo = Set.copyOf(refersTo);
    }
}
