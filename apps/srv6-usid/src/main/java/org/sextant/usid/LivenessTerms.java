// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

/**
 * The liveness detection of a policy's candidate paths (RFC 9256, 9.3): the headend sends probes along each of them and
 * back, and switches to the next one by itself while they are lost.
 *
 * @param intervalMillis between two probes, 1 to 60,000
 * @param multiplier the number of consecutive lost probes that bring a path down, 2 to 255: a path in order may lose a
 *     single one
 * @param holdDownMillis the time without loss before the path is used again, 0 to 3,600,000
 */
public record LivenessTerms(int intervalMillis, int multiplier, int holdDownMillis) {
    static final int MAX_INTERVAL = 60_000;
    static final int MIN_MULTIPLIER = 2;
    static final int MAX_MULTIPLIER = 255;
    static final int MAX_HOLD_DOWN = 3_600_000;

    /**
     * Down after 0.9 s, the default of many implementations of BFD (RFC 5880): some 7 kbit/s for a link of a path.
     * Operators can choose a tenth or a thirtieth of the interval, at ten or thirty times the load.
     */
    public static final LivenessTerms DEFAULT = new LivenessTerms(300, 3, 1000);

    public LivenessTerms {
        if (intervalMillis < 1
                || intervalMillis > MAX_INTERVAL
                || multiplier < MIN_MULTIPLIER
                || multiplier > MAX_MULTIPLIER
                || holdDownMillis < 0
                || holdDownMillis > MAX_HOLD_DOWN) {
            throw new IllegalArgumentException(
                    "probes every " + intervalMillis + " ms, " + multiplier + " times, " + holdDownMillis + " ms");
        }
    }
}
