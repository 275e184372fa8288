// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import java.util.SortedSet;
import org.sextant.core.Problem;

/**
 * What an intent would come to in another network.
 *
 * @param before ids of the links that its packets may be on now; empty if it has no path
 * @param after those that they might be on then
 * @param entries how many would be written or removed; 0 if nodes send its packets elsewhere by themselves
 * @param problems why it could not be installed then; empty if it could
 * @param warnings what would be said of it that is not said now
 */
public record Foreseen(
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
        /** It would have no path, and does what it says for that case. */
        FALLS_BACK,
        /** Its packets would take other links. */
        MOVED,
        /** It cannot be installed now, and could then. */
        MENDED
    }
}
