// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Flags of TCP in the form of iptables: a mask, and the flags within it that are set. Written
 * {@code fin,syn,rst,ack/syn}.
 *
 * @param mask the compared flags
 * @param set those of them that must be set; the others must not be
 */
public record TcpFlags(boolean negated, int mask, int set) {
    /** The flags by their bits, from the lowest (RFC 9293, 3.1). */
    private static final List<String> NAMES = List.of("fin", "syn", "rst", "psh", "ack", "urg", "ece", "cwr");

    /** The value of iptables's {@code ALL}, without ECE and CWR. */
    private static final int ALL = 0x3f;

    public TcpFlags {
        if ((set & ~mask) != 0) {
            throw new IllegalArgumentException("flags have to be set that are not looked at");
        }
        if (mask == 0) {
            throw new IllegalArgumentException("no flag is looked at");
        }
    }

    public TcpFlags not() {
        return new TcpFlags(!negated, mask, set);
    }

    /** @throws IllegalArgumentException with the problem */
    public static TcpFlags parse(String text) {
        boolean negated = text.startsWith("!");
        String[] parts = (negated ? text.substring(1) : text).split("/", -1);
        if (parts.length > 2) {
            throw new IllegalArgumentException("there is more than one slash");
        }
        int mask = bits(parts[0]);
        return new TcpFlags(negated, mask, parts.length == 2 ? bits(parts[1]) : mask);
    }

    /** The bits of flags separated by commas. */
    public static int bits(String text) {
        int bits = 0;
        for (String part : text.split(",", -1)) {
            String word = part.strip().toLowerCase(Locale.ROOT);
            int at = NAMES.indexOf(word);
            if (at < 0 && !word.equals("none") && !word.equals("all")) {
                String shown = word.length() > 40 ? word.substring(0, 40) + "…" : word;
                throw new IllegalArgumentException("\"" + shown + "\" is none of " + String.join(", ", NAMES));
            }
            bits |= at >= 0 ? 1 << at : word.equals("all") ? ALL : 0;
        }
        return bits;
    }

    /** Values under masks, one of which matches if and only if this does. */
    public List<Numbers.Masked> masked() {
        if (!negated) {
            return List.of(new Numbers.Masked(set, mask));
        }
        List<Numbers.Masked> others = new ArrayList<>();
        int same = 0;
        for (int bit = 1; bit <= mask; bit <<= 1) {
            if ((mask & bit) != 0) {
                others.add(new Numbers.Masked((set & same) | (~set & bit), same | bit));
                same |= bit;
            }
        }
        return others;
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return (negated ? "!" : "") + names(mask) + "/" + names(set);
    }

    private static String names(int bits) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < NAMES.size(); i++) {
            if ((bits >> i & 1) != 0) {
                names.add(NAMES.get(i));
            }
        }
        return names.isEmpty() ? "none" : String.join(",", names);
    }
}
