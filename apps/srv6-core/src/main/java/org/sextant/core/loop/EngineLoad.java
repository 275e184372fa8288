// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.time.Duration;
import java.util.List;

/**
 * The work of a loop's thread, as counted so far.
 *
 * @param waiting messages, requests and questions that are queued and not begun; timers that are not due are not among them
 * @param holds how often the thread was held for at most each of {@link #BOUNDS}, and longer than the one before; the last is for
 *     longer holds than all
 * @param held the time of all holds together
 */
public record EngineLoad(int waiting, List<Long> holds, Duration held) {
    /** Upper bounds of the lengths of holds, ascending. */
    public static final List<Duration> BOUNDS = List.of(
            Duration.ofMillis(1),
            Duration.ofMillis(10),
            Duration.ofMillis(100),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10));

    /** A loop that counts nothing. */
    public static final EngineLoad NONE = new EngineLoad(0, List.of(0L, 0L, 0L, 0L, 0L, 0L), Duration.ZERO);

    public EngineLoad {
        holds = List.copyOf(holds);
    }
}
