// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import org.sextant.core.te.Effort;
import org.sextant.core.te.PathSearch;

/**
 * How much may be searched for one candidate path. A policy has {@link #STEPS} steps for all of its paths and a quarter as many for the
 * reasons why there are none, divided evenly among those that are computed: so one that is hard takes nothing from the others, and
 * the result of none depends on the others. Its searches on a grid of 100 nodes with two bounds run in a heap of 24 MiB.
 *
 * @param paths for the path, and for that of another candidate that is to share nothing with it
 * @param reasons for finding the constraints that leave no path
 */
record SearchBudget(Effort paths, Effort reasons) {
    /** On a grid of 100 nodes, with bounds on three metrics, some tenths of a second of one processor. */
    static final int STEPS = PathSearch.STEPS;

    static SearchBudget of(long computed) {
        int parts = (int) Math.max(1, computed);
        return new SearchBudget(new Effort(STEPS / parts), new Effort(STEPS / 4 / parts));
    }
}
