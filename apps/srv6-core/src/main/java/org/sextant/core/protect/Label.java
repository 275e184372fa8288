// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sextant.core.protect.Wires.Arc;
import org.sextant.core.te.Step;

/**
 * A path from the node that repairs to some place.
 *
 * @param cost IGP metric
 * @param usids their number in its repair list, without that which decapsulates
 * @param pins how many links are among them
 * @param over the link that was pinned last; null if the place's own uSID comes last
 */
record Label(
        int place,
        long cost,
        int usids,
        int pins,
        @Nullable Label before,
        @Nullable Arc over) implements Comparable<Label> {
    private static final Comparator<Label> BEST = Comparator.comparingLong(Label::cost)
            .thenComparingInt(Label::usids)
            .thenComparingInt(Label::pins)
            .thenComparingInt(Label::place);

    /** The order of release points: fewest uSIDs, then fewest pinned links, then the least cost. */
    private static final Comparator<Label> RELEASES = Comparator.comparingInt(Label::usids)
            .thenComparingInt(Label::pins)
            .thenComparingLong(Label::cost)
            .thenComparingInt(Label::place);

    /** A label for the path to another node by the network's routes. */
    static Label start(int place, long cost) {
        return new Label(place, cost, 1, 0, null, null);
    }

    /** Over a link of the repairing node itself: its own uSID and that of the link. */
    static Label first(Arc arc) {
        return new Label(arc.to(), arc.metric(), 2, 1, null, arc);
    }

    Label to(int next, long distance) {
        return new Label(next, cost + distance, usids + 1, pins, this, null);
    }

    Label over(Arc arc) {
        return new Label(arc.to(), cost + arc.metric(), usids + (over == null ? 1 : 2), pins + 1, this, arc);
    }

    /** The number of uSIDs of a list that releases packets here, without that which decapsulates at the destination. */
    int usidsTo(int destination) {
        return place == destination ? usids : usids + 1;
    }

    /** Compares the lengths of two lists to a destination, then their release points. */
    int compareTo(Label other, int destination) {
        int order = Integer.compare(usidsTo(destination), other.usidsTo(destination));
        int pinned = order == 0 ? Integer.compare(pins, other.pins) : order;
        return pinned == 0 ? RELEASES.compare(this, other) : pinned;
    }

    int compareAtRelease(Label other) {
        return RELEASES.compare(this, other);
    }

    @Override
    public int compareTo(Label other) {
        return BEST.compare(this, other);
    }

    Repair repair(Wires wires) {
        Deque<Step> steps = new ArrayDeque<>();
        for (Label at = this; at != null; at = at.before) {
            steps.addFirst(
                    at.over == null ? new Step.ToNode(wires.node(at.place).name()) : new Step.OverLink(at.over.link()));
        }
        return new Repair(List.copyOf(steps));
    }
}
