// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import org.sextant.core.net.Metric;
import org.sextant.core.te.Constraint.Bound;
import org.sextant.core.te.IndexedGraph.Hop;
import org.sextant.core.te.Label.Place;
import org.sextant.core.te.PathSearch.Outcome;

/**
 * One search of {@link PathSearch}: labels, the most promising first (A*). The estimated rest of a path to the endpoint
 * is the least sum over allowed links, which no path undercuts; so the first label taken at the endpoint is the best.
 * From a label, steps that cost no more than estimated are taken first. The others wait until nothing better is left,
 * which with one metric is seldom.
 */
final class LabelSearch {
    private static final Comparator<Open> BEST_FIRST = Comparator.comparingLong(Open::estimate)
            .thenComparingInt(Open::segments)
            .thenComparingInt(open -> open.label().usids())
            .thenComparingInt(open -> open.label().pins())
            .thenComparingInt(open -> open.label().place().node())
            .thenComparing(open -> open.label().place().own())
            .thenComparingInt(open -> open.label().place().stage())
            .thenComparing(Open::rest);

    private final IndexedGraph terrain;
    private final Regions.Ground ground;
    private final Goal goal;
    private final int to;
    private final Region around;
    private final Stops stops;
    private final QueryBudget effort;
    private final boolean deep;
    private final ParetoLabels kept;
    private final PriorityQueue<Open> open = new PriorityQueue<>(BEST_FIRST);

    /**
     * @param estimate the least that the whole path may sum up to
     * @param segments that the path takes so far; at the endpoint with the uSIDs that decapsulate there
     * @param rest true if only the steps that cost more than estimated are left
     */
    private record Open(Label label, long estimate, int segments, boolean rest) {}

    /**
     * @param deep true to keep labels with fewer segments though they cost more. Seldom is the best path deeper than
     *     its headend pushes, so a search that does not care comes first
     */
    LabelSearch(IndexedGraph terrain, Regions.Ground ground, Goal goal, int to, QueryBudget effort, boolean deep) {
        this.terrain = terrain;
        this.ground = ground;
        this.goal = goal;
        this.to = to;
        this.around = ground.around(to);
        this.stops = new Stops(terrain, ground, goal, to);
        this.effort = effort;
        this.deep = deep;
        this.kept = new ParetoLabels(goal, deep);
    }

    Outcome from(int from) {
        Label start = Label.start(from, stops.at(from, 0));
        if (mayReach(start)) {
            open.add(new Open(start, estimate(start), 0, false));
        }
        while (!open.isEmpty()) {
            Open next = open.remove();
            Label label = next.label();
            if (!kept.isKept(label)) {
                continue; // another one has come to be better since
            }
            if (isEnd(label)) {
                return isTooDeep(next.segments())
                        ? new LabelSearch(terrain, ground, goal, to, effort, true).from(from)
                        : new Outcome.Found(label.steps(), label.totals());
            }
            if (!effort.step() || kept.size() > effort.labels()) {
                return new Outcome.GaveUp(effort.made());
            }
            if (next.rest()) {
                dearer(label, next.estimate() - 1);
            } else {
                asEstimated(label, next.estimate());
            }
        }
        return new Outcome.None();
    }

    private boolean isEnd(Label label) {
        return label.place().equals(new Place(to, true, stops.count()));
    }

    private boolean isTooDeep(int segments) {
        return goal.depth().filter(depth -> segments > depth.most()).isPresent();
    }

    /** Containers so far. */
    private int segments(Label label) {
        return isEnd(label)
                ? label.segments(goal.depth().map(Constraint.SidDepth::endUsids).orElse(1), terrain)
                : label.segments();
    }

    /** Steps after which the estimate still holds. */
    private void asEstimated(Label label, long estimate) {
        int node = label.place().node();
        if (!label.place().own() && terrain.isWaypoint(node)) {
            offer(label.own(new Step.ToNode(terrain.name(node)), terrain), estimate, estimate);
        }
        // No path has fewer uSIDs than the endpoint's own.
        if (offer(label, to, estimate, estimate) && kept.countsOneMetric() && visitedAll(label)) {
            return;
        }
        (visitedAll(label) ? tight(node) : tight(label.place()))
                .stream()
                        .filter(next -> next != to && next != node && terrain.isWaypoint(next))
                        .forEach(next -> offer(label, next, estimate, estimate));
        pinned(label, estimate, estimate);
        open.add(new Open(label, estimate + 1, label.segments(), true));
    }

