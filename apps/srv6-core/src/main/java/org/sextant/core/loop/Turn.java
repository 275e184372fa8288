// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A share of the engine's thread for work that takes long in all: it stops when the turn is over, and goes on in another message. Whatever came
 * meanwhile is handled between.
 */
public final class Turn {
    /**
     * Short beside the 50 ms for which a message may hold the thread: a step in progress at the end of the turn is
     * finished.
     */
    private static final Duration LENGTH = Duration.ofMillis(20);

    private final BooleanSupplier end;
    private int steps;

    private Turn(BooleanSupplier end) {
        this.end = end;
    }

    static Turn timed() {
        long end = System.nanoTime() + LENGTH.toNanos();
        return new Turn(() -> System.nanoTime() - end >= 0);
    }

    /** A turn that is over after as many steps as another one was. */
    public static Turn of(int steps) {
        int[] left = {steps};
        return new Turn(() -> left[0]-- <= 0);
    }

    public boolean isOver() {
        if (end.getAsBoolean()) {
            return true;
        }
        steps++;
        return false;
    }

    /** The number of steps before its end. */
    int steps() {
        return steps;
    }
}
