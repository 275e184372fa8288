// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.path;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * A min-cost flow of a few units by successive shortest paths (Ahuja, Magnanti, Orlin: Network Flows, 9.7).
 *
 * <p>A cost has two parts that are compared one after the other: the penalty of sharing, then length. Each unit takes
 * the cheapest path through the residual graph, which may push an earlier unit off an arc; after each the flow is the
 * cheapest of its size, so stopping early is correct, too. Arcs of the residual graph have negative costs, hence
 * Bellman and Ford's relaxation with a queue instead of Dijkstra; there are at most six units.
 */
final class FlowGraph {
    private static final long FAR = Long.MAX_VALUE / 4;

    private final List<List<Integer>> arcsFrom = new ArrayList<>();
    private final List<Arc> arcs = new ArrayList<>();

    /** An arc. Arcs come in pairs, so that {@code index ^ 1} is the one of the residual graph. */
    private static final class Arc {
        final int from;
        final int to;
        final long penalty;
        final long length;
        int left;

        Arc(int from, int to, int capacity, long penalty, long length) {
            this.from = from;
            this.to = to;
            this.left = capacity;
            this.penalty = penalty;
            this.length = length;
        }
    }

    int vertex() {
        arcsFrom.add(new ArrayList<>(4));
        return arcsFrom.size() - 1;
    }

    /** Adds an arc and returns its index. {@code penalty} and {@code length} are per unit. */
    int arc(int from, int to, int capacity, long penalty, long length) {
        arcsFrom.get(from).add(arcs.size());
        arcs.add(new Arc(from, to, capacity, penalty, length));
        arcsFrom.get(to).add(arcs.size());
        arcs.add(new Arc(to, from, 0, -penalty, -length));
        return arcs.size() - 2;
    }

    /** The units on an arc. */
    int flow(int arc) {
        return arcs.get(arc ^ 1).left;
    }

    /** Sends up to {@code units}, each as cheaply as possible; returns the number of units that reached the sink. */
    int send(int source, int sink, int units) {
        int sent = 0;
        while (sent < units && augment(source, sink)) {
            sent++;
        }
        return sent;
    }

    private boolean augment(int source, int sink) {
        int[] by = cheapest(source);
        if (by[sink] < 0) {
            return false;
        }
        for (int vertex = sink; vertex != source; vertex = arcs.get(by[vertex]).from) {
            arcs.get(by[vertex]).left--;
            arcs.get(by[vertex] ^ 1).left++;
        }
        return true;
    }

    /** The last arc of the cheapest path to each vertex; -1 where there is none. */
    private int[] cheapest(int source) {
        int[] by = new int[arcsFrom.size()];
        long[] penalty = new long[by.length];
        long[] length = new long[by.length];
        boolean[] waiting = new boolean[by.length];
        Arrays.fill(by, -1);
        Arrays.fill(penalty, FAR);
        penalty[source] = 0;
        Deque<Integer> queue = new ArrayDeque<>(List.of(source));
        while (!queue.isEmpty()) {
            int vertex = queue.remove();
            waiting[vertex] = false;
            for (int index : arcsFrom.get(vertex)) {
                Arc arc = arcs.get(index);
                long newPenalty = penalty[vertex] + arc.penalty;
                long newLength = length[vertex] + arc.length;
                boolean better =
                        newPenalty < penalty[arc.to] || newPenalty == penalty[arc.to] && newLength < length[arc.to];
                if (arc.left > 0 && better) {
                    penalty[arc.to] = newPenalty;
                    length[arc.to] = newLength;
                    by[arc.to] = index;
                    if (!waiting[arc.to]) {
                        waiting[arc.to] = true;
                        queue.add(arc.to);
                    }
                }
            }
        }
        return by;
    }
}
