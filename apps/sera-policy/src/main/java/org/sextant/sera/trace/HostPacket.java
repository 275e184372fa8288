// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.trace;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.sextant.core.filter.Facts;
import org.sextant.core.filter.KeyField;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Header;
import org.sextant.core.sid.Payload;
import org.sextant.kit.Family;
import org.sextant.kit.OuterHeader;
import org.sextant.sera.Protocols;

/**
 * A packet as a host sends it, before encapsulation at a headend.
 *
 * @param facts all fields of the inner packet that rules may match
 * @param bytes the packet; for one given by its fields the least number of bytes, all 0
 * @param whole true if {@code bytes} are those of the packet
 */
record HostPacket(Facts facts, IpAddress destination, byte[] bytes, boolean whole) {
    private static final int IPV6_HEADER = 40;
    private static final int IPV4_HEADER = 20;
    private static final int TCP_HEADER = 20;
    private static final int OTHER_HEADER = 8;
    private static final int NO_NEXT = 59;

    /** A packet without payload, given by its fields. */
    static HostPacket described(Facts facts, IpAddress destination) {
        int protocol = (int) facts.given(KeyField.IP_PROTOCOL).orElseThrow().low();
        int header = protocol == NO_NEXT ? 0 : protocol == Protocols.TCP ? TCP_HEADER : OTHER_HEADER;
        int length = header + (destination instanceof Ipv6 ? IPV6_HEADER : IPV4_HEADER);
        return new HostPacket(facts, destination, new byte[length], false);
    }

    /** @throws org.sextant.core.ProblemException if a headend would not accept the bytes as a packet */
    static HostPacket given(String hex, boolean established) {
        byte[] bytes = CapturedPacket.inside(hex);
        int version = (bytes[0] & 255) >> 4;
        Header outer = Header.encapsulated(
                List.of(Ipv6.ZERO),
                true,
                Header.DEFAULT_HOP_LIMIT,
                Payload.of(version == 6 ? Family.IPV6.inside() : Family.IPV4.inside()));
        HostPacket unread = new HostPacket(Facts.NONE, Ipv6.ZERO, bytes, true);
        ParsedPacket read = ParsedPacket.of(CapturedPacket.parse(unread.hex(outer, Ipv6.ZERO)));
        read.malformed().ifPresent(why -> {
            throw CapturedPacket.broken(why);
        });
        return new HostPacket(read.facts().with(KeyField.ESTABLISHED, established ? 1 : 0), read.inside(), bytes, true);
    }

    Family family() {
        return Family.of(destination);
    }

    /** The first hop limit of an outer header that copies it. */
    int hopLimit() {
        return whole && family() == Family.IPV6 ? bytes[7] & 255 : Header.DEFAULT_HOP_LIMIT;
    }

    /**
     * The outer header in hexadecimal digits, with this destination and hop limit; traffic class and flow label are
     * those of inner IPv6.
     */
    String outer(Header header, Ipv6 source) {
        OuterHeader outer = OuterHeader.of(header);
        ByteBuffer buffer = ByteBuffer.allocate(IPV6_HEADER + outer.srh().length);
        boolean labelled = whole && (bytes[0] & 255) >> 4 == 6;
        buffer.putInt(labelled ? ByteBuffer.wrap(bytes).getInt() : 6 << 28);
        buffer.putShort((short) (outer.srh().length + bytes.length));
        buffer.put((byte) outer.nextHeader()).put((byte) header.hopLimit());
        buffer.put(source.toBytes()).put(header.destination().toBytes());
        return HexFormat.of().formatHex(buffer.put(outer.srh()).array());
    }

    /** The packet with an outer header. */
    String hex(Header header, Ipv6 source) {
        return outer(header, source) + HexFormat.of().formatHex(bytes);
    }
}
