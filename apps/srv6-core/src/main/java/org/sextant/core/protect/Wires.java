// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Paths;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;

/**
 * A network by numbers, as it takes a million questions to protect a large one: nodes in the order of their names, the links
 * that are up, and how far it is from each node to each other.
 */
final class Wires {
    static final long FAR = Paths.UNREACHABLE;

    /** A link that is up; they are counted from 0. */
    record Arc(int number, Link link, int from, int to, int metric) {}

    private final List<Node> nodes;
    private final BitSet repairable = new BitSet();
    private final Paths paths;
    private final Paths.Distances distances;
    private final List<List<Arc>> out = new ArrayList<>();
    private final List<List<Arc>> in = new ArrayList<>();
    private final Map<String, Arc> byId = new HashMap<>();
    private final Map<Integer, List<Arc>> bySrlg = new HashMap<>();

    Wires(Underlay underlay) {
        Network network = underlay.network();
        nodes = List.copyOf(network.nodes().values());
        paths = underlay.paths();
        distances = paths.distances(Metric.IGP);
        nodes.forEach(node -> {
            repairable.set(
                    out.size(), SidPlan.of(node).flatMap(SidPlan::repairs).isPresent());
            out.add(new ArrayList<>());
            in.add(new ArrayList<>());
        });
        for (Link link : network.links()) {
            if (link.up()) {
                add(new Arc(
                        byId.size(),
                        link,
                        place(link.from().node()),
                        place(link.to().node()),
                        network.routedMetric(link)));
            }
        }
    }

    private void add(Arc arc) {
        byId.put(arc.link().id(), arc);
        out.get(arc.from()).add(arc);
        in.get(arc.to()).add(arc);
        for (int group : arc.link().srlgs()) {
            bySrlg.computeIfAbsent(group, key -> new ArrayList<>()).add(arc);
        }
    }

    int size() {
        return nodes.size();
    }

    int place(String node) {
        return paths.place(node);
    }

    Node node(int place) {
        return nodes.get(place);
    }

    Node node(String name) {
        return node(place(name));
    }

    /** True if a repair list can contain a SID of the node. */
    boolean hasSids(int place) {
        return repairable.get(place);
    }

    /** True if other nodes have routes to its SIDs. */
    boolean isDestination(int place) {
        return nodes.get(place).srv6().isPresent();
    }

    List<Arc> from(int place) {
        return out.get(place);
    }

    List<Arc> to(int place) {
        return in.get(place);
    }

    /** The links that are no more, both directions of each, but for those of a node that fails. */
    Set<Arc> hit(Failure failure) {
        Set<Arc> hit = new LinkedHashSet<>();
        for (String id : failure.links()) {
            Arc arc = Objects.requireNonNull(byId.get(id), id);
            hit.add(arc);
            Arc back = byId.get(arc.link().to() + "-" + arc.link().from());
            if (back != null) {
                hit.add(back);
            }
        }
        failure.srlgs().forEach(group -> hit.addAll(bySrlg.getOrDefault(group, List.of())));
        return hit;
    }

    /** {@link #FAR} if there is no path. */
    long distance(int from, int to) {
        return distances.between(from, to);
    }

    /** With which shortest paths begin; none if there is no path. */
    List<Arc> nextHops(int from, int to) {
        List<Arc> next = new ArrayList<>(2);
        for (Arc arc : from(from)) {
            if (isShortest(arc, to)) {
                next.add(arc);
            }
        }
        return next;
    }

    boolean isShortest(Arc arc, int to) {
        long rest = distance(arc.to(), to);
        return rest != FAR && rest + arc.metric() == distance(arc.from(), to);
    }
}
