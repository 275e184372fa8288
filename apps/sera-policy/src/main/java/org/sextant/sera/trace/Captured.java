// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.trace;

import java.util.Arrays;
import java.util.HexFormat;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.ip.Ipv6;

/** The bytes of a packet, from its IPv6 header to what that says is its end. */
final class Captured {
    private static final int MOST = 65_575;
    private static final int ETHERNET = 14;
    private static final int IPV6_HEADER = 40;

    private final byte[] bytes;

    private Captured(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Blanks, colons and an Ethernet header in front do not matter. */
    static Captured parse(String hex) {
        String digits = hex.replaceAll("[\\s:]|0x", "");
        if (!digits.matches("([0-9a-fA-F]{2})+") || digits.length() > 2 * MOST) {
            throw broken("that is not a packet in hexadecimal digits");
        }
        byte[] all = HexFormat.of().parseHex(digits);
        boolean frame =
                all.length > ETHERNET && (all[12] & 255) == 0x86 && (all[13] & 255) == 0xdd && all[ETHERNET] >> 4 == 6;
        Captured captured = new Captured(frame ? Arrays.copyOfRange(all, ETHERNET, all.length) : all);
        if (captured.number(0, 1) >> 4 != 6) {
            throw broken("a packet of SRv6 begins with an IPv6 header, and this with " + captured.number(0, 1) / 16);
        }
        int length = IPV6_HEADER + (captured.size() < IPV6_HEADER ? 0 : captured.number(4, 2));
        if (captured.size() < length) {
            throw broken("the IPv6 header says that it has " + length + " bytes, and there are " + captured.size());
        }
        return new Captured(Arrays.copyOf(captured.bytes, length));
    }

    static ProblemException broken(String what) {
        return new ProblemException(
                new Problem(Problem.Code.INVALID, "/hex", what, "give a whole IPv6 packet, as tshark -x prints it"));
    }

    int size() {
        return bytes.length;
    }

    /** An unsigned number of 1 to 4 bytes. */
    int number(int at, int length) {
        int number = 0;
        for (int i = at; i < at + length; i++) {
            number = number << 8 | bytes[i] & 255;
        }
        return number;
    }

    Ipv6 ipv6(int at) {
        return Ipv6.of(Arrays.copyOfRange(bytes, at, at + 16));
    }

    /** The same with another destination, hop limit and segments left; {@code srh} is where that header is, -1: nowhere. */
    Captured moved(Ipv6 destination, int hopLimit, int srh, int segmentsLeft) {
        byte[] next = bytes.clone();
        System.arraycopy(destination.toBytes(), 0, next, 24, 16);
        next[7] = (byte) hopLimit;
        if (srh >= 0) {
            next[srh + 3] = (byte) segmentsLeft;
        }
        return new Captured(next);
    }

    String hex() {
        return HexFormat.of().formatHex(bytes);
    }
}
