// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.trace;

import java.util.Arrays;
import java.util.HexFormat;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.ip.Ipv6;

/** The bytes of a packet, from its IPv6 header to the end by its length field. */
final class CapturedPacket {
    private static final int MOST = 65_575;
    /** Leaves room for a header and a list of sixteen segments. */
    private static final int MOST_INSIDE = 65_535 - 8 - 16 * 16;

    private static final int ETHERNET = 14;
    private static final int IPV6_HEADER = 40;
    private static final int IPV4_HEADER = 20;

    private final byte[] bytes;

    private CapturedPacket(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Reads hexadecimal digits; ignores blanks, colons and an Ethernet header in front. */
    static CapturedPacket parse(String hex) {
        CapturedPacket captured = new CapturedPacket(withoutFrame(digits(hex)));
        if (captured.number(0, 1) >> 4 != 6) {
            throw broken("a packet of SRv6 begins with an IPv6 header, and this with " + captured.number(0, 1) / 16);
        }
        int length = IPV6_HEADER + (captured.size() < IPV6_HEADER ? 0 : captured.number(4, 2));
        if (captured.size() < length) {
            throw broken("the IPv6 header says that it has " + length + " bytes, and there are " + captured.size());
        }
        return new CapturedPacket(Arrays.copyOf(captured.bytes, length));
    }

    /** Reads a packet before encapsulation, IPv6 or IPv4; ignores blanks, colons and an Ethernet header in front. */
    static byte[] inside(String hex) {
        byte[] all = withoutFrame(digits(hex));
        int length = length(all);
        if (all.length < length) {
            throw broken("the header says that the packet has " + length + " bytes, and there are " + all.length);
        }
        if (length > MOST_INSIDE) {
            throw broken("a packet of " + length + " bytes is too long for another header around it");
        }
        return Arrays.copyOf(all, length);
    }

    /** The length by the header. */
    private static int length(byte[] all) {
        int version = (all[0] & 255) >> 4;
        if (version != 4 && version != 6) {
            throw broken("a packet begins with an IPv6 or IPv4 header, and this with " + version);
        }
        int header = version == 6 ? IPV6_HEADER : IPV4_HEADER;
        return all.length < header
                ? header
                : Math.max(
                        header,
                        version == 6
                                ? header + new CapturedPacket(all).number(4, 2)
                                : new CapturedPacket(all).number(2, 2));
    }

    private static byte[] digits(String hex) {
        String digits = hex.replaceAll("[\\s:]|0x", "");
        if (!digits.matches("([0-9a-fA-F]{2})+") || digits.length() > 2 * MOST) {
            throw broken("that is not a packet in hexadecimal digits");
        }
        return HexFormat.of().parseHex(digits);
    }

    private static byte[] withoutFrame(byte[] all) {
        if (all.length <= ETHERNET) {
            return all;
        }
        int type = (all[12] & 255) << 8 | all[13] & 255;
        int version = (all[ETHERNET] & 255) >> 4;
        boolean frame = type == 0x86dd && version == 6 || type == 0x800 && version == 4;
        return frame ? Arrays.copyOfRange(all, ETHERNET, all.length) : all;
    }

    static ProblemException broken(String what) {
        return new ProblemException(
                new Problem(Problem.Code.INVALID, "/hex", what, "give a whole packet, as tshark -x prints it"));
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

    /** A copy with another destination, hop limit and segments left; {@code srh} is that header's offset, -1: none. */
    CapturedPacket moved(Ipv6 destination, int hopLimit, int srh, int segmentsLeft) {
        byte[] next = bytes.clone();
        System.arraycopy(destination.toBytes(), 0, next, 24, 16);
        next[7] = (byte) hopLimit;
        if (srh >= 0) {
            next[srh + 3] = (byte) segmentsLeft;
        }
        return new CapturedPacket(next);
    }

    String hex() {
        return HexFormat.of().formatHex(bytes);
    }
}
