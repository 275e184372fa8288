// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.neighbors;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.ip.MacAddress;

/**
 * A Neighbor Solicitation (RFC 4861, 4.3) that passed the checks of RFC 4861, 7.1.1.
 *
 * @param source of the packet; unspecified if the asker wants to take the address for itself
 */
record NeighborSolicitation(MacAddress asker, Ipv6 source, Ipv6 target) implements Question {
    static final int ETHER_TYPE = 0x86dd;
    private static final int ICMPV6 = 58;
    private static final int IPV6_BYTES = 40;
    private static final int SOLICITATION = 135;
    private static final int SOLICITATION_BYTES = 24;
    private static final int ADVERTISEMENT = 136;
    private static final int ADVERTISEMENT_BYTES = 32;
    private static final int SOURCE_LINK_LAYER = 1;
    private static final int TARGET_LINK_LAYER = 2;
    private static final int HOP_LIMIT = 255;
    private static final int ROUTER = 0x8000_0000;
    private static final int SOLICITED = 0x4000_0000;
    private static final int OVERRIDE = 0x2000_0000;
    private static final Ipv6 ALL_NODES = Ipv6.parse("ff02::1");
    private static final MacAddress ALL_NODES_MAC = MacAddress.parse("33:33:00:00:00:01");
    private static final Ipv6 SOLICITED_NODE = Ipv6.parse("ff02::1:ff00:0");
    private static final int SOLICITED_NODE_BITS = 104;

    static Optional<Question> decode(byte[] frame) {
        if (frame.length < HEADER_BYTES + IPV6_BYTES + SOLICITATION_BYTES) {
            return Optional.empty();
        }
        ByteBuffer packet = ByteBuffer.wrap(frame, HEADER_BYTES, frame.length - HEADER_BYTES)
                .slice();
        int length = packet.getShort(4) & 0xffff;
        boolean isSolicitation = packet.get(0) >>> 4 == 6
                && packet.get(6) == ICMPV6
                && (packet.get(7) & 0xff) == HOP_LIMIT
                && packet.getShort(IPV6_BYTES) == (short) (SOLICITATION << 8)
                && length >= SOLICITATION_BYTES
                && length <= packet.remaining() - IPV6_BYTES;
        if (!isSolicitation) {
            return Optional.empty();
        }
        byte[] message = bytes(packet, IPV6_BYTES, length);
        Ipv6 source = Ipv6.of(bytes(packet, 8, 16));
        Ipv6 destination = Ipv6.of(bytes(packet, 24, 16));
        Ipv6 target = Ipv6.of(Arrays.copyOfRange(message, 8, SOLICITATION_BYTES));
        boolean valid = checksum(source, destination, message) == 0
                && target.bits(0, 8) != 0xff
                && wellFormed(message, source, destination);
        return valid ? Optional.of(new NeighborSolicitation(Question.mac(frame, 6), source, target)) : Optional.empty();
    }

    /** Options have a length; without a source address the question goes to a group and names no sender. */
    private static boolean wellFormed(byte[] message, Ipv6 source, Ipv6 destination) {
        boolean namesSender = false;
        for (int at = SOLICITATION_BYTES; at < message.length; ) {
            int optionBytes = at + 1 < message.length ? 8 * (message[at + 1] & 0xff) : 0;
            if (optionBytes == 0 || at + optionBytes > message.length) {
                return false;
            }
            namesSender |= message[at] == SOURCE_LINK_LAYER;
            at += optionBytes;
        }
        return !source.isZero()
                || !namesSender && destination.truncate(SOLICITED_NODE_BITS).equals(SOLICITED_NODE);
    }

    /** RFC 4861, 7.2.4: to the asker, or to all if the asker has no address. */
    @Override
    public byte[] answer(MacAddress own) {
        boolean toAll = source.isZero();
        Ipv6 destination = toAll ? ALL_NODES : source;
        ByteBuffer message = ByteBuffer.allocate(ADVERTISEMENT_BYTES)
                .putInt(ADVERTISEMENT << 24)
                .putInt(ROUTER | OVERRIDE | (toAll ? 0 : SOLICITED))
                .put(target.toBytes())
                .put((byte) TARGET_LINK_LAYER)
                .put((byte) 1);
        Question.put(message, own);
        message.putShort(2, (short) checksum(target, destination, message.array()));
        ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + IPV6_BYTES + ADVERTISEMENT_BYTES);
        Question.put(frame, toAll ? ALL_NODES_MAC : asker);
        Question.put(frame, own).putShort((short) ETHER_TYPE);
        frame.putInt(6 << 28)
                .putShort((short) ADVERTISEMENT_BYTES)
                .put((byte) ICMPV6)
                .put((byte) HOP_LIMIT);
        return frame.put(target.toBytes())
                .put(destination.toBytes())
                .put(message.array())
                .array();
    }

    /** RFC 4443, 2.3, with the pseudo-header of RFC 8200, 8.1; 0 over a message whose checksum is right. */
    private static int checksum(Ipv6 source, Ipv6 destination, byte[] message) {
        ByteBuffer summed = ByteBuffer.allocate(IPV6_BYTES + message.length + (message.length & 1))
                .put(source.toBytes())
                .put(destination.toBytes())
                .putInt(message.length)
                .putInt(ICMPV6)
                .put(message)
                .rewind();
        int sum = 0;
        while (summed.hasRemaining()) {
            sum += summed.getShort() & 0xffff;
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return ~sum & 0xffff;
    }

    private static byte[] bytes(ByteBuffer from, int at, int count) {
        byte[] bytes = new byte[count];
        from.get(at, bytes);
        return bytes;
    }
}
