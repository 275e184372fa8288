// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Optional;

/** A value under a mask, both unsigned; bits outside of the mask are zero. */
public record Ternary(int value, int mask) {
    public Ternary {
        if ((value & ~mask) != 0) {
            throw new IllegalArgumentException("value bits outside of the mask");
        }
    }

    @Override
    public String toString() {
        return Integer.toHexString(value) + "&" + Integer.toHexString(mask);
    }

    /** As part of a match; a field that matches everything has no text. */
    static String text(String field, Optional<Ternary> value) {
        return value.map(given -> " " + field + " " + given).orElse("");
    }
}
