// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import java.util.List;
import org.sextant.core.net.Node;
import org.sextant.core.underlay.GtpSids;
import org.sextant.core.underlay.SidPlan;
import org.sextant.kit.path.Hop;

/**
 * One direction of a slice.
 *
 * @param from the node where packets enter the slice
 * @param to the node where they leave it
 * @param hops between the two
 * @param field JSON pointer of the hops
 */
record Direction(GtpSids.Way way, Node from, Node to, List<Hop> hops, String field) {

    boolean up() {
        return way == GtpSids.Way.UPLINK;
    }

    /** The SIDs of the node where packets leave. */
    SidPlan sids() {
        return SidPlan.of(to).orElseThrow();
    }

    String word() {
        return up() ? "uplink" : "downlink";
    }
}
