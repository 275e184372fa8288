// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

/** The bytes that a copy adds to a packet (docs/reference/livelive.md). */
final class EncapsulationBytes {
    private static final int IPV6 = 40;
    private static final int SRH = 8;
    private static final int SEGMENT = 16;
    private static final int TLV = 16;

    private EncapsulationBytes() {}

    /** A single segment is listed, too: a TLV needs an SRH, and that a list. */
    static int of(int segments) {
        return IPV6 + SRH + SEGMENT * Math.max(1, segments - 1) + TLV;
    }
}
