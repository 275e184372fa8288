// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;

/**
 * A recorded frame as the walk sees it. Frames that it has no words for are none of its business: other extension
 * headers, an SRH that contradicts itself, a Payload Length that leaves something out, payload without an inner packet, an
 * inner packet on its last hop, and frames so long that the link's MTU decides.
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
        return isIpv6(frame) && isForUs(frame) && isAllPacket(frame) ? header(tail(frame, ETHERNET_BYTES)).map(OraclePacket::new) : Optional.empty();
    }

    /** A packet without SRv6. */
    static Optional<Payload> user(byte[] frame) {
        return isForUs(frame) && frame.length < LONG_BYTES && frame[ETHERNET_BYTES + (isIpv6(frame) ? 6 : 9)] == UDP ? payload(tail(frame, ETHERNET_BYTES)) : Optional.empty();
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
        int payloadBytes = ByteBuffer.wrap(frame).getShort(ETHERNET_BYTES + 4) & 0xffff;
        return frame.length == ETHERNET_BYTES + IPV6_BYTES + payloadBytes;
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
        IpAddress destination = v6 ? ipv6(packet, 24) : new Ipv4(ByteBuffer.wrap(packet, 16, 4).getInt());
        return (packet[v6 ? 7 : 8] & 0xff) <= 1 ? Optional.empty() : Optional.of(Payload.to(destination));
    }

    private static Ipv6 ipv6(byte[] packet, int at) {
        ByteBuffer address = ByteBuffer.wrap(packet, at, 16);
        return new Ipv6(address.getLong(), address.getLong());
    }

    private static byte[] tail(byte[] bytes, int from) {
        return Arrays.copyOfRange(bytes, from, bytes.length);
    }
}
