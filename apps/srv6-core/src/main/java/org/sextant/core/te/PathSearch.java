// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Paths;

/**
 * Finds the best path from a headend to an endpoint that meets a goal, as the fewest uSIDs that hold packets to it:
 * between two of them packets follow the underlay's shortest paths, and every one of these must be allowed.
 *
 * <p>A label search over the steps of segments, not over links: a label is a node, a flag for its own uSID as the last
 * one so far, the sums of the metrics (the worst of equally short paths), and the number of uSIDs. The first label that
 * is taken at the endpoint is the best. With bounds on other metrics than the goal's there is no fast exact method (the
 * problem is NP-hard): all Pareto-optimal labels are kept, as far as the effort goes.
 *
 * <p>Same input, same path. Intermediate results for the network are kept, within bounds, for the next search. Safe for
 * many threads.
 */
public final class PathSearch {
    /** For one path: enough for any of a thousand nodes without bounds, and a second of one processor or two at most. */
    public static final int STEPS = 1_000_000;

    private final IndexedGraph terrain;
    private final Regions regions;
    private final Paths paths;
    private final Set<String> avoided;

    /** @param waypoint which nodes have uSIDs */
    public PathSearch(Network network, Paths paths, Predicate<String> waypoint) {
        this(network, paths, new HopRules(waypoint));
    }

    public PathSearch(Network network, Paths paths, HopRules rules) {
        terrain = new IndexedGraph(network, paths, rules);
        regions = new Regions(terrain, paths, Regions.MOST_NODES);
        this.paths = paths;
        this.avoided = Set.of();
    }

    private PathSearch(IndexedGraph terrain, Regions regions, Paths paths, Set<String> avoided) {
        this.terrain = terrain;
        this.regions = regions;
        this.paths = paths;
        this.avoided = avoided;
    }

    /**
     * The same with nodes that are no transit where another path meets the goal: the best path without them, or if
     * there is none the best at all. The ends of a path, and stops that its goal requires, are no transit. This holds
     * for disjoint paths, too.
     */
    public PathSearch avoiding(Set<String> nodes) {
        return nodes.equals(avoided) ? this : new PathSearch(terrain, regions, paths, Set.copyOf(nodes));
    }

    /** The same for searches whose goals are of one request alone: their cached results are dropped with it. */
    public PathSearch apart() {
        return new PathSearch(terrain, new Regions(terrain, paths, Regions.FEW_NODES), paths, avoided);
    }

    /** The outcome of a search. */
    public sealed interface Outcome {

        /**
         * The best path.
         *
         * @param totals the sums of every metric, over the worst of the paths that packets may take
         */
        record Found(List<Step> steps, Totals totals) implements Outcome {}

        /** There is no path: the search was exhaustive. */
        record None() implements Outcome {}

        /** The limit of steps was reached: there may be a path or not. */
        record GaveUp(int steps) implements Outcome {}
    }

    /** The best path between two different nodes, with the effort of one path. */
    public Outcome find(String from, String to, Goal goal) {
        return find(from, to, goal, new QueryBudget(STEPS));
    }

    /** The constraints of a goal that bound a sum, require a stop or keep packets from a link that is up. */
    List<Constraint> felt(Goal goal) {
        return goal.constraints().stream()
                .filter(one -> one instanceof Constraint.Bound
                        || one instanceof Constraint.Stop
                        || one instanceof Constraint.SidDepth
                        || terrain.hops().stream().anyMatch(hop -> !one.allows(hop.link())))
                .toList();
    }

    /** The number of links that are up. */
    int links() {
        return terrain.hops().size();
    }

    /** The number of times that packets may be on each link: at most once for each step over it. */
    public SortedMap<Link, Integer> links(String from, List<Step> steps) {
        SortedMap<Link, Integer> links = new TreeMap<>();
        String at = from;
        for (Step step : steps) {
            Set<Link> on = step instanceof Step.OverLink over ? Set.of(over.link()) : underway(at, step.node());
            on.forEach(link -> links.merge(link, 1, Integer::sum));
            at = step.node();
        }
        return links;
    }

    /** All links of the underlay's equally short paths between two nodes. */
    private Set<Link> underway(String from, String to) {
        Set<Link> links = new HashSet<>();
        Set<String> seen = new HashSet<>(Set.of(from));
        Deque<String> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            for (Link link : paths.nextHops(open.remove(), to, Metric.IGP)) {
                links.add(link);
                if (seen.add(link.to().node())) {
                    open.add(link.to().node());
                }
            }
        }
        return links;
    }

    /** The best path with the rest of an effort. */
    public Outcome find(String from, String to, Goal goal, QueryBudget effort) {
        OptionalInt start = terrain.number(from);
        OptionalInt end = terrain.number(to);
        if (start.isEmpty() || end.isEmpty() || !terrain.isWaypoint(end.getAsInt())) {
            return new Outcome.None();
        }
        Set<String> transit = transit(from, to, goal);
        if (!transit.isEmpty()) {
            QueryBudget part = effort.half();
            Goal without = goal.and(new Constraint.ApartFrom("", Set.of(), transit, Set.of()));
            Outcome outcome = find(start.getAsInt(), end.getAsInt(), without, part);
            effort.steps(part.made());
            if (outcome instanceof Outcome.Found) {
                return outcome;
            }
        }
        return find(start.getAsInt(), end.getAsInt(), goal, effort);
    }

    private Outcome find(int start, int end, Goal goal, QueryBudget effort) {
        effort.steps(links());
        return new LabelSearch(terrain, regions.of(goal), goal, end, effort, false).from(start);
    }

    /** The avoided nodes that a path is to leave out. */
    private Set<String> transit(String from, String to, Goal goal) {
        Set<String> transit = new TreeSet<>(avoided);
        transit.remove(from);
        transit.remove(to);
        transit.removeIf(node -> goal.stops().stream()
                .anyMatch(stop -> stop.at(node)
                        || terrain.hops().stream().anyMatch(hop -> isAt(hop.link(), node) && stop.over(hop.link()))));
        return transit;
    }

    private static boolean isAt(Link link, String node) {
        return link.from().node().equals(node) || link.to().node().equals(node);
    }

    /** Returns if packets of a path may pass an avoided node. */
    boolean passesAvoided(String from, String to, List<Step> steps) {
        return !avoided.isEmpty()
                && links(from, steps).keySet().stream()
                        .map(link -> link.to().node())
                        .anyMatch(node -> !node.equals(to) && !node.equals(from) && avoided.contains(node));
    }
}
