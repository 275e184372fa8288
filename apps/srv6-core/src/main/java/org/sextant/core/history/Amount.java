// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.history;

/** A raw reading of a quantity; {@link History} turns it into a value. */
public sealed interface Amount {

    /** Something that is counted, and only grows until it starts over; the value is how much more it is in a second. */
    record Counter(long count) implements Amount {}

    /** Something that goes up and down, in its own unit. */
    record Level(double value) implements Amount {}

    /** Two counts of which one is a part of the other; the value is the part's share of the increase, in percent. */
    record Share(long part, long whole) implements Amount {}
}
