// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Paths;
import org.sextant.core.te.Constraint.Bound;

/**
 * Finds the best way from a headend to an endpoint that meets a goal, as the fewest uSIDs that hold packets to it: between
 * two of them packets go wherever the underlay's shortest paths go, and every one of these ways must be allowed.
 *
 * <p>A search by labels over what segments can do, not over links: a label is a node, whether its own uSID is the last one so
 * far, the sums of the metrics (the worst of equally short ways), and how many uSIDs it took. The first label that is taken at
 * the endpoint is the best. With bounds on other metrics than the goal's there is no fast exact way (the problem is
 * NP-hard): labels that no other one beats in everything are all kept, up to a number of steps.
 *
 * <p>Pure; same input, same path.
 */
public final class PathSearch {
    /** Enough for any path of a thousand nodes without bounds, and some seconds of one processor at most. */
    public static final int STEPS = 1_000_000;

    private final Network network;
    private final Paths paths;
    private final Set<String> waypoints;
    private final int limit;

    /**
     * @param waypoint which nodes have uSIDs
     * @param limit of labels that are looked at; what is not found by then is {@link Outcome.GaveUp}
     */
    public PathSearch(Network network, Paths paths, Predicate<String> waypoint, int limit) {
        this.network = network;
        this.paths = paths;
        this.waypoints = new LinkedHashSet<>(
                network.nodes().keySet().stream().filter(waypoint).toList());
        this.limit = limit;
    }

    /** What became of a search. */
    public sealed interface Outcome {

        /**
         * The best path.
         *
         * @param totals of every metric, the worst of the ways that packets may go
         */
        record Found(List<Step> steps, Totals totals) implements Outcome {}

        /** There is no path: all were looked at. */
        record None() implements Outcome {}

        /** So many steps were made, and there may be one or not. */
        record GaveUp(int steps) implements Outcome {}
    }

    /**
     * @param node where packets are
     * @param own whether the last uSID is the node's own, which the next one of the same node replaces
     */
    private record Place(String node, boolean own) {}

    /** @param pins of links, which hold packets there though another way became as good; so of equals the fewest */
    private record Label(Place place, Totals totals, int usids, int pins, Optional<Label> before, Optional<Step> step) {
        List<Step> steps() {
            Deque<Step> steps = new ArrayDeque<>();
            for (Label at = this; at.step.isPresent(); at = at.before.orElseThrow()) {
                steps.addFirst(at.step.get());
            }
            return List.copyOf(steps);
        }

        boolean isStart() {
            return step.isEmpty();
        }
    }

    /** The best way between two different nodes. */
    public Outcome find(String from, String to, Goal goal) {
        Reach reach = new Reach(List.copyOf(network.nodes().keySet()), paths, goal::allows);
        Kept kept = new Kept(goal);
        PriorityQueue<Label> open = new PriorityQueue<>(
                Comparator.comparingLong((Label one) -> one.totals().of(goal.metric()))
                        .thenComparingInt(Label::usids)
                        .thenComparing(one -> one.place().node())
                        .thenComparing(one -> one.place().own()));
        open.add(new Label(new Place(from, true), Totals.NONE, 0, 0, Optional.empty(), Optional.empty()));
        int taken = 0;
        while (!open.isEmpty()) {
            Label label = open.remove();
            if (!kept.isKept(label)) {
                continue; // another one has come to be better since
            }
            if (label.place().equals(new Place(to, true))) {
                return new Outcome.Found(label.steps(), label.totals());
            }
            if (++taken > limit) {
                return new Outcome.GaveUp(limit);
            }
            for (Label next : after(label, reach, goal)) {
                if (kept.keeps(next)) {
                    open.add(next);
                }
            }
        }
        return new Outcome.None();
    }

    private List<Label> after(Label label, Reach reach, Goal goal) {
        List<Label> next = new ArrayList<>();
        String node = label.place().node();
        if (!label.place().own()) {
            next.add(grown(label, new Place(node, true), Totals.NONE, 1, new Step.ToNode(node)));
        }
        for (String waypoint : waypoints) {
            if (!waypoint.equals(node)) {
                reach.between(node, waypoint)
                        .ifPresent(totals -> next.add(
                                grown(label, new Place(waypoint, true), totals, 1, new Step.ToNode(waypoint))));
            }
        }
        // A headend pushes and routes: it does not process a SID of its own.
        if (!label.isStart() && waypoints.contains(node)) {
            for (Link link : network.linksFrom(node)) {
                if (goal.allows(link)) {
                    int usids = label.place().own() ? 1 : 2;
                    Place there = new Place(link.to().node(), false);
                    next.add(grown(label, there, Totals.of(link), usids, new Step.OverLink(link)));
                }
            }
        }
        next.removeIf(one ->
                goal.bounds().stream().anyMatch(bound -> one.totals().of(bound.metric()) > bound.most()));
        return next;
    }

    private static Label grown(Label label, Place place, Totals more, int usids, Step step) {
        return new Label(
                place,
                label.totals().plus(more),
                label.usids() + usids,
                label.pins() + (step instanceof Step.OverLink ? 1 : 0),
                Optional.of(label),
                Optional.of(step));
    }

    /** At each place the labels that no other one there beats in everything that counts. */
    private static final class Kept {
        private final List<Metric> counted;
        private final Map<Place, List<Label>> at = new HashMap<>();

        Kept(Goal goal) {
            counted = new ArrayList<>(List.of(goal.metric()));
            goal.bounds().stream()
                    .map(Bound::metric)
                    .filter(metric -> metric != goal.metric())
                    .distinct()
                    .forEach(counted::add);
        }

        boolean keeps(Label label) {
            List<Label> here = at.computeIfAbsent(label.place(), place -> new ArrayList<>());
            if (here.stream().anyMatch(other -> beats(other, label))) {
                return false;
            }
            here.removeIf(other -> beats(label, other));
            here.add(label);
            return true;
        }

        boolean isKept(Label label) {
            return label.isStart()
                    || at.getOrDefault(label.place(), List.of()).stream().anyMatch(one -> one == label);
        }

        /** Without bounds on other metrics what costs less is better, whatever it takes to say it. */
        private boolean beats(Label one, Label other) {
            boolean shorter = one.usids() < other.usids() || one.usids() == other.usids() && one.pins() <= other.pins();
            if (counted.size() == 1) {
                long less = one.totals().of(counted.get(0));
                long more = other.totals().of(counted.get(0));
                return less < more || less == more && shorter;
            }
            return shorter
                    && counted.stream()
                            .allMatch(metric ->
                                    one.totals().of(metric) <= other.totals().of(metric));
        }
    }
}
