// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;

/**
 * A recorded frame as the walk sees it. Frames outside of its model are left out: other extension headers, an SRH that
 * contradicts itself, a Payload Length that leaves something out, payload without an inner packet, an inner packet that
 * no router forwards (on its last hop, with an invalid header, from an address of a link), and frames so long that the
 * link's MTU decides.
 */
record OraclePacket(Header header) {
    private static final int ETHERNET_BYTES = 14;
    private static final int IPV6_BYTES = 40;
    private static final int IPV4 = 4;
    private static final int IPV6 = 41;
    private static final int ROUTING = 43;
    private static final int UDP = 17;
    private static final int LONG_BYTES = 8_000;

    /** Destination and Segments Left of an IPv6 header, 0 without an SRH. */
    record Outer(Ipv6 destination, int segmentsLeft) {}

    static Optional<OraclePacket> parse(byte[] frame) {
        return isIpv6(frame) && isForUs(frame) && isAllPacket(frame)
                ? header(tail(frame, ETHERNET_BYTES)).map(OraclePacket::new)
                : Optional.empty();
    }

    /** A packet without SRv6. */
    static Optional<Payload> user(byte[] frame) {
        return isForUs(frame) && frame.length < LONG_BYTES && frame[ETHERNET_BYTES + (isIpv6(frame) ? 6 : 9)] == UDP
                ? payload(tail(frame, ETHERNET_BYTES))
                : Optional.empty();
    }

    static Optional<Outer> outer(byte[] frame) {
        if (!isIpv6(frame)) {
            return Optional.empty();
        }
        byte[] packet = tail(frame, ETHERNET_BYTES);
        return Optional.of(new Outer(ipv6(packet, 24), packet[6] == ROUTING ? packet[IPV6_BYTES + 3] & 0xff : 0));
    }

    private static boolean isIpv6(byte[] frame) {
        return frame[12] == (byte) 0x86 && frame[13] == (byte) 0xdd;
    }

    private static boolean isAllPacket(byte[] frame) {
        return frame.length == ETHERNET_BYTES + IPV6_BYTES + word(frame, ETHERNET_BYTES + 4);
    }

    private static boolean isForUs(byte[] frame) {
        return (frame[0] & 1) == 0;
    }

    private static Optional<Header> header(byte[] packet) {
        int next = packet[6] & 0xff;
        Optional<Header.Srh> srh = Optional.empty();
        int at = IPV6_BYTES;
        if (next == ROUTING) {
            int bytes = 8 * (1 + (packet[at + 1] & 0xff));
            int lastEntry = packet[at + 4] & 0xff;
            if (packet[at + 2] != 4 || 8 + 16 * (lastEntry + 1) > bytes || at + bytes > packet.length) {
                return Optional.empty();
            }
            List<Ipv6> segments = new ArrayList<>();
            for (int i = 0; i <= lastEntry; i++) {
                segments.add(ipv6(packet, at + 8 + 16 * i));
            }
            srh = Optional.of(new Header.Srh(segments, packet[at + 3] & 0xff));
            next = packet[at] & 0xff;
            at += bytes;
        }
        if (next != IPV6 && next != IPV4 || at + 20 > packet.length) {
            return Optional.empty();
        }
        byte[] carried = tail(packet, at);
        Optional<Header.Srh> list = srh;
        Optional<Inner> inner = next == IPV6 && (carried[6] == IPV6 || carried[6] == ROUTING)
                ? header(carried).map(Inner.class::cast)
                : payload(carried).map(Inner.class::cast);
        return inner.map(one -> new Header(ipv6(packet, 24), list, packet[7] & 0xff, one));
    }

    private static Optional<Payload> payload(byte[] packet) {
        boolean v6 = packet[0] >> 4 == 6;
        if (!(v6 ? isForwardableIpv6(packet) : isForwardableIpv4(packet))) {
            return Optional.empty();
        }
        IpAddress destination =
                v6 ? ipv6(packet, 24) : new Ipv4(ByteBuffer.wrap(packet, 16, 4).getInt());
        return Optional.of(Payload.to(destination));
    }

    /** RFC 8200, 3; RFC 4291, 2.5.2 and 2.5.6. */
    private static boolean isForwardableIpv6(byte[] packet) {
        long source = ipv6(packet, 8).high();
        boolean staysOnLink = source >>> 54 == 0xfe80 >>> 6 || ipv6(packet, 8).equals(Ipv6.parse("::"));
        return IPV6_BYTES + word(packet, 4) <= packet.length && (packet[7] & 0xff) > 1 && !staysOnLink;
    }

    /** RFC 1812, 5.2.2 and 5.3.1; RFC 3927, 2.6.2. */
    private static boolean isForwardableIpv4(byte[] packet) {
        int headerBytes = 4 * (packet[0] & 0xf);
        boolean isWhole = packet[0] >> 4 == 4
                && headerBytes >= 20
                && word(packet, 2) <= packet.length
                && word(packet, 12) != 0xa9fe;
        return isWhole
                && (packet[8] & 0xff) > 1
                && IntStream.range(0, headerBytes / 2)
                                        .map(i -> word(packet, 2 * i))
                                        .sum()
                                % 0xffff
                        == 0;
    }

    private static int word(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes).getShort(at) & 0xffff;
    }

    private static Ipv6 ipv6(byte[] packet, int at) {
        ByteBuffer address = ByteBuffer.wrap(packet, at, 16);
        return new Ipv6(address.getLong(), address.getLong());
    }

    private static byte[] tail(byte[] bytes, int from) {
        return Arrays.copyOfRange(bytes, from, bytes.length);
    }
}
