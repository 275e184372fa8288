// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.sextant.core.intent.Plan;

/**
 * A list that the headend of a policy watches.
 *
 * @param index of the candidate path in the policy
 * @param family in words
 * @param sidList unsigned
 */
public record Watched(int index, long preference, String headend, String family, int sidList) {
    public Watched {
        Objects.requireNonNull(headend);
        Objects.requireNonNull(family);
    }

    /** Those of a policy that was compiled to this, the active candidate's first; none if it has none watched. */
    public static List<Watched> of(Plan plan) {
        return Summary.watched(plan);
    }

    /** The load of the probes of a policy that was compiled to this, in bits per second by id of the link. */
    public static Map<String, Long> probeLoad(Plan plan) {
        return Summary.probeLoad(plan);
    }
}
