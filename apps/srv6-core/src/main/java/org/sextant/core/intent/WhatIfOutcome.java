// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import java.util.SortedSet;
import org.sextant.core.Problem;

/**
 * The fate of an intent in another network.
 *
 * @param before ids of the links that its packets may be on now; empty if it has no path
 * @param after those that they might be on then
 * @param entries the number that would be written or removed; 0 if local protection of nodes reroutes its packets
 * @param problems why it could not be installed then; empty if it could
 * @param warnings those that would be added to the present ones
 */
public record WhatIfOutcome(
        IntentRef intent,
        Fate fate,
        SortedSet<String> before,
        SortedSet<String> after,
        int entries,
        List<Problem> problems,
        List<String> warnings) {

    /** The worse first. */
    public enum Fate {
        /** Nothing of it could be installed any more. */
        BROKEN,
        /** It would have no path, and applies the fallback of its configuration. */
        FALLS_BACK,
        /** Its packets would take other links. */
        MOVED,
        /** It cannot be installed now, and could then. */
        MENDED
    }
}
