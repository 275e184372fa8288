// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import org.sextant.core.intent.CompileContext;
import org.sextant.core.port.Capabilities;
import org.sextant.core.sid.Encapsulation;
import org.sextant.core.table.Steering;

/** The differences between headends in the header that they push. */
public final class Headend {
    private Headend() {}

    /**
     * The most segments that a headend pushes: its Maximum H.Encaps MSD (RFC 9352, 4.3; RFC 8491), as its P4Info offers
     * it, and no more than an SRH holds (RFC 8754, 2). A node that never connected has the latter bound only.
     */
    public static int maxSegments(CompileContext context, String node, boolean reduced) {
        return Math.min(
                Encapsulation.maxSegments(reduced),
                context.capabilities(node).map(Capabilities::maxSegments).orElse(Integer.MAX_VALUE));
    }

    /** Is true if the headend pushes one segment without an SRH even for {@code h_encaps}, as VPP's pipeline does. */
    public static boolean leavesOutSrh(CompileContext context, String node, Family family) {
        String table = family == Family.IPV6 ? Steering.TABLE_V6 : Steering.TABLE_V4;
        return context.capabilities(node)
                .filter(can -> can.offers(table, "h_encaps") && !can.offers(table, "h_encaps_red"))
                .isPresent();
    }

    /** Is true if an outer header begins with the hop limit of the packet inside: around IPv6, except on VPP. */
    public static boolean copiesHopLimit(CompileContext context, String node, Family family) {
        return family == Family.IPV6 && !leavesOutSrh(context, node, family);
    }
}
