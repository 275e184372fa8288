// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * A match on the segment routing header (SERA paper, Listing 2). A missing field does not match, not even negated.
 *
 * @param present true if the header must be present, false if it must not; empty: as the other fields require
 * @param tag as it is on the wire, in network order
 * @param previousSid the segment before the active one
 * @param nextSid the destination after the next step, possibly a uSID container
 * @param lastSid the last segment of the list; without a header the destination
 */
public record SrhMatch(
        Optional<Boolean> present,
        Optional<Numbers> nextHeader,
        Optional<Numbers> headerLength,
        Optional<Numbers> segmentsLeft,
        Optional<Numbers> lastEntry,
        Optional<Flags> flags,
        Optional<Numbers> tag,
        Optional<Peer> previousSid,
        Optional<Peer> nextSid,
        Optional<Peer> lastSid) {

    public static final SrhMatch NOTHING = new SrhMatch(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** Bits of the flags, written {@code 0x08/0x08}; without a mask, all of them. */
    public record Flags(int value, int mask) {
        public Flags {
            if ((value & ~mask) != 0 || mask == 0) {
                throw new IllegalArgumentException("flags " + value + " under the mask " + mask + " never match");
            }
        }

        /** @throws IllegalArgumentException with the problem */
        static Flags parse(String text) {
            String[] parts = text.split("/", -1);
            if (parts.length > 2) {
                throw new IllegalArgumentException("there is more than one slash");
            }
            return new Flags(one(parts[0]), parts.length == 2 ? one(parts[1]) : 0xff);
        }

        private static int one(String text) {
            Numbers numbers = Numbers.parse(8, text, name -> java.util.OptionalInt.empty());
            Numbers.Span only = numbers.spans().get(0);
            if (numbers.negated() || numbers.spans().size() > 1 || only.low() != only.high()) {
                throw new IllegalArgumentException("\"" + text + "\" is more than one number");
            }
            return only.low();
        }

        @Override
        public String toString() {
            return String.format("0x%02x/0x%02x", value, mask);
        }
    }

    /** Is true if it matches a field of the header itself. */
    public boolean asksForHeader() {
        return previousSid.isPresent()
                || flags.isPresent()
                || Stream.of(nextHeader, headerLength, segmentsLeft, lastEntry, tag)
                        .anyMatch(Optional::isPresent);
    }
}
