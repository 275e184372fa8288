// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.history;

/** What was read of a quantity, as it comes from where it is measured; {@link History} makes a value of it. */
public sealed interface Amount {

    /** Something that is counted, and only grows until it starts over; the value is how much more it is in a second. */
    record Counter(long count) implements Amount {}

    /** Something that goes up and down, in its own unit. */
    record Level(double value) implements Amount {}

    /** Two counts of which one is a part of the other; the value is that part of what is new, in percent. */
    record Share(long part, long whole) implements Amount {}
}
