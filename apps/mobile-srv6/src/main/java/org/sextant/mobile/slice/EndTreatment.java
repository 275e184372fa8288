// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import org.sextant.core.table.Behavior.Family;

/** The treatment of packets at the end of a path; if a node needs several, each has a list of its own. */
enum EndTreatment {
    /** GTP-U, by End.M.GTP4.E or End.M.GTP6.E. */
    GTP("translated", 0, Family.IPV4),
    /** The inner packet, IPv4. */
    IPV4("translated, IPv4 inside", 0, Family.IPV4),
    /** The inner packet, IPv6. */
    IPV6("translated, IPv6 inside", 1, Family.IPV6),
    /** The received GTP-U packet, which is routed on. */
    WHOLE("carried whole", 2, Family.IPV4),
    /**
     * Packets that the source gNB of a handover returns: End.MAP at the anchor replaces their SID by that of the target
     * gNB (RFC 9433, 6.2). Without a handover they would be decapsulated.
     */
    FORWARDED("forwarded in a handover", 3, Family.IPV4);

    private final String text;
    private final int list;
    private final Family inside;

    EndTreatment(String text, int list, Family inside) {
        this.text = text;
        this.list = list;
        this.inside = inside;
    }

    /** The treatment in text. */
    String text() {
        return text;
    }

    /** Distinguishes the lists of one node. */
    int list() {
        return list;
    }

    /** The family of the traced inner packet; for WHOLE that of GTP-U's outer header. */
    Family inside() {
        return inside;
    }
}
