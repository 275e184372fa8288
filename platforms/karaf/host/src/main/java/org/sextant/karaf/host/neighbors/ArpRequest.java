// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.neighbors;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.MacAddress;

/**
 * An ARP request (RFC 826) for Ethernet and IPv4; also a probe (RFC 5227, 2.1.1), whose sender has no address yet.
 *
 * @param asker the frame's source, which must be the request's sender
 * @param source the sender's address, 0.0.0.0 in a probe
 */
record ArpRequest(MacAddress asker, Ipv4 source, Ipv4 target) implements Question {
    static final int ETHER_TYPE = 0x0806;
    private static final int BYTES = 28;

    /** Ethernet, IPv4, their lengths, and the operation: 1 asks, 2 answers. */
    private static final long ETHERNET_IPV4 = 0x0001_0800_0604L;

    private static final int REQUEST = 1;
    private static final int REPLY = 2;

    static Optional<Question> decode(byte[] frame) {
        if (frame.length < HEADER_BYTES + BYTES) {
            return Optional.empty();
        }
        ByteBuffer arp = ByteBuffer.wrap(frame, HEADER_BYTES, BYTES).slice();
        MacAddress asker = Question.mac(frame, 6);
        if (arp.getLong(0) != (ETHERNET_IPV4 << 16 | REQUEST)
                || !Question.mac(frame, HEADER_BYTES + 8).equals(asker)) {
            return Optional.empty();
        }
        return Optional.of(new ArpRequest(asker, new Ipv4(arp.getInt(14)), new Ipv4(arp.getInt(24))));
    }

    @Override
    public byte[] answer(MacAddress own) {
        ByteBuffer frame = ByteBuffer.allocate(MIN_FRAME_BYTES);
        Question.put(frame, asker);
        Question.put(frame, own).putShort((short) ETHER_TYPE).putLong(ETHERNET_IPV4 << 16 | REPLY);
        Question.put(frame, own).put(target.toBytes());
        Question.put(frame, asker).put(source.toBytes());
        return frame.array();
    }
}
