// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.List;
import java.util.Optional;

/**
 * The format of a 128-bit SID: a locator block, then uSIDs of one length (RFC 9800, 4.1: LBL and LNFL).
 *
 * @param blockLength bits of the block
 * @param usidLength bits of a uSID, 16 or 32
 * @param localStart the first uSID of the local range (LIB); below it is the global range (GIB). uSID 0 ends a container.
 *     From 0xe000 on (0xe0000000) uSIDs are local in every format: there lie the uA and the markers that decapsulate
 */
public record SidFormat(String name, int blockLength, int usidLength, long localStart) {

    public static final SidFormat F3216 = of("F3216", 32, 16);
    public static final SidFormat F4816 = of("F4816", 48, 16);
    public static final SidFormat F4832 = of("48/32", 48, 32);
    public static final SidFormat F3232 = of("32/32", 32, 32);
    public static final SidFormat F1616 = of("F1616", 16, 16);

    private static final List<SidFormat> KNOWN = List.of(F3216, F4816, F4832, F3232, F1616);

    public SidFormat {
        if (usidLength != 16 && usidLength != 32) {
            throw new IllegalArgumentException("a uSID has 16 or 32 bits, not " + usidLength);
        }
        if (blockLength < 8 || blockLength % 8 != 0) {
            throw new IllegalArgumentException("a block has 8 or more bits, in whole bytes, not " + blockLength);
        }
        // A container without room for a node and its function has no uA and no decapsulation.
        if (blockLength + 2 * usidLength > 128) {
            throw new IllegalArgumentException("a block of " + blockLength
                    + " bits leaves no room for a node's uSID and a local one behind it, of " + usidLength
                    + " bits each");
        }
        if (localStart < 2 || localStart > usualLocalStart(usidLength)) {
            throw new IllegalArgumentException(
                    "the local range starts within 2 to " + Long.toHexString(usualLocalStart(usidLength))
                            + ", where the uA begin, not at " + Long.toHexString(localStart));
        }
    }

    private static long usualLocalStart(int usidLength) {
        return 0xeL << usidLength - 4;
    }

    /** The usual split of 7/8 global and 1/8 local uSIDs: LIB from 0xe000 (or 0xe0000000). */
    public static SidFormat of(String name, int blockLength, int usidLength) {
        return new SidFormat(name, blockLength, usidLength, usualLocalStart(usidLength));
    }

    /** F3216, F4816, F1616, 48/32 or 32/32. */
    public static Optional<SidFormat> byName(String name) {
        return KNOWN.stream().filter(format -> format.name.equals(name)).findFirst();
    }

    /** The names that {@link #byName} accepts. */
    public static List<String> names() {
        return KNOWN.stream().map(SidFormat::name).toList();
    }

    /** uSIDs per container: 6 for F3216. */
    public int capacity() {
        return (128 - blockLength) / usidLength;
    }

    public boolean isGlobal(long usid) {
        return usid > 0 && usid < localStart;
    }

    public boolean isLocal(long usid) {
        return usid >= localStart && usid < 1L << usidLength;
    }
}
