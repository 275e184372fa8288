// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.EntryTypes.EntryType;
import org.sextant.core.table.TableEntry.Call;
import org.sextant.core.table.TableEntry.Weighted;

/** An underlay route; several members share the traffic by weight (ECMP). */
public record Route(int vrf, IpPrefix destination, List<Member> members) implements Entry {
    public static final String TABLE_V6 = Tables.ROUTE_V6.name();
    public static final String TABLE_V4 = Tables.ROUTE_V4.name();

    static final EntryType TYPE =
            new EntryType(List.of(Tables.ROUTE_V6, Tables.ROUTE_V4), Route::read, Matched.Destination::parse);

    public Route {
        Range.vrf(vrf);
        members = List.copyOf(members);
        if (members.isEmpty()) {
            throw new IllegalArgumentException("the route to " + destination + " has no next hop");
        }
    }

    /** A next hop id of the same node and its share. */
    public record Member(int weight, int nextHop) implements WeightedSet.Member {
        public Member {
            Range.require("weight", weight, 1, Integer.MAX_VALUE);
            Range.nextHop(nextHop);
        }
    }

    @Override
    public Key key() {
        return new Key(destination.isIpv6() ? TABLE_V6 : TABLE_V4, new Matched.Destination(vrf, destination));
    }

    /** True for the keys of routes. */
    public static boolean isKey(Key key) {
        return key.table().equals(TABLE_V6) || key.table().equals(TABLE_V4);
    }

    @Override
    public Stage stage() {
        return Stage.BEHAVIORS;
    }

    @Override
    public Set<Integer> leavesBy() {
        return members.stream().map(Member::nextHop).collect(Collectors.toSet());
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(destination.isIpv6() ? Tables.ROUTE_V6 : Tables.ROUTE_V4)
                .exact(vrf)
                .lpm(destination)
                .chooses(members.stream()
                        .map(member -> new Weighted(
                                member.weight(), Call.of(Actions.SET_NEXT_HOP, Values.number(member.nextHop()))))
                        .toList());
    }

    private static Route read(RowReader row) {
        return new Route(
                row.exact(),
                row.lpm(),
                row.members().stream()
                        .map(member -> new Member(member.weight(), new CallReader(member.call()).number()))
                        .toList());
    }

    @Override
    public boolean means(Entry other) {
        return other instanceof Route route
                && vrf == route.vrf
                && destination.equals(route.destination)
                && WeightedSet.same(members, route.members);
    }

    @Override
    public String actionText() {
        return WeightedSet.text(members, member -> "next_hop " + member.nextHop());
    }
}
