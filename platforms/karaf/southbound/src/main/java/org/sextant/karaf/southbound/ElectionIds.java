// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.sextant.core.port.Store;
import p4.v1.P4RuntimeOuterClass.Uint128;

/**
 * Election ids that only grow, also over restarts and when the clock goes back: a node accepts a primary only with a
 * higher id than the last one it saw (P4Runtime, 5). The upper bits are the start of this process, at least one above
 * the stored start of the one before; the lower 20 bits count connections.
 */
final class ElectionIds {
    static final String MAP = "southbound";
    static final String KEY = "election-epoch";
    private static final int COUNTER_BITS = 20;

    private final AtomicLong next;

    ElectionIds(Store store, long nowMillis) {
        long before = store.get(MAP, KEY).map(Long::parseLong).orElse(0L);
        long epoch = Math.max(nowMillis, before + 1);
        store.put(MAP, Map.of(KEY, Long.toString(epoch)));
        this.next = new AtomicLong(epoch << COUNTER_BITS);
    }

    Uint128 next() {
        return Uint128.newBuilder().setLow(next.incrementAndGet()).build();
    }

    /** An id that wins although a controller with another idea of ids was there before; above the last there is none. */
    Uint128 above(Uint128 highest) {
        Uint128 mine = next();
        boolean higher = highest.getHigh() == 0 && Long.compareUnsigned(highest.getLow(), mine.getLow()) < 0;
        if (higher) {
            return mine;
        }
        long low = highest.getLow() + 1;
        return Uint128.newBuilder()
                .setHigh(low == 0 ? highest.getHigh() + 1 : highest.getHigh())
                .setLow(low)
                .build();
    }
}
