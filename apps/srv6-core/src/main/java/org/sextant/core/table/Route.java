// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;

/** An underlay route; several members share the traffic by weight (ECMP). */
public record Route(int vrf, IpPrefix destination, List<Member> members) implements Entry {
    public static final String TABLE_V6 = Tables.ROUTE_V6.name();
    public static final String TABLE_V4 = Tables.ROUTE_V4.name();

    public Route {
        Range.vrf(vrf);
        members = List.copyOf(members);
        if (members.isEmpty()) {
            throw new IllegalArgumentException("the route to " + destination + " has no next hop");
        }
    }

    /** A next hop id of the same node and its share. */
    public record Member(int weight, int nextHop) {
        public Member {
            Range.require("weight", weight, 1, Integer.MAX_VALUE);
            Range.nextHop(nextHop);
        }
    }

    @Override
    public Key key() {
        return new Key(destination.isIpv6() ? TABLE_V6 : TABLE_V4, new Matched.Destination(vrf, destination));
    }

    @Override
    public Stage stage() {
        return Stage.BEHAVIORS;
    }

    @Override
    public Set<Integer> leavesBy() {
        return members.stream().map(Member::nextHop).collect(Collectors.toSet());
    }
}
