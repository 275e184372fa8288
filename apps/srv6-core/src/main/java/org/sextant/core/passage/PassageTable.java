// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.passage;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.passage.Passages.Owned;

/** The passages that begin at one place. */
final class PassageTable<O> {
    private final NavigableMap<IpPrefix, List<Owned<O>>> v6 = new TreeMap<>(Addresses.BY_ADDRESS);
    private final NavigableMap<IpPrefix, List<Owned<O>>> v4 = new TreeMap<>(Addresses.BY_ADDRESS);

    /** The number of routes of each length, IPv6 and IPv4. */
    private final NavigableMap<Integer, Integer> lengths = new TreeMap<>();

    private final List<Owned<O>> flows = new ArrayList<>();

    void add(Owned<O> added) {
        if (added.passage().rule() == Passage.Rule.BEFORE_ROUTES) {
            flows.add(added);
            return;
        }
        IpPrefix destination = added.passage().packets().destination();
        routes(destination)
                .computeIfAbsent(destination, prefix -> new ArrayList<>(1))
                .add(added);
        lengths.merge(destination.length(), 1, Integer::sum);
    }

    /** True if nothing is left. */
    boolean remove(Owned<O> removed) {
        IpPrefix destination = removed.passage().packets().destination();
        if (removed.passage().rule() == Passage.Rule.BEFORE_ROUTES) {
            flows.remove(removed);
        } else if (has(destination)
                && routes(destination).getOrDefault(destination, List.of()).remove(removed)) {
            routes(destination).computeIfPresent(destination, (prefix, routes) -> routes.isEmpty() ? null : routes);
            lengths.merge(destination.length(), -1, (count, less) -> count + less == 0 ? null : count + less);
        }
        return flows.isEmpty() && v6.isEmpty() && v4.isEmpty();
    }

    private NavigableMap<IpPrefix, List<Owned<O>>> routes(IpPrefix family) {
        return family.isIpv6() ? v6 : v4;
    }

    List<Owned<O>> flows(Packets packets) {
        return flows.stream()
                .filter(flow -> flow.passage().packets().and(packets).isPresent())
                .toList();
    }

    boolean has(IpPrefix destination) {
        return routes(destination).containsKey(destination);
    }

    /** Destinations of routes that lie in a prefix, it included, in their order. */
    List<IpPrefix> inside(IpPrefix prefix) {
        List<IpPrefix> inside = new ArrayList<>();
        for (IpPrefix route : routes(prefix).tailMap(prefix, true).keySet()) {
            if (!prefix.contains(route.address())) {
                break;
            }
            inside.add(route);
        }
        return inside;
    }

    /** The routes of the longest destination that holds the whole prefix. */
    List<Owned<O>> route(IpPrefix prefix) {
        for (int length : lengths.headMap(prefix.length(), true).descendingKeySet()) {
            List<Owned<O>> routes = routes(prefix).get(IpPrefix.of(prefix.address(), length));
            if (routes != null) {
                return List.copyOf(routes);
            }
        }
        return List.of();
    }
}
