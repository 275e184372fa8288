// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import org.sextant.core.underlay.GtpSids.Container;
import org.sextant.kit.Family;
import org.sextant.mobile.Slice;

/** The constants of GTP-U for a plan. */
final class Gtp {
    /** TS 29.281, 4.4.2. */
    static final int PORT = 2152;

    static final int UDP = 17;

    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int UDP_AND_GTP = 16;
    private static final int CONTAINER = 8;

    private Gtp() {}

    /** Bytes in front of the inner packet: 36, 44 with a PDU Session Container; 56 and 64 over IPv6. */
    static int bytes(Slice slice) {
        int ip = slice.family() == Family.IPV4 ? IPV4_HEADER : IPV6_HEADER;
        return ip + UDP_AND_GTP + (slice.container() == Container.NEVER ? 0 : CONTAINER);
    }
}
