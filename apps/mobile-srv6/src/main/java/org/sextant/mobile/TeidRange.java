// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import java.util.ArrayList;
import java.util.List;
import org.sextant.core.table.Ternary;

/** Tunnel endpoint identifiers from {@code first} to {@code last}, inclusive; 0 is reserved (TS 29.281, 5.1). */
public record TeidRange(long first, long last) {
    private static final long MOST = 0xffff_ffffL;

    public TeidRange {
        if (first < 1 || last > MOST || first > last) {
            throw new IllegalArgumentException(
                    "TEIDs " + first + " to " + last + " are not a range within 1 to 4294967295");
        }
    }

    /** Reads {@code 4097} or {@code 0x1000-0x1fff}. */
    public static TeidRange parse(String text) {
        int dash = text.indexOf('-');
        long first = teid(dash < 0 ? text : text.substring(0, dash));
        return new TeidRange(first, dash < 0 ? first : teid(text.substring(dash + 1)));
    }

    /** Reads a decimal number, or a hexadecimal one with 0x in front; within the bounds of its type only. */
    static long teid(String text) {
        String digits = text.strip();
        boolean hexadecimal = digits.regionMatches(true, 0, "0x", 0, 2);
        if (!digits.matches("0[xX][0-9a-fA-F]{1,12}|[0-9]{1,15}")) {
            throw new IllegalArgumentException("\"" + text + "\" is not a TEID");
        }
        return hexadecimal ? Long.parseLong(digits.substring(2), 16) : Long.parseLong(digits);
    }

    public boolean contains(int teid) {
        long unsigned = Integer.toUnsignedLong(teid);
        return first <= unsigned && unsigned <= last;
    }

    /** Is true if some TEID is in both. */
    public boolean meets(TeidRange other) {
        return first <= other.last && other.first <= last;
    }

    /** The fewest values with masks that together match exactly the range; 62 at most. */
    public List<Ternary> masks() {
        List<Ternary> masks = new ArrayList<>();
        long from = first;
        while (from <= last) {
            int aligned = from == 0 ? Integer.SIZE : Long.numberOfTrailingZeros(from);
            int fitting = Long.SIZE - 1 - Long.numberOfLeadingZeros(last - from + 1);
            int wild = Math.min(aligned, fitting);
            masks.add(new Ternary((int) from, (int) (MOST << wild)));
            from += 1L << wild;
        }
        return masks;
    }

    @Override
    public String toString() {
        return first == last ? hex(first) : hex(first) + "-" + hex(last);
    }

    private static String hex(long teid) {
        return "0x" + Long.toHexString(teid);
    }
}
