// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.sextant.core.intent.Plan;

/**
 * A segment list with liveness detection at the headend of a policy.
 *
 * @param index of the candidate path in the policy
 * @param family in words
 * @param sidList unsigned
 */
public record LivenessList(int index, long preference, String headend, String family, int sidList) {
    public LivenessList {
        Objects.requireNonNull(headend);
        Objects.requireNonNull(family);
    }

    /** The lists of a compiled policy, the active candidate path's first; none without liveness detection. */
    public static List<LivenessList> of(Plan plan) {
        return Summary.watched(plan);
    }

    /** The load of the probes of a compiled policy, in bits per second by id of the link. */
    public static Map<String, Long> probeLoad(Plan plan) {
        return Summary.probeLoad(plan);
    }
}
