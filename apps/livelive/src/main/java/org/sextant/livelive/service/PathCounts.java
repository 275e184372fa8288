// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the egress counted of one path.
 *
 * @param first copies that came before those of all other paths
 * @param duplicate copies of packets that were delivered already
 * @param late copies too far behind to be told from others, and those that came over this path before
 * @param delays duplicates by how long after the first copy they came, in the 16 classes of docs/reference/livelive.md
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

    /** Packets that came over this path in time, each once. */
    public long arrived() {
        return first + duplicate;
    }

    /**
     * How many microseconds behind the first copy a share of the duplicates came at most; rounded up to the end of the
     * class. Empty if there are none, or if it is beyond the last class.
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
