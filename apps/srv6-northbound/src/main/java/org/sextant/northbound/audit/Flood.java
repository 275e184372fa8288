// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import java.util.function.LongSupplier;

/**
 * How often callers without a login may have a line: they could otherwise push all other lines out of the files. The
 * excess is counted.
 */
final class Flood {
    private static final int BURST = 30;
    private static final long NANOS_EACH = 1_000_000_000L;

    private final LongSupplier nanos;
    private long filled;
    private int room = BURST;
    private int missed;

    Flood(LongSupplier nanos) {
        this.nanos = nanos;
        this.filled = nanos.getAsLong();
    }

    /** How many had no line before this one, or -1 if this one has none either. */
    synchronized int admit() {
        long now = nanos.getAsLong();
        long more = (now - filled) / NANOS_EACH;
        filled += more * NANOS_EACH;
        room = (int) Math.min(BURST, room + more);
        if (room == 0) {
            missed++;
            return -1;
        }
        room--;
        int before = missed;
        missed = 0;
        return before;
    }
}
