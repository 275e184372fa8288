// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.path;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.sextant.core.net.Link;

/**
 * Link- and node-disjoint paths as a min-cost flow: one unit is one path.
 *
 * <pre>
 *   node v, if nodes must not be shared:   (v in) --one unit, free---------&gt; (v out)
 *                                          (v in) --more, a penalty each---&gt; (v out)     only if sharing is allowed
 *   link u-v:                              (u out) --one unit, its metric--&gt; (v in)
 *                                          (u out) --more, metric + penalty-&gt; (v in)     only if sharing is allowed
 * </pre>
 *
 * The first unit is free and each further one costs the same, so a cheapest flow shares as few links as possible, then
 * as few nodes, and is the shortest of these. It never uses both directions of a link at once: removing both units
 * would save their metrics. For the same reason it contains no loop.
 */
final class MinCostPaths {
    private final FlowGraph graph = new FlowGraph();
    private final Map<String, Integer> entries = new HashMap<>();
    private final Map<String, Integer> exits = new HashMap<>();
    private final Map<String, List<Carried>> carriedFrom = new HashMap<>();
    private final String from;
    private final String to;

    /** A link and its arcs: that of the first unit, and that of further ones. */
    private static final class Carried {
        final Link link;
        final List<Integer> arcs;
        int units;

        Carried(Link link, List<Integer> arcs) {
            this.link = link;
            this.arcs = arcs;
        }
    }

    private MinCostPaths(List<Link> links, String from, String to, int units, Disjointness wanted, boolean mayShare) {
        this.from = from;
        this.to = to;
        int more = mayShare ? units - 1 : 0;
        vertices(from, false, 0);
        vertices(to, false, 0);
        for (Link link : links) {
            vertices(link.from().node(), wanted.nodes(), more);
            vertices(link.to().node(), wanted.nodes(), more);
        }
        long dearest = (long) units * entries.size() + 1;
        for (Link link : links) {
            int tail = vertex(exits, link.from().node());
            int head = vertex(entries, link.to().node());
            List<Integer> arcs = new ArrayList<>(2);
            arcs.add(graph.arc(tail, head, 1, 0, link.igpMetric()));
            if (more > 0) {
                arcs.add(graph.arc(tail, head, more, dearest, link.igpMetric()));
            }
            carriedFrom
                    .computeIfAbsent(link.from().node(), none -> new ArrayList<>())
                    .add(new Carried(link, arcs));
        }
    }

    private void vertices(String node, boolean split, int more) {
        if (entries.containsKey(node)) {
            return;
        }
        int entry = graph.vertex();
        int exit = split ? graph.vertex() : entry;
        entries.put(node, entry);
        exits.put(node, exit);
        if (split) {
            graph.arc(entry, exit, 1, 0, 0);
            if (more > 0) {
                graph.arc(entry, exit, more, 1, 0);
            }
        }
    }

    /** At most {@code units} paths; fewer if no more exist under these terms. The result may contain a path twice. */
    static List<LinkPath> find(
            List<Link> links, String from, String to, int units, Disjointness wanted, boolean mayShare) {
        return new MinCostPaths(links, from, to, units, wanted, mayShare).solve(units);
    }

    private static int vertex(Map<String, Integer> of, String node) {
        return Objects.requireNonNull(of.get(node), node);
    }

    private List<LinkPath> solve(int units) {
        int sent = graph.send(vertex(exits, from), vertex(entries, to), units);
        carriedFrom
                .values()
                .forEach(list -> list.forEach(carried -> carried.units =
                        carried.arcs.stream().mapToInt(graph::flow).sum()));
        List<LinkPath> paths = new ArrayList<>();
        for (int i = 0; i < sent; i++) {
            paths.add(takeOne());
        }
        return paths;
    }

    /** Follows one unit from end to end and removes it. */
    private LinkPath takeOne() {
        List<Link> path = new ArrayList<>();
        String at = from;
        while (!at.equals(to)) {
            Optional<Carried> next = carriedFrom.getOrDefault(at, List.of()).stream()
                    .filter(carried -> carried.units > 0)
                    .findFirst();
            next.orElseThrow().units--;
            path.add(next.get().link);
            at = next.get().link.to().node();
        }
        return new LinkPath(path);
    }
}
