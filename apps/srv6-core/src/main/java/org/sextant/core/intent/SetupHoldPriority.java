// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/**
 * The setup and hold priorities of an intent among others that compete for the same capacity: from 0 to 7, of which 0
 * is the highest (RFC 3209, 4.7.1).
 *
 * @param setup it takes capacity from those whose {@code hold} is a larger number
 * @param hold it keeps its capacity from those whose {@code setup} is not a smaller number
 */
public record SetupHoldPriority(int setup, int hold) {
    public static final int LOWEST = 7;

    public SetupHoldPriority {
        if (setup < 0 || setup > LOWEST || hold < 0 || hold > LOWEST) {
            throw new IllegalArgumentException("a priority is from 0 to " + LOWEST + " (RFC 3209, 4.7.1)");
        }
        if (hold > setup) {
            throw new IllegalArgumentException("what is set up with priority " + setup + " and held with " + hold
                    + " would be taken by its own kind: the hold priority is not the lower one (RFC 3209, 4.7.1)");
        }
    }
}
