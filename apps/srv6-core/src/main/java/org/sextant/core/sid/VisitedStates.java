// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import org.jspecify.annotations.Nullable;

/** The states on the path to here, latest first. */
record VisitedStates(State state, @Nullable VisitedStates before) {

    /** True if the packet was here before, apart from its hop limit. */
    boolean holds(State state) {
        for (VisitedStates at = this; at != null; at = at.before) {
            if (at.state.sameButForHopLimit(state)) {
                return true;
            }
        }
        return false;
    }
}
