// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.util.function.DoubleSupplier;

/**
 * Delays between attempts: doubling from 200 ms to 10 s, each up to a quarter longer or shorter, so that nodes which
 * were lost together do not come back together.
 */
final class Backoff {
    static final long FIRST_MILLIS = 200;
    static final long LAST_MILLIS = 10_000;

    private final DoubleSupplier random;
    private long baseMillis = FIRST_MILLIS;

    /** @param random uniform in 0 to 1 */
    Backoff(DoubleSupplier random) {
        this.random = random;
    }

    synchronized long nextMillis() {
        long delay = (long) (baseMillis * (0.75 + random.getAsDouble() / 2));
        baseMillis = Math.min(2 * baseMillis, LAST_MILLIS);
        return delay;
    }

    synchronized void reset() {
        baseMillis = FIRST_MILLIS;
    }
}
