// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.Ipv6;

/** A row's constraint on one field. Values are right-aligned in 128 bits; a wildcard is no constraint. */
public sealed interface Constraint {

    boolean contains(Ipv6 value);

    /** True if every value of the other constraint, which is on the same field, is in this one. */
    boolean covers(Constraint other);

    /** Values in both; empty if there are none. */
    Optional<Constraint> intersect(Constraint other);

    /**
     * Values in this and not in the other one, which intersects it, as parts without common values.
     *
     * @param bits of the field
     */
    List<Constraint> without(Constraint other, int bits);

    /** True if every value of a field of so many bits is in it. */
    boolean isWildcard(int bits);

    /** A value in it. */
    Ipv6 least();

    /** A value under a mask. */
    record Bits(Ipv6 value, Ipv6 mask) implements Constraint {
        public Bits {
            if (!value.and(mask).equals(value) || mask.isZero()) {
                throw new IllegalArgumentException(value + " under " + mask + " is not a value under a mask");
            }
        }

        @Override
        public boolean contains(Ipv6 other) {
            return other.and(mask).equals(value);
        }

        @Override
        public boolean covers(Constraint other) {
            return other instanceof Bits bits
                    && bits.mask.and(mask).equals(mask)
                    && bits.value.and(mask).equals(value);
        }

        @Override
        public Optional<Constraint> intersect(Constraint other) {
            Bits bits = (Bits) other;
            Ipv6 common = mask.and(bits.mask);
            return value.and(common).equals(bits.value.and(common))
                    ? Optional.of(new Bits(value.or(bits.value), mask.or(bits.mask)))
                    : Optional.empty();
        }

        /**
         * A part for each bit that only the other one matches: all bits before it as in the other one, this one
         * inverted.
         */
        @Override
        public List<Constraint> without(Constraint other, int bits) {
            return split(value, mask, (Bits) other, bits);
        }

        static List<Constraint> split(Ipv6 value, Ipv6 mask, Bits other, int bits) {
            List<Constraint> parts = new ArrayList<>();
            Ipv6 fixed = value;
            Ipv6 asked = mask;
            for (int at = 128 - bits; at < 128; at++) {
                if (other.mask.bits(at, 1) == 1 && mask.bits(at, 1) == 0) {
                    long wanted = other.value.bits(at, 1);
                    asked = asked.with(at, 1, 1);
                    parts.add(new Bits(fixed.with(at, 1, 1 - wanted), asked));
                    fixed = fixed.with(at, 1, wanted);
                }
            }
            return parts;
        }

        @Override
        public boolean isWildcard(int bits) {
            return mask.shiftLeft(128 - bits).isZero();
        }

        @Override
        public Ipv6 least() {
            return value;
        }

        @Override
        public String toString() {
            return mask.high() == 0 && value.high() == 0
                    ? Long.toHexString(value.low()) + "&" + Long.toHexString(mask.low())
                    : value + "&" + mask;
        }
    }

    /** Values from the first to the last, both unsigned. */
    record Interval(int first, int last) implements Constraint {
        public Interval {
            if (first < 0 || first > last) {
                throw new IllegalArgumentException(first + " to " + last + " is no interval");
            }
        }

        @Override
        public boolean contains(Ipv6 value) {
            return value.high() == 0 && value.low() >= first && value.low() <= last;
        }

        @Override
        public boolean covers(Constraint other) {
            return other instanceof Interval interval && first <= interval.first && interval.last <= last;
        }

        @Override
        public Optional<Constraint> intersect(Constraint other) {
            Interval interval = (Interval) other;
            int from = Math.max(first, interval.first);
            int to = Math.min(last, interval.last);
            return from <= to ? Optional.of(new Interval(from, to)) : Optional.empty();
        }

        @Override
        public List<Constraint> without(Constraint other, int bits) {
            Interval interval = (Interval) other;
            List<Constraint> parts = new ArrayList<>(2);
            if (first < interval.first) {
                parts.add(new Interval(first, interval.first - 1));
            }
            if (interval.last < last) {
                parts.add(new Interval(interval.last + 1, last));
            }
            return parts;
        }

        @Override
        public boolean isWildcard(int bits) {
            return first == 0 && last >= (1 << bits) - 1;
        }

        @Override
        public Ipv6 least() {
            return new Ipv6(0, first);
        }

        @Override
        public String toString() {
            return first == last ? Integer.toString(first) : first + "-" + last;
        }
    }

    /** All values of a field but these. */
    static List<Constraint> but(Constraint constraint, int bits) {
        return constraint instanceof Bits asked
                ? Bits.split(Ipv6.ZERO, Ipv6.ZERO, asked, bits)
                : new Interval(0, (1 << bits) - 1).without(constraint, bits);
    }
}
