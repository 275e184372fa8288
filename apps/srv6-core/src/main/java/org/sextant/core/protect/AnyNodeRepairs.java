// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.sextant.core.protect.Wires.Arc;

/** The best backup paths over any nodes: for networks where nodes without SIDs are on the shortest ones. */
final class AnyNodeRepairs {
    private final Wires wires;
    private final int self;
    private final RepairPaths failure;
    private final Places places;
    private final PriorityQueue<Label> open = new PriorityQueue<>();

    /** @param failure determines which links and segments are left */
    AnyNodeRepairs(Wires wires, int self, RepairPaths failure) {
        this.wires = wires;
        this.self = self;
        this.failure = failure;
        this.places = new Places(wires);
        begin();
        while (!open.isEmpty()) {
            after(open.remove());
        }
    }

    /** Empty if no list of uSIDs gets packets there. */
    Optional<Repair> to(int destination) {
        Label best = null;
        long least = Wires.FAR;
        for (int place = 0; place < wires.size(); place++) {
            Label label = places.own(place);
            if (label != null && (place == destination || failure.avoids(place, destination))) {
                long cost = label.cost() + wires.distance(place, destination);
                if (best == null || cost < least || cost == least && label.compareTo(best, destination) < 0) {
                    best = label;
                    least = cost;
                }
            }
        }
        return Optional.ofNullable(best).map(label -> places.repair(label.place()));
    }

    private void begin() {
        for (int place = 0; place < wires.size(); place++) {
            if (failure.survives(place)) {
                offer(Label.start(place, wires.distance(self, place)));
            }
        }
        if (wires.hasSids(self)) {
            wires.from(self).stream()
                    .filter(failure::passable)
                    .map(Label::first)
                    .forEach(this::offer);
        }
    }

    private void after(Label label) {
        int at = label.place();
        @Nullable
        Label known = label.over() == null ? places.own(at) : places.pinned(at).orElse(null);
        if (known != label) {
            return; // a better one has come since
        }
        for (int place = 0; place < wires.size(); place++) {
            boolean itself = place == at && label.over() != null;
            if (wires.hasSids(place) && place != self && (itself || place != at && failure.avoids(at, place))) {
                offer(label.to(place, wires.distance(at, place)));
            }
        }
        if (wires.hasSids(at)) {
            for (Arc arc : wires.from(at)) {
                if (failure.passable(arc)) {
                    offer(label.over(arc));
                }
            }
        }
    }

    private void offer(Label label) {
        if (places.offer(label)) {
            open.add(label);
        }
    }
}
