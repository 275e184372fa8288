// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

/**
 * Computes the number of sent packets that did not arrive, from counters of two nodes, each of which may be reset:
 * after a reset, packets counted before it are ignored. The result is never too high. Not thread-safe.
 */
final class LossCounter {
    private boolean begun;
    private long sent;
    private long arrived;

    /** The number of arrivals that the sent packets do not include. */
    private long ahead;

    /**
     * The loss by one reading.
     *
     * @param before sent, read before the arrivals
     * @param after sent, read after them
     */
    long lost(long before, long arrivedNow, long after) {
        boolean anew = begun ? before < sent || arrivedNow < arrived : arrivedNow > after;
        if (anew) {
            ahead = arrivedNow - after;
        }
        begun = true;
        sent = before;
        arrived = arrivedNow;
        return lost(before, arrivedNow);
    }

    /** The loss by a reading that overlaps with another, which does not show resets of counters. */
    long lost(long before, long arrivedNow) {
        return Math.max(0, before + ahead - arrivedNow);
    }
}
