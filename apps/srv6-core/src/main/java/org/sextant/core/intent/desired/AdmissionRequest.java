// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.ReferencedIntent;
import org.sextant.core.intent.StoredChange;

/**
 * A bulk as it was submitted.
 *
 * @param before the stored texts of the intents that it replaces
 * @param overtaken keys that another controller was found to have changed at the same moment
 * @param changes the changes that the store has accepted
 */
record AdmissionRequest(
        List<Item> items,
        Extent extent,
        Precondition only,
        Map<String, String> before,
        Set<String> overtaken,
        List<StoredChange> changes) {

    /** One intent of a bulk. */
    record Item(IntentRegistry.Kind kind, Object intent) {}

    /** The part of a list that is admitted in one step. */
    enum Extent {
        /** All or none. */
        WHOLE,
        /** Each feasible intent. */
        EACH,
        /** Each feasible intent, until the turn is over. */
        FIRST
    }

    boolean whole() {
        return extent == Extent.WHOLE;
    }

    Bulk bulk(Map<IntentRef, ReferencedIntent> together, Runnable undo) {
        return new Bulk(before, together, only, overtaken, undo);
    }
}
