// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

/**
 * Computes whether a Linux headend moves every packet twice in memory to push its header (paper on double reallocation
 * in lightweight tunnels, sections 2 and 3).
 *
 * <p>The kernel first calls {@code skb_cow_head} for the new header plus the old link layer header, and later reserves
 * the output device's {@code LL_RESERVED_SPACE}. Both round up to the cache line. The second request moves the packet
 * again if rounding the first left less than the device's reserve:
 *
 * <pre>
 *   delta = header + mac - headroom
 *   twice = delta > 0  and  roundUp(delta, cacheLine) - delta &lt; reserve - mac
 * </pre>
 *
 * Kernels with the paper's patch cache the device and reserve once: {@link #FIXED_IN}.
 *
 * @param headroomBytes before the header that arrives, behind the driver's own: 192 + 14 for i40e
 * @param macBytes length of the link layer header of the packet that arrived, 14 for Ethernet
 * @param linkReserveBytes LL_RESERVED_SPACE of the output device, 16 for Ethernet
 * @param cacheLineBytes the unit of skb_cow_head's rounding: 64 on x86
 */
public record DoubleReallocation(int headroomBytes, int macBytes, int linkReserveBytes, int cacheLineBytes) {

    /** The first release of each kernel series that reserves once; older series were not fixed. */
    public static final String FIXED_IN = "6.6.81, 6.12.16 or 6.14";

    /** The machine of the paper's Table 1: x86 with an Intel XL710 (i40e). */
    public static final DoubleReallocation X86_I40E = new DoubleReallocation(206, 14, 16, 64);

    public DoubleReallocation {
        if (headroomBytes < 0 || macBytes < 0 || linkReserveBytes < 0 || Integer.bitCount(cacheLineBytes) != 1) {
            throw new IllegalArgumentException("lengths are 0 or more and a cache line is a power of two");
        }
    }

    /** The kind of header that is pushed. */
    public enum Mode {
        /** H.Encaps: the whole list. */
        ENCAP,
        /** H.Encaps.Red: without the first segment. */
        RED,
        /** Into the packet's own header: the list and the original destination, no outer header. */
        INLINE
    }

    /** The result for a header: {@code twice} if pushing {@code headerBytes} moves the packet twice. */
    public record Verdict(int headerBytes, boolean twice) {}

    /** The verdict for a list of {@code segments} SIDs or containers. */
    public Verdict verdict(Mode mode, int segments) {
        int header = headerBytes(mode, segments);
        int delta = header + macBytes - headroomBytes;
        int slack = (cacheLineBytes - delta % cacheLineBytes) % cacheLineBytes;
        return new Verdict(header, delta > 0 && slack < linkReserveBytes - macBytes);
    }

    /** The length of the headers that the kernel pushes in front of the packet. */
    public static int headerBytes(Mode mode, int segments) {
        return switch (mode) {
            case ENCAP -> Encapsulation.fullBytes(segments);
            case RED -> Encapsulation.reducedBytes(segments);
            case INLINE -> 8 + 16 * (segments + 1);
        };
    }
}
