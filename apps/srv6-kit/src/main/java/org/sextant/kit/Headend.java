// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import org.sextant.core.intent.CompileContext;
import org.sextant.core.table.Steering;

/** What the data plane of a headend makes of the header that it pushes, where they differ. */
public final class Headend {
    private Headend() {}

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
