// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

/**
 * How much may be looked at to answer one question, in steps: a label that is taken up or made. Several searches of one question
 * share it. Counting steps instead of time makes the same input have the same answer on a busy machine, too. Not for several threads.
 */
public final class Effort {
    private final int most;
    private int made;

    public Effort(int most) {
        this.most = most;
    }

    /** Whether there was one left. */
    boolean step() {
        return made++ < most;
    }

    /** So many at once. */
    void steps(int count) {
        made += count;
    }

    boolean spent() {
        return made >= most;
    }

    /** All that there were. */
    public int most() {
        return most;
    }
}
