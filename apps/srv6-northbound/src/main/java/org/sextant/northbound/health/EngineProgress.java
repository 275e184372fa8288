// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.health;

import java.time.Duration;
import java.util.Optional;
import org.sextant.core.loop.EngineLoad;

/**
 * Finds a thread that makes no progress: it has work waiting, and has ended none between two observations that are at least
 * {@link #LIMIT} apart. It compares counters, so that no request to that thread is needed.
 */
final class EngineProgress {
    /** Longer than the longest step of a large network. */
    static final Duration LIMIT = Duration.ofMinutes(5);

    private long steps = -1;
    private long sinceNanos;

    /**
     * How long the thread has made no progress; empty below the limit.
     *
     * @param nowNanos of {@link System#nanoTime}
     */
    synchronized Optional<Duration> stuck(EngineLoad load, long nowNanos) {
        long now = load.holds().stream().mapToLong(Long::longValue).sum();
        if (load.waiting() == 0 || now != steps) {
            steps = now;
            sinceNanos = nowNanos;
        }
        Duration still = Duration.ofNanos(nowNanos - sinceNanos);
        return still.compareTo(LIMIT) < 0 ? Optional.empty() : Optional.of(still);
    }
}
