// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import org.jspecify.annotations.Nullable;

/** The states on the path to here, latest first. */
record Trail(State state, @Nullable Trail before) {

    /** True if the packet was here before, apart from its hop limit. */
    boolean holds(State state) {
        for (Trail at = this; at != null; at = at.before) {
            if (at.state.sameButForHopLimit(state)) {
                return true;
            }
        }
        return false;
    }
}
