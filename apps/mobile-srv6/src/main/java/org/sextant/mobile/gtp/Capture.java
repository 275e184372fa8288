// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.gtp;

import java.util.Arrays;
import java.util.HexFormat;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;

/** The bytes of a packet, and the position from which fields are read. */
final class Capture {
    private static final int MOST = 65_575;
    private static final int ETHERNET = 14;

    private final byte[] bytes;
    private int at;
    private int end;

    private Capture(byte[] bytes) {
        this.bytes = bytes;
        this.end = bytes.length;
    }

    /** Reads hexadecimal digits; ignores blanks, colons and an Ethernet header in front. */
    static Capture parse(String hex) {
        String digits = hex.replaceAll("[\\s:]|0x", "");
        if (!digits.matches("([0-9a-fA-F]{2})+") || digits.length() > 2 * MOST) {
            throw broken("that is not a packet in hexadecimal digits");
        }
        Capture capture = new Capture(HexFormat.of().parseHex(digits));
        boolean frame = capture.bytes.length > ETHERNET
                && (capture.number(12, 2) == 0x0800 || capture.number(12, 2) == 0x86dd)
                && (capture.bytes[ETHERNET] >> 4 == 4 || capture.bytes[ETHERNET] >> 4 == 6);
        capture.at = frame ? ETHERNET : 0;
        return capture;
    }

    static ProblemException broken(String what) {
        return new ProblemException(new Problem(
                Problem.Code.INVALID, "/hex", what, "give a whole IPv4 or IPv6 packet, as tshark -x prints it"));
    }

    int left() {
        return end - at;
    }

    /** Ends the packet after these bytes. */
    void limit(int length) {
        end = at + length;
    }

    private long number(int from, int length) {
        long number = 0;
        for (int i = from; i < from + length; i++) {
            number = number << 8 | bytes[i] & 0xff;
        }
        return number;
    }

    /** The field at an offset from the position. */
    int at(int offset, int length) {
        return (int) number(at + offset, length);
    }

    void skip(int count) {
        at += count;
    }

    /** @throws ProblemException with the header that does not fit */
    void require(int count, String what) {
        if (left() < count) {
            throw broken("the " + what + " has " + count + " bytes, and " + left() + " are left");
        }
    }

    IpAddress address(int offset, boolean six) {
        byte[] field = Arrays.copyOfRange(bytes, at + offset, at + offset + (six ? 16 : 4));
        return six ? Ipv6.of(field) : new Ipv4((int) number(at + offset, 4));
    }
}
