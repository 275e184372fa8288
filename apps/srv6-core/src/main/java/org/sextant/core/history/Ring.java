// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.history;

import java.util.Arrays;

/**
 * The values of the last steps; a step without a value is a gap, {@code NaN}. Steps are counted from anywhere and grow
 * by one in {@link History#STEP_SECONDS}. Not thread-safe.
 */
final class Ring {
    private final float[] values;
    private long last = Long.MIN_VALUE;

    /** @param size in steps */
    Ring(int size) {
        values = new float[size];
        Arrays.fill(values, Float.NaN);
    }

    /** Skipped steps become gaps; a value for a step before the last one is dropped. */
    void set(long step, double value) {
        if (last != Long.MIN_VALUE && step < last) {
            return;
        }
        if (last == Long.MIN_VALUE || step - last >= values.length) {
            Arrays.fill(values, Float.NaN);
        } else {
            for (long between = last + 1; between < step; between++) {
                values[index(between)] = Float.NaN;
            }
        }
        last = step;
        values[index(step)] = Double.isFinite(value) ? (float) value : Float.NaN;
    }

    /** {@code NaN} for a gap, and for steps outside of the ring. */
    double at(long step) {
        boolean kept = last != Long.MIN_VALUE && step <= last && last - step < values.length;
        return kept ? values[index(step)] : Double.NaN;
    }

    private int index(long step) {
        return (int) Math.floorMod(step, (long) values.length);
    }
}
