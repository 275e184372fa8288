// SPDX-License-Identifier: Apache-2.0
package org.sextant.contract;

/** A match field of a table. */
public record Field(int id, String name, int bits, Kind kind) {

    /** How an entry matches. */
    public enum Kind {
        EXACT,
        LPM,
        TERNARY,
        RANGE
    }
}
