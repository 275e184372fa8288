// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import org.sextant.core.intent.CompileContext;
import org.sextant.core.port.Capabilities;
import org.sextant.core.sid.Encapsulation;
import org.sextant.core.table.Steering;

/** What the data plane of a headend makes of the header that it pushes, where they differ. */
public final class Headend {
    private Headend() {}

    /**
     * How many segments it pushes at most: its Maximum H.Encaps MSD (RFC 9352, 4.3; RFC 8491), as its P4Info offers them, and no more
     * than an SRH holds (RFC 8754, 2). One that never connected may push as many as that.
     */
    public static int maxSegments(CompileContext context, String node, boolean reduced) {
        return Math.min(
                Encapsulation.maxSegments(reduced),
                context.capabilities(node).map(Capabilities::maxSegments).orElse(Integer.MAX_VALUE));
    }

    /** Whether it pushes a list of one segment as a destination alone, whatever it is told: VPP's pipeline does. */
    public static boolean leavesOutSrh(CompileContext context, String node, Family family) {
        String table = family == Family.IPV6 ? Steering.TABLE_V6 : Steering.TABLE_V4;
        return context.capabilities(node)
                .filter(can -> can.offers(table, "h_encaps") && !can.offers(table, "h_encaps_red"))
                .isPresent();
    }

    /** Whether an outer header begins with the hop limit of the packet inside: around IPv6, but for VPP's pipeline. */
    public static boolean copiesHopLimit(CompileContext context, String node, Family family) {
        return family == Family.IPV6 && !leavesOutSrh(context, node, family);
    }
}
