// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Paths;
import org.sextant.core.net.Srv6;
import org.sextant.core.sid.ContainerFill;

/** A network with its nodes, and the links that are up, by numbers, so that a search reads arrays. Immutable. */
final class IndexedGraph {
    private final List<String> names;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final boolean[] waypoint;
    private final List<Optional<Srv6>> sids;
    private final int[] places;
    private final List<Hop> hops = new ArrayList<>();
    private final List<List<Hop>> outgoing;
    private final List<List<Hop>> incoming;

    /**
     * A link with its own number and those of the nodes that it joins.
     *
     * @param routed its metric for the underlay's routes
     * @param pinnable true if a segment list can hold packets to it
     */
    record Hop(int number, Link link, int from, int to, Totals totals, int routed, boolean pinnable) {}

    IndexedGraph(Network network, Paths paths, HopRules rules) {
        names = List.copyOf(network.nodes().keySet());
        names.forEach(name -> numbers.put(name, numbers.size()));
        places = names.stream().mapToInt(paths::place).toArray();
        this.waypoint = new boolean[names.size()];
        for (int i = 0; i < names.size(); i++) {
            this.waypoint[i] = rules.canVisit(names.get(i));
        }
        sids = names.stream()
                .map(name -> network.node(name).flatMap(Node::srv6))
                .toList();
        outgoing = emptyLists(names.size());
        incoming = emptyLists(names.size());
        network.links().stream()
                .filter(Link::up)
                .sorted(Comparator.naturalOrder())
                .forEach(link -> add(link, network.routedMetric(link), rules.canPin(link)));
    }

    private static List<List<Hop>> emptyLists(int size) {
        return IntStream.range(0, size)
                .<List<Hop>>mapToObj(i -> new ArrayList<>(4))
                .toList();
    }

    private void add(Link link, int routed, boolean pinnable) {
        int from = number(link.from().node()).orElseThrow();
        int to = number(link.to().node()).orElseThrow();
        Hop hop = new Hop(hops.size(), link, from, to, Totals.of(link), routed, pinnable);
        hops.add(hop);
        outgoing.get(from).add(hop);
        incoming.get(to).add(hop);
    }

    /** The node's number in {@link Paths}. */
    int place(int node) {
        return places[node];
    }

    int nodes() {
        return names.size();
    }

    String name(int node) {
        return names.get(node);
    }

    OptionalInt number(String name) {
        Integer number = numbers.get(name);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    boolean isWaypoint(int node) {
        return waypoint[node];
    }

    /** With so many uSIDs that begin with the node's. A node with unknown SIDs adds nothing. */
    ContainerFill fill(ContainerFill fill, int node, int usids) {
        return sids.get(node)
                .map(srv6 -> fill.with(srv6.block(), srv6.format(), usids, false))
                .orElse(fill);
    }

    /** All links that are up. */
    List<Hop> hops() {
        return hops;
    }

    List<Hop> from(int node) {
        return outgoing.get(node);
    }

    List<Hop> to(int node) {
        return incoming.get(node);
    }
}