    private boolean visitedAll(Label label) {
        return label.place().stage() == stops.count();
    }

    /** All other steps. */
    private void dearer(Label label, long estimate) {
        for (int next = 0; next < terrain.nodes(); next++) {
            if (effort.spent()) {
                return;
            }
            if (next != label.place().node() && terrain.isWaypoint(next)) {
                offer(label, next, estimate + 1, Long.MAX_VALUE);
            }
        }
        pinned(label, estimate + 1, Long.MAX_VALUE);
    }

    /** Over links by their uA. A headend pushes and routes: it does not process a SID of its own. */
    private void pinned(Label label, long least, long most) {
        int node = label.place().node();
        if (label.isStart()) {
            return;
        }
        for (Hop hop : terrain.from(node)) {
            if (hop.pinnable() && ground.allows(hop)) {
                offer(label.over(hop, stops.over(hop, label.place().stage()), terrain), least, most);
            }
        }
    }

    /**
     * Adds the step to a node's uN; true if packets stay on allowed links on all paths there, and the sum is in the
     * given range.
     */
    private boolean offer(Label label, int next, long least, long most) {
        if (next == label.place().node()) {
            return false;
        }
        effort.step();
        int node = label.place().node();
        Optional<Totals> worst = ground.around(next).worst(node);
        if (worst.isEmpty()) {
            return false;
        }
        int stage = stops.after(node, next, label.place().stage());
        return offer(label.to(next, stage, worst.get(), new Step.ToNode(terrain.name(next)), terrain), least, most);
    }

    private boolean offer(Label label, long least, long most) {
        if (!mayReach(label)) {
            return false;
        }
        long estimate = estimate(label);
        if (estimate < least || estimate > most) {
            return false;
        }
        int segments = segments(label);
        if (deep && isTooDeep(segments)) {
            return false;
        }
        effort.step();
        if (kept.keeps(label)) {
            open.add(new Open(label, estimate, segments, false));
        }
        return true;
    }

    /** True if the endpoint is within reach, and within the bounds. */
    private boolean mayReach(Label label) {
        if (left(goal.metric(), label) == Region.UNREACHABLE) {
            return false;
        }
        for (Bound bound : goal.bounds()) {
            Metric metric = bound.metric();
            if (label.totals().of(metric) + left(metric, label) > bound.most()) {
                return false;
            }
        }
        return true;
    }

    private long estimate(Label label) {
        return label.totals().of(goal.metric()) + left(goal.metric(), label);
    }

    private long left(Metric metric, Label label) {
        return stops.left(metric, label.place().node(), label.place().stage());
    }

    /** The nodes on the least-cost paths from one to the endpoint over allowed links, itself included. */
    private List<Integer> tight(int from) {
        long[] least = around.least(goal.metric());
        List<Integer> nodes = new ArrayList<>();
        BitSet seen = new BitSet();
        Deque<Integer> waiting = new ArrayDeque<>(List.of(from));
        seen.set(from);
        while (!waiting.isEmpty()) {
            int node = waiting.remove();
            nodes.add(node);
            for (Hop hop : terrain.from(node)) {
                boolean nearer = least[hop.to()] != Region.UNREACHABLE
                        && least[hop.to()] + hop.totals().of(goal.metric()) == least[node];
                if (nearer && !seen.get(hop.to()) && ground.allows(hop)) {
                    seen.set(hop.to());
                    waiting.add(hop.to());
                }
            }
        }
        return nodes;
    }

    /** The nodes on the least-cost paths to the endpoint through the stops. */
    private Set<Integer> tight(Place from) {
        Metric metric = goal.metric();
        Set<Integer> nodes = new LinkedHashSet<>();
        Set<Place> seen = new HashSet<>(Set.of(from));
        Deque<Place> waiting = new ArrayDeque<>(List.of(from));
        while (!waiting.isEmpty()) {
            Place place = waiting.remove();
            nodes.add(place.node());
            long left = stops.left(metric, place.node(), place.stage());
            for (Hop hop : terrain.from(place.node())) {
                Place next = new Place(hop.to(), true, stops.over(hop, place.stage()));
                long on = stops.left(metric, next.node(), next.stage());
                boolean nearer = on != Region.UNREACHABLE && on + hop.totals().of(metric) == left;
                if (nearer && ground.allows(hop) && seen.add(next)) {
                    waiting.add(next);
                }
            }
        }
        return nodes;
    }
}
