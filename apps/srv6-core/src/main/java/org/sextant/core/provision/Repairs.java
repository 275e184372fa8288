// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Network;
import org.sextant.core.protect.Guard;
import org.sextant.core.protect.NodeGuards;
import org.sextant.core.table.SidList;

/**
 * The lists that one node repairs with, and which destination is whose.
 *
 * <p>A list's id is a hash of its content, so that an id never gets another content while routes use it, and no list
 * changes its id because another one is added or removed. Two lists of a node that begin at the same id, one pair in
 * 2^28, are distinguished by their order.
 */
final class Repairs {
    static final Repairs NONE = new Repairs(List.of(), new short[0], List.of());

    /** Ids outside of all pools of numbers ({@code kit.SidLists}): 2^28 of them. */
    private static final int FIRST_ID = 0xf000_0000;

    private static final int LAST_ID = 0xffff_ffff;
    private static final short NOT = -1;

    private final List<Routes.Destination> destinations;
    private final short[] listOf;
    private final List<SidList> lists;

    private Repairs(List<Routes.Destination> destinations, short[] listOf, List<SidList> lists) {
        this.destinations = destinations;
        this.listOf = listOf;
        this.lists = lists;
    }

    static Repairs of(List<Routes.Destination> destinations, NodeGuards guards, Network network) {
        List<Optional<List<Ipv6>>> wanted = destinations.stream()
                .map(one -> guards.towards(one.node())
                        .flatMap(Guard::repair)
                        .map(repair -> repair.segments(one.node(), network)))
                .toList();
        Map<List<Ipv6>, Short> places = new TreeMap<>((a, b) -> text(a).compareTo(text(b)));
        wanted.forEach(list -> list.ifPresent(segments -> places.put(segments, NOT)));
        List<SidList> lists = new ArrayList<>();
        Set<Integer> taken = new TreeSet<>();
        places.replaceAll((list, unknown) -> {
            lists.add(new SidList(id(list, taken), List.of(new SidList.Member(1, list))));
            return (short) (lists.size() - 1);
        });
        short[] listOf = new short[destinations.size()];
        for (int i = 0; i < listOf.length; i++) {
            listOf[i] = wanted.get(i).map(places::get).orElse(NOT);
        }
        return new Repairs(destinations, listOf, List.copyOf(lists));
    }

    private static String text(List<Ipv6> segments) {
        return segments.toString();
    }

    private static int id(List<Ipv6> segments, Set<Integer> taken) {
        int id = FIRST_ID + Math.floorMod(31 * text(segments).hashCode(), LAST_ID - FIRST_ID + 1);
        while (!taken.add(id)) {
            id = id == LAST_ID ? FIRST_ID : id + 1;
        }
        return id;
    }

    /** Each list once. */
    List<SidList> lists() {
        return lists;
    }

    void forEach(BiConsumer<IpPrefix, SidList> standby) {
        for (int i = 0; i < listOf.length; i++) {
            if (listOf[i] != NOT) {
                SidList list = lists.get(listOf[i]);
                destinations.get(i).prefixes().forEach(prefix -> standby.accept(prefix, list));
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Repairs that
                && Arrays.equals(listOf, that.listOf)
                && lists.equals(that.lists)
                && (destinations == that.destinations || destinations.equals(that.destinations));
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(listOf) + lists.hashCode();
    }
}
