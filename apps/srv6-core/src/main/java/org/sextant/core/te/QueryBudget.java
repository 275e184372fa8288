// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

/**
 * The budget of one query: steps, each a label that is expanded or created, or a link that is checked, and labels that
 * are kept at the same time. Several searches of one question share it. Counting instead of looking at a clock makes
 * the same input have the same answer on a busy machine, too. Not for several threads.
 */
public final class QueryBudget {
    /** A label and its place among the open ones take some hundreds of bytes. */
    static final int LABELS = 200_000;

    private final int most;
    private int made;

    /** @param most steps */
    public QueryBudget(int most) {
        this.most = most;
    }

    /** True if there was one left. */
    boolean step() {
        boolean left = made < most;
        made += left ? 1 : 0;
        return left;
    }

    /** Counts several steps at once. */
    void steps(int count) {
        made = (int) Math.min(most, (long) made + count);
    }

    /** True if no step is left. */
    public boolean spent() {
        return made >= most;
    }

    /** Steps that were made. */
    int made() {
        return made;
    }

    /** The most labels that one search keeps at the same time. */
    int labels() {
        return LABELS;
    }

    /** At most half of the steps that are left, for a search after which there may be another one; {@link #steps} counts them. */
    QueryBudget half() {
        return new QueryBudget((most - made) / 2);
    }

    /** The limit of steps. */
    public int most() {
        return most;
    }
}
