// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.engine;

/**
 * When periodic audits begin. A node is not written while it is read, and reading a hundred thousand rows takes
 * seconds: an audit is postponed, for a limited time, while many intents wait to be written.
 */
final class DriftCheckSchedule {
    static final int MANY = 1000;
    static final int MOST = 10;

    private int putOff;

    /** True if an audit is to begin now. */
    boolean begins(int waiting) {
        boolean begins = waiting < MANY || putOff == MOST;
        putOff = begins ? 0 : putOff + 1;
        return begins;
    }
}
