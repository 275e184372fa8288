// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Equal-cost shortest paths over the links of one network that are up.
 *
 * <p>The first query of a destination computes the distances of all nodes to it (Dijkstra against the direction of the
 * links) and keeps them; all later queries of that destination read them. A link is on a shortest path exactly if its
 * metric is the difference of the distances at its ends, so the next hops of all nodes form a DAG without being stored.
 * Metrics are 1 or more, hence no path loops.
 *
 * <p>The shortest paths by the IGP metric are the routes of nodes: {@link Network#routedMetric}.
 *
 * <p>Safe for many threads; bound to one immutable {@link Network}, so no result ever becomes invalid.
 */
public final class Paths {
    /** A distance where there is no path. */
    public static final long UNREACHABLE = Long.MAX_VALUE;

    private final Map<String, Integer> indexOf = new HashMap<>();
    private final Hop[][] outgoing;
    private final Hop[][] incoming;
    private final Map<Metric, AtomicReferenceArray<long[]>> distances = new EnumMap<>(Metric.class);

    /**
     * A link and the index of the node at its other end.
     *
     * @param routed its metric for routes
     */
    private record Hop(Link link, int node, int routed) {
        long cost(Metric metric) {
            return metric == Metric.IGP ? routed : metric.of(link);
        }
    }

    public Paths(Network network) {
        this(network, network::routedMetric);
    }

    /** By the configured metrics of links, of drained nodes, too: no path costs less than the shortest of these. */
    public static Paths asDescribed(Network network) {
        return new Paths(network, Link::igpMetric);
    }

    private Paths(Network network, ToIntFunction<Link> routed) {
        network.nodes().keySet().forEach(name -> indexOf.put(name, indexOf.size()));
        List<List<Hop>> out = new ArrayList<>();
        List<List<Hop>> in = new ArrayList<>();
        indexOf.forEach((name, index) -> {
            out.add(new ArrayList<>());
            in.add(new ArrayList<>());
        });
        for (Link link : network.links()) {
            if (link.up()) {
                int from = index(link.from().node());
                int to = index(link.to().node());
                int metric = routed.applyAsInt(link);
                out.get(from).add(new Hop(link, to, metric));
                in.get(to).add(new Hop(link, from, metric));
            }
        }
        outgoing = arrays(out);
        incoming = arrays(in);
        for (Metric metric : Metric.values()) {
            distances.put(metric, new AtomicReferenceArray<>(indexOf.size()));
        }
    }

    /** Sorted by neighbor and port, which makes "the first" mean the same everywhere. */
    private static Hop[][] arrays(List<List<Hop>> lists) {
        Hop[][] arrays = new Hop[lists.size()][];
        for (int i = 0; i < arrays.length; i++) {
            List<Hop> list = lists.get(i);
            list.sort((a, b) -> a.node != b.node ? Integer.compare(a.node, b.node) : a.link.compareTo(b.link));
            arrays[i] = list.toArray(Hop[]::new);
        }
        return arrays;
    }

    /** The cost of the shortest path, 0 from a node to itself; empty if there is none or a node is unknown. */
    public OptionalLong distance(String from, String to, Metric metric) {
        Integer source = indexOf.get(from);
        Integer destination = indexOf.get(to);
        if (source == null || destination == null) {
            return OptionalLong.empty();
        }
        long distance = distancesTo(destination, metric)[source];
        return distance == UNREACHABLE ? OptionalLong.empty() : OptionalLong.of(distance);
    }

    /** Callers that need many distances read them by number. For one thread. */
    public final class Distances {
        private final Metric metric;
        private final long[] @Nullable [] rows = new long[indexOf.size()][];

        private Distances(Metric metric) {
            this.metric = metric;
        }

        /** Between two nodes by their {@link #place}; {@link #UNREACHABLE} if there is no path. */
        public long between(int from, int to) {
            long[] row = rows[to];
            if (row == null) {
                row = distancesTo(to, metric);
                rows[to] = row;
            }
            return row[from];
        }
    }

    /** The distances between all nodes and one. For many threads. */
    public static final class Row {
        private final long[] distance;

        private Row(long[] distance) {
            this.distance = distance;
        }

        /** The distance of a node by its {@link Paths#place}; {@link Paths#UNREACHABLE} if there is no path. */
        public long of(int place) {
            return distance[place];
        }
    }

    /** The distances to a node, by its {@link #place}. */
    public Row row(int destination, Metric metric) {
        return new Row(distancesTo(destination, metric));
    }

    /** The distances from a node, by its {@link #place}; computed anew each time. */
    public Row rowFrom(int source, Metric metric) {
        return new Row(dijkstra(source, metric, outgoing));
    }

    public Distances distances(Metric metric) {
        return new Distances(metric);
    }

    /** The number of a node, in the order of names from 0; -1 for an unknown one. */
    public int place(String node) {
        return indexOf.getOrDefault(node, -1);
    }

    /**
     * The links with which shortest paths to {@code destination} begin at {@code node}, in the order of neighbor names
     * and then ports; none at the destination itself, and none if there is no path or a node is unknown.
     */
    public List<Link> nextHops(String node, String destination, Metric metric) {
        Integer source = indexOf.get(node);
        Integer target = indexOf.get(destination);
        if (source == null || target == null) {
            return List.of();
        }
        long[] distance = distancesTo(target, metric);
        List<Link> next = new ArrayList<>(2);
        for (Hop hop : outgoing[source]) {
            if (isShortest(hop, distance, source, metric)) {
                next.add(hop.link);
            }
        }
        return next;
    }

    /**
     * One shortest path, always the same: at every node the first of {@link #nextHops}. Empty from a node to itself, and
     * if there is no path.
     */
    public List<Link> path(String from, String to, Metric metric) {
        List<Link> path = new ArrayList<>();
        Integer at = indexOf.get(from);
        Integer target = indexOf.get(to);
        if (at == null || target == null) {
            return path;
        }
        long[] distance = distancesTo(target, metric);
        if (distance[at] == UNREACHABLE) {
            return path;
        }
        while (!at.equals(target)) {
            Hop hop = first(at, distance, metric);
            path.add(hop.link);
            at = hop.node;
        }
        return path;
    }

    private Hop first(int node, long[] distance, Metric metric) {
        for (Hop hop : outgoing[node]) {
            if (isShortest(hop, distance, node, metric)) {
                return hop;
            }
        }
        throw new IllegalStateException("no shortest path leaves a node with a distance");
    }

    private static boolean isShortest(Hop hop, long[] distance, int node, Metric metric) {
        return distance[hop.node] != UNREACHABLE && distance[hop.node] + hop.cost(metric) == distance[node];
    }

    /** Links join nodes that are there. */
    private int index(String node) {
        return Objects.requireNonNull(indexOf.get(node), node);
    }

    private long[] distancesTo(int destination, Metric metric) {
        AtomicReferenceArray<long[]> known = Objects.requireNonNull(distances.get(metric));
        long[] distance = known.get(destination);
        if (distance == null) {
            distance = dijkstra(destination, metric, incoming);
            known.set(destination, distance);
        }
        return distance;
    }

    /** @param links the outgoing ones of each node */
    private long[] dijkstra(int start, Metric metric, Hop[][] links) {
        long[] distance = new long[indexOf.size()];
        java.util.Arrays.fill(distance, UNREACHABLE);
        distance[start] = 0;
        NodeHeap heap = new NodeHeap(indexOf.size());
        heap.add(start, 0);
        while (!heap.isEmpty()) {
            int node = heap.removeNearest();
            for (Hop hop : links[node]) {
                long through = distance[node] + hop.cost(metric);
                if (through < distance[hop.node]) {
                    distance[hop.node] = through;
                    heap.add(hop.node, through);
                }
            }
        }
        return distance;
    }
}
