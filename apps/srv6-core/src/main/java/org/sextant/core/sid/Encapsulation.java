// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

/**
 * The overhead of an encapsulation in bytes: everything from the outer IPv6 header up to the inner packet (uSID paper,
 * section IV, metric E).
 *
 * @param reduced H.Encaps.Red (RFC 8986, 5.2): the first segment travels in the destination address only
 * @param segments segments as sent: containers and SIDs that stand alone
 * @param uncompressed segments that the same path has without compression
 */
public record Encapsulation(boolean reduced, int segments, int uncompressed) {

    /** Hdr Ext Len is 8 bits of 8-byte units (RFC 8754, 2), two units to a segment. */
    public static final int MAX_SRH_ENTRIES = 255 / 2;

    private static final int IPV6_BYTES = 40;
    private static final int SRH_FIXED_BYTES = 8;
    private static final int SEGMENT_BYTES = 16;

    public Encapsulation {
        if (segments < 1 || uncompressed < 1) {
            throw new IllegalArgumentException("an encapsulation has at least one segment");
        }
        if (segments > maxSegments(reduced)) {
            throw new IllegalArgumentException(segments + " segments do not fit into an SRH, which holds "
                    + maxSegments(reduced) + (reduced ? " with H.Encaps.Red" : " with H.Encaps"));
        }
    }

    /** The longest segment list that the headend behavior can send: the SRH's entries, one more if reduced. */
    public static int maxSegments(boolean reduced) {
        return reduced ? MAX_SRH_ENTRIES + 1 : MAX_SRH_ENTRIES;
    }

    /** Bytes in front of the inner packet. */
    public int bytes() {
        return reduced ? reducedBytes(segments) : fullBytes(segments);
    }

    /** Bytes that the path costs in plain SRv6, one SID per hop, with the reduced encapsulation of the paper's comparison. */
    public int plainSrv6Bytes() {
        return reducedBytes(uncompressed);
    }

    /** Bytes that the path costs with the CRH of 16-bit identifiers and its Destination Options header. */
    public int crh16Bytes() {
        return crhBytes(uncompressed, 2);
    }

    /** Bytes that the path costs with the CRH of 32-bit identifiers and its Destination Options header. */
    public int crh32Bytes() {
        return crhBytes(uncompressed, 4);
    }

    /** The part of plain SRv6's bytes that {@code bytes} saves, in percent; negative if it costs more. */
    public double savingPercent(int bytes) {
        return 100.0 * (plainSrv6Bytes() - bytes) / plainSrv6Bytes();
    }

    /** The part of plain SRv6's bytes that this encapsulation saves, in percent. */
    public double savingPercent() {
        return savingPercent(bytes());
    }

    /** E = 40 for one segment, which needs no SRH, else 40 + 8 + 16(n-1). */
    public static int reducedBytes(int segments) {
        return segments == 1 ? IPV6_BYTES : IPV6_BYTES + SRH_FIXED_BYTES + SEGMENT_BYTES * (segments - 1);
    }

    /** H.Encaps always writes the whole list: 40 + 8 + 16n. */
    public static int fullBytes(int segments) {
        return IPV6_BYTES + SRH_FIXED_BYTES + SEGMENT_BYTES * segments;
    }

    /** 40 + 8 for one identifier, else 40 + ceil((4 + n·size) / 8)·8 + 8 (uSID paper, IV-B). */
    private static int crhBytes(int identifiers, int size) {
        int routingHeader = identifiers == 1 ? 0 : (4 + identifiers * size + 7) / 8 * 8;
        return IPV6_BYTES + routingHeader + 8;
    }
}
