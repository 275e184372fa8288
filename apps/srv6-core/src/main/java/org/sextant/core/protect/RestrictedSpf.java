// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Predicate;
import org.sextant.core.net.NodeHeap;
import org.sextant.core.protect.Wires.Arc;

/**
 * The distances from one node to all others over some links only. Most distances are unchanged, as one of the shortest
 * paths is left: only nodes behind the failure are computed anew.
 */
final class RestrictedSpf {
    private final Wires wires;
    private final int self;
    private final Predicate<Arc> passable;
    private final long[] distance;
    private final BitSet kept;

    RestrictedSpf(Wires wires, int self, Predicate<Arc> passable) {
        this.wires = wires;
        this.self = self;
        this.passable = passable;
        this.distance = new long[wires.size()];
        this.kept = new BitSet(wires.size());
    }

    /** {@link Wires#FAR} where there is no path. */
    long[] distances() {
        Arrays.fill(distance, Wires.FAR);
        keep();
        NodeHeap heap = new NodeHeap(wires.size());
        for (int place = kept.nextClearBit(0); place < wires.size(); place = kept.nextClearBit(place + 1)) {
            for (Arc arc : wires.to(place)) {
                if (kept.get(arc.from())) {
                    reach(arc, heap);
                }
            }
        }
        while (!heap.isEmpty()) {
            int place = heap.removeNearest();
            for (Arc arc : wires.from(place)) {
                if (!kept.get(arc.to())) {
                    reach(arc, heap);
                }
            }
        }
        return distance;
    }

    /** The nodes to which a shortest path is left. */
    private void keep() {
        int[] queue = new int[wires.size()];
        int end = 0;
        queue[end++] = self;
        kept.set(self);
        distance[self] = 0;
        for (int i = 0; i < end; i++) {
            for (Arc arc : wires.from(queue[i])) {
                long through = distance[queue[i]] + arc.metric();
                if (!kept.get(arc.to()) && through == wires.distance(self, arc.to()) && passable.test(arc)) {
                    kept.set(arc.to());
                    distance[arc.to()] = through;
                    queue[end++] = arc.to();
                }
            }
        }
    }

    private void reach(Arc arc, NodeHeap heap) {
        long through = distance[arc.from()] + arc.metric();
        if (through < distance[arc.to()] && passable.test(arc)) {
            distance[arc.to()] = through;
            heap.add(arc.to(), through);
        }
    }
}
