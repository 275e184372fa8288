// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.time.Duration;

/**
 * A share of the engine's thread for work that takes long in all: it stops when the turn is over, and goes on in another message. Whatever came
 * meanwhile is handled between.
 */
public final class Turn {
    /** Short beside the 50 ms for which a message may hold the thread: what is under way when it is over is finished. */
    private static final Duration LENGTH = Duration.ofMillis(20);

    private final long end = System.nanoTime() + LENGTH.toNanos();

    private Turn() {}

    public static Turn begin() {
        return new Turn();
    }

    public boolean isOver() {
        return System.nanoTime() - end >= 0;
    }
}
