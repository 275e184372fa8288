// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Header;

/**
 * The bytes that the headend pushes, as far as SRv6 decides them.
 *
 * @param nextHeader of the outer IPv6 header
 * @param srh the segment routing header (RFC 8754, 2); empty if there is none
 */
public record OuterHeader(int nextHeader, byte[] srh) {
    private static final int ROUTING_HEADER = 43;
    private static final int ROUTING_TYPE_SRH = 4;
    private static final int IPV6 = 41;
    private static final int IPV4 = 4;

    /**
     * @param path segments in travel order
     * @param reduced the first segment travels in the destination address only, and one alone needs no SRH
     */
    public static OuterHeader of(Family family, List<Ipv6> path, boolean reduced) {
        int inner = family == Family.IPV6 ? IPV6 : IPV4;
        List<Ipv6> listed = reduced ? path.subList(1, path.size()) : path;
        return listed.isEmpty()
                ? new OuterHeader(inner, new byte[0])
                : new OuterHeader(ROUTING_HEADER, srh(inner, onTheWire(listed), path.size() - 1));
    }

    /** The outer header of a packet between nodes. */
    public static OuterHeader of(Header header) {
        int inner = header.inner().family() == Family.IPV6.inside() ? IPV6 : IPV4;
        return header.srh()
                .map(list -> new OuterHeader(ROUTING_HEADER, srh(inner, list.segments(), list.segmentsLeft())))
                .orElse(new OuterHeader(inner, new byte[0]));
    }

    private static List<Ipv6> onTheWire(List<Ipv6> listed) {
        List<Ipv6> segments = new ArrayList<>(listed);
        Collections.reverse(segments);
        return segments;
    }

    /** @param listed the segment list as in the SRH, the last segment first */
    private static byte[] srh(int inner, List<Ipv6> listed, int segmentsLeft) {
        ByteBuffer bytes = ByteBuffer.allocate(8 + 16 * listed.size());
        bytes.put((byte) inner)
                .put((byte) (2 * listed.size()))
                .put((byte) ROUTING_TYPE_SRH)
                .put((byte) segmentsLeft);
        bytes.put((byte) (listed.size() - 1)).put((byte) 0).putShort((short) 0);
        listed.forEach(segment -> bytes.put(segment.toBytes()));
        return bytes.array();
    }

    public String srhHex() {
        return java.util.HexFormat.of().formatHex(srh);
    }
}
