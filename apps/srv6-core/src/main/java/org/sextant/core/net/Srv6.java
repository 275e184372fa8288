// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.Objects;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.SidFormat;

/**
 * A node's SRv6 configuration.
 *
 * @param block the locator block its SIDs come from, as long as the format says
 * @param format how SIDs are cut into uSIDs
 * @param usid its node uSID, from the GIB, not 0
 * @param encapSource source address of outer headers it pushes
 * @param numbered whether the uSID paper's /44 numbering applies: the uSID's low nibble is 0, and the fifteen uSIDs behind
 *     it are global, too, and no other node's of the block
 */
public record Srv6(IpPrefix block, SidFormat format, long usid, Ipv6 encapSource, boolean numbered) {
    public Srv6 {
        Objects.requireNonNull(encapSource);
        if (!block.isIpv6() || block.length() != format.blockLength()) {
            throw new IllegalArgumentException("block " + block + " does not fit format " + format.name()
                    + ", which wants /" + format.blockLength());
        }
        if (!format.isGlobal(usid)) {
            throw new IllegalArgumentException("node uSID 0x" + Long.toHexString(usid) + " is not within 1 to 0x"
                    + Long.toHexString(format.localStart() - 1) + ", the global range (GIB) of " + format.name());
        }
        if (numbered && !canBeNumbered(format, usid)) {
            throw new IllegalArgumentException(
                    "the numbering wants sixteen 16-bit uSIDs of the GIB, from one whose low nibble is 0, not 0x"
                            + Long.toHexString(usid));
        }
    }

    /** A node without a neighbour in uSID space: it is numbered if its uSID allows. */
    public Srv6(IpPrefix block, SidFormat format, long usid, Ipv6 encapSource) {
        this(block, format, usid, encapSource, canBeNumbered(format, usid));
    }

    private static boolean canBeNumbered(SidFormat format, long usid) {
        return format.usidLength() == 16 && (usid & 0xf) == 0 && format.isGlobal(usid | 0xf);
    }

    /** The same node beside others that use the uSIDs of its numbering. */
    Srv6 unnumbered() {
        return new Srv6(block, format, usid, encapSource, false);
    }
}
