// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MySid;
import org.sextant.core.table.NextHop;
import org.sextant.core.table.Route;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Standby;

/**
 * The lookups of a Linux node that holds these entries: the longest prefix first; of one prefix a SID, then the members of the
 * route whose port has its carrier, then the standby. A prefix of which nothing is left counts as absent, and the next shorter
 * one is looked up ({@code fib6_backtrack}, with {@code ignore_routes_with_linkdown}).
 */
final class KernelTables {

    /** The result of a lookup: exactly one of them. */
    record Match(Optional<MySid> sid, List<Integer> ports, Optional<List<Ipv6>> repair) {}

    private static final class Slot {
        private Optional<MySid> sid = Optional.empty();
        private List<Integer> ports = List.of();
        private Optional<List<Ipv6>> repair = Optional.empty();

        private Optional<Match> match(Set<Integer> dead) {
            if (sid.isPresent()) {
                return Optional.of(new Match(sid, List.of(), Optional.empty()));
            }
            List<Integer> left =
                    ports.stream().filter(port -> !dead.contains(port)).toList();
            if (!left.isEmpty()) {
                return Optional.of(new Match(Optional.empty(), left, Optional.empty()));
            }
            return repair.map(list -> new Match(Optional.empty(), List.of(), Optional.of(list)));
        }
    }

    private final TreeMap<Integer, Map<Ipv6, Slot>> slots = new TreeMap<>(Collections.reverseOrder());
    private final Map<Integer, Integer> portOf = new HashMap<>();

    KernelTables(List<Entry> entries) {
        Map<Integer, List<Ipv6>> lists = new HashMap<>();
        for (Entry entry : entries) {
            if (entry instanceof NextHop hop) {
                portOf.put(hop.id(), hop.port());
            } else if (entry instanceof SidList list) {
                lists.put(list.id(), list.members().get(0).segments());
            }
        }
        for (Entry entry : entries) {
            if (entry instanceof MySid sid) {
                slot(sid.sid()).sid = Optional.of(sid);
            } else if (entry instanceof Route route && route.destination().isIpv6()) {
                slot(route.destination()).ports = route.members().stream()
                        .map(member -> port(member.nextHop()))
                        .toList();
            } else if (entry instanceof Standby standby) {
                slot(standby.destination()).repair = Optional.of(lists.get(standby.sidList()));
            }
        }
    }

    private Slot slot(IpPrefix prefix) {
        return slots.computeIfAbsent(prefix.length(), length -> new HashMap<>())
                .computeIfAbsent((Ipv6) prefix.address(), address -> new Slot());
    }

    /** The port of an adjacency. */
    int port(int nextHop) {
        return portOf.get(nextHop);
    }

    /** @param dead ports without carrier */
    Optional<Match> lookup(Ipv6 destination, Set<Integer> dead) {
        for (Map.Entry<Integer, Map<Ipv6, Slot>> length : slots.entrySet()) {
            Slot slot = length.getValue().get(destination.truncate(length.getKey()));
            Optional<Match> match = slot == null ? Optional.empty() : slot.match(dead);
            if (match.isPresent()) {
                return match;
            }
        }
        return Optional.empty();
    }

    /** Segment lists that the node repairs with. */
    List<List<Ipv6>> repairs() {
        return slots.values().stream()
                .flatMap(ofLength -> ofLength.values().stream())
                .flatMap(slot -> slot.repair.stream())
                .distinct()
                .toList();
    }
}
