// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.history;

import java.util.Map;
import java.util.Objects;

/**
 * The amounts of one object, read at one moment.
 *
 * @param of the object, for example {@code link:l1/1-l2/1}
 * @param source the reporter: counts of two sources cannot be compared
 * @param nanos when it was read, by a clock of the source that only differences are good for
 * @param amounts by quantity, whose name ends with its unit, for example {@code bytesPerSecond}
 */
public record Reading(String of, String source, long nanos, Map<String, Amount> amounts) {
    public Reading {
        if (!of.matches("[a-z]+:.+")) {
            throw new IllegalArgumentException("\"" + of + "\" does not say of what kind it is");
        }
        Objects.requireNonNull(source);
        amounts = Map.copyOf(amounts);
    }
}
