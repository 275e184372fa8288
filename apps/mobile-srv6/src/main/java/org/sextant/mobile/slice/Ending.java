// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import org.sextant.core.table.Behavior.Family;

/** What the end of a path makes of packets; each has a list of its own where several are needed at a node. */
enum Ending {
    /** GTP-U, by End.M.GTP4.E or End.M.GTP6.E. */
    GTP("translated", 0, Family.IPV4),
    /** The packet inside, IPv4. */
    IPV4("translated, IPv4 inside", 0, Family.IPV4),
    /** The packet inside, IPv6. */
    IPV6("translated, IPv6 inside", 1, Family.IPV6),
    /** The GTP-U that came, which is routed on. */
    WHOLE("carried whole", 2, Family.IPV4),
    /**
     * Packets that the source gNB of a handover sends back: End.MAP at the anchor exchanges their SID for that of the target gNB (RFC
     * 9433, 6.2). Without a handover they would be decapsulated.
     */
    FORWARDED("forwarded in a handover", 3, Family.IPV4);

    private final String text;
    private final int list;
    private final Family inside;

    Ending(String text, int list, Family inside) {
        this.text = text;
        this.list = list;
        this.inside = inside;
    }

    /** What happens to a packet, for people. */
    String text() {
        return text;
    }

    /** Tells lists of one node apart. */
    int list() {
        return list;
    }

    /** What a walk carries; behind WHOLE it is what GTP-U goes over. */
    Family inside() {
        return inside;
    }
}
