// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sextant.core.net.Metric;
import org.sextant.core.net.NodeHeap;
import org.sextant.core.net.Paths;
import org.sextant.core.te.IndexedGraph.Hop;

/**
 * The links that a goal allows, seen from one node that packets go to: how far it is over them, and whether packets
 * that the underlay takes there stay on them. Computed on first use and kept; safe for many threads.
 */
final class Region {
    static final long UNREACHABLE = Long.MAX_VALUE;

    private final IndexedGraph terrain;
    private final Paths paths;
    private final BitSet allowed;
    private final int destination;
    private final Map<Metric, long[]> least = new EnumMap<>(Metric.class);
    private final @Nullable Totals[] worst;
    private final BitSet known = new BitSet();
    private volatile Paths.@Nullable Row row;

    /** @param allowed numbers of links */
    Region(IndexedGraph terrain, Paths paths, BitSet allowed, int destination) {
        this.terrain = terrain;
        this.paths = paths;
        this.allowed = allowed;
        this.destination = destination;
        this.worst = new Totals[terrain.nodes()];
    }

    /**
     * The least sum of the metric over allowed links from each node to the destination; {@link #UNREACHABLE} without a
     * path.
     */
    synchronized long[] least(Metric metric) {
        return least.computeIfAbsent(metric, this::dijkstra);
    }

    private long[] dijkstra(Metric metric) {
        long[] distance = new long[terrain.nodes()];
        Arrays.fill(distance, UNREACHABLE);
        distance[destination] = 0;
        NodeHeap heap = new NodeHeap(distance.length);
        heap.add(destination, 0);
        while (!heap.isEmpty()) {
            int node = heap.removeNearest();
            for (Hop hop : terrain.to(node)) {
                long through = distance[node] + hop.totals().of(metric);
                if (allowed.get(hop.number()) && through < distance[hop.from()]) {
                    distance[hop.from()] = through;
                    heap.add(hop.from(), through);
                }
            }
        }
        return distance;
    }

    /**
     * The worst sums of the paths that packets from {@code node} may take through the underlay, over all equally short
     * ones; empty if some would leave the allowed links, or none would arrive.
     */
    synchronized Optional<Totals> worst(int node) {
        if (!known.get(node)) {
            walk(node);
        }
        return Optional.ofNullable(worst[node]);
    }

    /** Depth first without recursion: a path may have thousands of links. */
    private void walk(int start) {
        ArrayDeque<Integer> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            int node = open.getFirst();
            List<Hop> next = next(node);
            Optional<Hop> unknown = next.stream()
                    .filter(hop -> allowed.get(hop.number()) && !known.get(hop.to()))
                    .findFirst();
            if (unknown.isPresent() && next.stream().allMatch(hop -> allowed.get(hop.number()))) {
                open.addFirst(unknown.get().to());
            } else {
                known.set(node);
                worst[node] = node == destination ? Totals.NONE : sum(next);
                open.removeFirst();
            }
        }
    }

    /** Null if some packets would leave the allowed links, or none would arrive. */
    private @Nullable Totals sum(List<Hop> next) {
        Totals sum = Totals.NONE;
        for (Hop hop : next) {
            Totals rest = worst[hop.to()];
            if (rest == null || !allowed.get(hop.number())) {
                return null;
            }
            sum = sum.orMore(hop.totals().plus(rest));
        }
        return next.isEmpty() ? null : sum;
    }

    /** The distance of a node to the destination in the underlay. */
    long underlay(int node) {
        return row().of(terrain.place(node));
    }

    private Paths.Row row() {
        Paths.Row known = row;
        if (known == null) {
            known = paths.row(terrain.place(destination), Metric.IGP);
            row = known; // concurrent callers compute the same
        }
        return known;
    }

    /** The links by which the underlay takes packets on from a node. */
    List<Hop> next(int node) {
        long far = underlay(node);
        if (node == destination || far == UNREACHABLE) {
            return List.of();
        }
        List<Hop> next = new ArrayList<>(2);
        for (Hop hop : terrain.from(node)) {
            if (underlay(hop.to()) == far - hop.routed()) {
                next.add(hop);
            }
        }
        return next;
    }
}
