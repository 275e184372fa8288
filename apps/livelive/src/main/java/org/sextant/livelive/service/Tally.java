// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

/**
 * How much of what was sent did not arrive, from two counters of two nodes, each of which may begin anew: then what the other
 * one has counted by then no longer counts. Never too much. Not for several threads.
 */
final class Tally {
    private boolean begun;
    private long sent;
    private long arrived;

    /** What has arrived and is not among what was sent. */
    private long ahead;

    /**
     * As of one reading.
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

    /** As of a reading beside another one, which does not tell whether a counter began anew. */
    long lost(long before, long arrivedNow) {
        return Math.max(0, before + ahead - arrivedNow);
    }
}
