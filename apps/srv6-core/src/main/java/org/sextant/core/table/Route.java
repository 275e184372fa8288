// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import org.sextant.core.ip.IpPrefix;

/** An underlay route; several members share the traffic by weight (ECMP). */
public record Route(int vrf, IpPrefix destination, List<Member> members) implements Entry {
    public static final String TABLE_V6 = "route_v6";
    public static final String TABLE_V4 = "route_v4";

    public Route {
        members = List.copyOf(members);
        if (members.isEmpty()) {
            throw new IllegalArgumentException("the route to " + destination + " has no next hop");
        }
    }

    /** A next hop id of the same node and its share. */
    public record Member(int weight, int nextHop) {}

    @Override
    public Key key() {
        return new Key(destination.isIpv6() ? TABLE_V6 : TABLE_V4, "vrf " + vrf + " " + destination);
    }

    @Override
    public Stage stage() {
        return Stage.BEHAVIORS;
    }
}
