// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import org.sextant.core.te.PathSearch;
import org.sextant.core.te.QueryBudget;

/**
 * The limit of all searches for one candidate path. A policy has {@link #STEPS} steps for all of its paths and a
 * quarter as many for the reasons why there are none, divided evenly among the computed ones: thus no path takes steps
 * from another, and no result depends on another. Its searches on a grid of 100 nodes with two bounds run in a heap of
 * 24 MiB.
 *
 * @param paths for the path, and for that of another candidate path disjoint from it
 * @param reasons for finding the constraints that leave no path
 */
record SearchBudget(QueryBudget paths, QueryBudget reasons) {
    /** On a grid of 100 nodes, with bounds on three metrics, some tenths of a second of one processor. */
    static final int STEPS = PathSearch.STEPS;

    static SearchBudget of(long computed) {
        int parts = (int) Math.max(1, computed);
        return new SearchBudget(new QueryBudget(STEPS / parts), new QueryBudget(STEPS / 4 / parts));
    }
}
