// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.neighbors;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.MacAddress;

/** A host on a link asks which MAC address has an IP address. */
interface Question {
    int HEADER_BYTES = 14;
    int MIN_FRAME_BYTES = 60;

    /** The address in question. */
    IpAddress target();

    /** Where the frame with the question came from, and where the answer goes. */
    MacAddress asker();

    /** The frame that says {@code own} has the address. */
    byte[] answer(MacAddress own);

    /** Empty for anything but a well-formed question from one station. */
    static Optional<Question> decode(byte[] frame) {
        if (frame.length < HEADER_BYTES || (frame[6] & 1) != 0) {
            return Optional.empty();
        }
        return switch (ByteBuffer.wrap(frame).getShort(HEADER_BYTES - 2) & 0xffff) {
            case NeighborSolicitation.ETHER_TYPE -> NeighborSolicitation.decode(frame);
            case ArpRequest.ETHER_TYPE -> ArpRequest.decode(frame);
            default -> Optional.empty();
        };
    }

    /** The MAC address at an offset of a frame. */
    static MacAddress mac(byte[] frame, int at) {
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        return new MacAddress((long) (bytes.getShort(at) & 0xffff) << 32 | bytes.getInt(at + 2) & 0xffff_ffffL);
    }

    static ByteBuffer put(ByteBuffer frame, MacAddress mac) {
        return frame.putShort((short) (mac.value() >>> 32)).putInt((int) mac.value());
    }
}
