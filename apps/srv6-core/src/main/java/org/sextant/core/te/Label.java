// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.sextant.core.sid.ContainerFill;
import org.sextant.core.te.IndexedGraph.Hop;

/**
 * A path to a place, as a search sees it.
 *
 * @param totals the worst sums of the paths that packets may have taken
 * @param usids the number of uSIDs of the path
 * @param pins pinned links, which hold packets there even if another path became as good; so of equals the fewest
 * @param fill of the uSIDs but for that of the place's own node, which a uA may still join
 * @param segments containers that the path takes so far
 * @param before empty at the start
 * @param step the last one
 */
record Label(
        Place place,
        Totals totals,
        int usids,
        int pins,
        ContainerFill fill,
        int segments,
        Optional<Label> before,
        Optional<Step> step) {

    /**
     * @param node where packets are
     * @param own true if the last uSID is the node's own, which a uA of the same node may follow
     * @param stage the number of stops that are behind packets ({@link Stops})
     */
    record Place(int node, boolean own, int stage) {}

    static Label start(int node, int stage) {
        return new Label(
                new Place(node, true, stage),
                Totals.NONE,
                0,
                0,
                ContainerFill.EMPTY,
                0,
                Optional.empty(),
                Optional.empty());
    }

    boolean isStart() {
        return step.isEmpty();
    }

    /** Extends the path to another node, over all paths of the underlay. */
    Label to(int node, int stage, Totals worst, Step.ToNode there, IndexedGraph terrain) {
        return after(new Place(node, true, stage), totals.plus(worst), 1, 0, settled(terrain), there, terrain);
    }

    /** The uSID of the node where packets are already. */
    Label own(Step.ToNode here, IndexedGraph terrain) {
        return after(new Place(place.node(), true, place.stage()), totals, 1, 0, fill, here, terrain);
    }

    /** A uA stands behind its node's uSID. */
    Label over(Hop hop, int stage, IndexedGraph terrain) {
        return after(
                new Place(hop.to(), false, stage),
                totals.plus(hop.totals()),
                place.own() ? 1 : 2,
                1,
                terrain.fill(fill, hop.from(), 2),
                new Step.OverLink(hop.link()),
                terrain);
    }

    /** With the uSID of the place's own node, which stays alone as packets go on to another node. */
    private ContainerFill settled(IndexedGraph terrain) {
        return place.own() && !isStart() ? terrain.fill(fill, place.node(), 1) : fill;
    }

    private Label after(
            Place there, Totals sums, int more, int pinned, ContainerFill filled, Step by, IndexedGraph terrain) {
        int containers = (there.own() ? terrain.fill(filled, there.node(), 1) : filled).containers();
        return new Label(
                there, sums, usids + more, pins + pinned, filled, containers, Optional.of(this), Optional.of(by));
    }

    /** The number of containers of the path if it ends in so many uSIDs of its place's node. */
    int segments(int endUsids, IndexedGraph terrain) {
        return terrain.fill(fill, place.node(), endUsids).containers();
    }

    /** The steps from the start on. */
    List<Step> steps() {
        Deque<Step> steps = new ArrayDeque<>();
        for (Label at = this; at.step.isPresent(); at = at.before.orElseThrow()) {
            steps.addFirst(at.step.get());
        }
        return List.copyOf(steps);
    }
}
