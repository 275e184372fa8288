// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.Objects;
import org.sextant.core.ip.Ipv6;

/**
 * The arguments of a packet behind the function of its last SID (RFC 8986, 3.1).
 *
 * @param bits left-aligned, zero behind {@code length}
 * @param length in bits, 1 to 127
 */
public record Arguments(Ipv6 bits, int length) {
    public Arguments {
        Objects.requireNonNull(bits);
        if (length < 1 || length > 127 || !bits.truncate(length).equals(bits)) {
            throw new IllegalArgumentException(bits + " is not " + length + " bits of arguments");
        }
    }

    /** The lower {@code length} bits of {@code value}. */
    public static Arguments of(long value, int length) {
        return new Arguments(Ipv6.ZERO.with(0, length, value), length);
    }

    /** These arguments behind others. */
    public Arguments behind(Arguments first) {
        return new Arguments(first.bits.or(bits.shiftRight(first.length)), first.length + length);
    }

    /** A SID with these in it, from bit {@code at} on; they were zero there. */
    public Ipv6 in(Ipv6 sid, int at) {
        if (at + length > 128 || !sid.equals(sid.and(outside(at)))) {
            throw new IllegalArgumentException(sid + " has no room for " + length + " bits at " + at);
        }
        return sid.or(bits.shiftRight(at));
    }

    private Ipv6 outside(int at) {
        Ipv6 behind = at + length < 128 ? Ipv6.mask(128 - at - length).shiftRight(at + length) : Ipv6.ZERO;
        return Ipv6.mask(at).or(behind);
    }
}
