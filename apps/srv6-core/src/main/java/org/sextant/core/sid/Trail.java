// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import org.jspecify.annotations.Nullable;

/** The states on the way here, latest first. */
record Trail(State state, @Nullable Trail before) {

    /** Whether a packet was here before, but for its hop limit. */
    boolean holds(State state) {
        for (Trail at = this; at != null; at = at.before) {
            if (at.state.sameButForHopLimit(state)) {
                return true;
            }
        }
        return false;
    }
}
