// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * The counters of the egress for one path.
 *
 * @param first copies that arrived before those of all other paths
 * @param duplicate copies of packets that were delivered already
 * @param late copies too old to be distinguished, and repetitions over the same path
 * @param delays duplicates by their delay behind the first copy, in the 16 classes of docs/reference/livelive.md
 */
public record PathCounts(long first, long duplicate, long late, List<Long> delays) {
    static final int CLASSES = 16;
    private static final int FIRST_CLASS_BITS = 7;
    public static final PathCounts NONE = new PathCounts(
            0, 0, 0, Arrays.asList(new Long[] {0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L}));

    public PathCounts {
        delays = List.copyOf(delays);
        if (delays.size() != CLASSES) {
            throw new IllegalArgumentException(delays.size() + " classes of delays instead of " + CLASSES);
        }
    }

    /** Packets that arrived over this path in time, each counted once. */
    public long arrived() {
        return first + duplicate;
    }

    /**
     * The delay in microseconds behind the first copy that a share of the duplicates does not exceed; rounded up to the
     * end of the class. Empty without duplicates, or beyond the last class.
     *
     * @param share above 0, at most 1
     */
    public OptionalLong behindMicros(double share) {
        long all = delays.stream().mapToLong(Long::longValue).sum();
        long seen = 0;
        for (int i = 0; i < CLASSES - 1; i++) {
            seen += delays.get(i);
            if (all > 0 && seen >= share * all) {
                return OptionalLong.of(1L << FIRST_CLASS_BITS + i);
            }
        }
        return OptionalLong.empty();
    }
}
