// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Paths;

/**
 * Tries all lists of segments that visit no place twice (but the headend, to which packets may return for a link that
 * is pinned there), and sends a packet over every path of each.
 */
final class Everything {
    record Best(long cost, int usids) {}

    private final Network network;
    private final Goal goal;
    private final Paths paths;
    private Optional<Best> best = Optional.empty();

    /** The cost of a path by its links; not collected if null. */
    private @Nullable Map<Set<String>, Long> footprints;

    Everything(Network network, Goal goal) {
        this.network = network;
        this.goal = goal;
        this.paths = new Paths(network);
    }

    Optional<Best> best(String from, String to) {
        extend(from, to, new ArrayList<>(), List.of(List.of()), new HashSet<>());
        return best;
    }

    /** The links of each path, over all possibilities of its packets, as undirected ids, and its least cost. */
    Map<Set<String>, Long> footprints(String from, String to) {
        footprints = new HashMap<>();
        best(from, to);
        return footprints;
    }

    private void extend(String at, String to, List<Step> steps, List<List<Link>> ways, Set<String> places) {
        boolean own = steps.isEmpty() || steps.get(steps.size() - 1) instanceof Step.ToNode;
        if (at.equals(to) && own && visited(ways) == goal.stops().size()) {
            if (footprints != null) {
                footprints.merge(
                        ways.stream()
                                .flatMap(List::stream)
                                .map(Link::undirectedId)
                                .collect(Collectors.toUnmodifiableSet()),
                        worst(ways, goal.metric()),
                        Math::min);
                return;
            }
            Best here = new Best(worst(ways, goal.metric()), usids(steps));
            best = Optional.of(best.filter(known -> Comparator.comparingLong(Best::cost)
                                    .thenComparingInt(Best::usids)
                                    .compare(known, here)
                            <= 0)
                    .orElse(here));
            return;
        }
        for (String node : network.nodes().keySet()) {
            if (!at.equals(node)) {
                follow(new Step.ToNode(node), ways(at, node), to, steps, ways, places);
            } else if (!own) {
                follow(new Step.ToNode(node), List.of(List.of()), to, steps, ways, places);
            }
        }
        if (!steps.isEmpty()) {
            for (Link link : network.linksFrom(at)) {
                follow(new Step.OverLink(link), List.of(List.of(link)), to, steps, ways, places);
            }
        }
    }

    private void follow(
            Step step, List<List<Link>> on, String to, List<Step> steps, List<List<Link>> ways, Set<String> places) {
        List<List<Link>> longer = new ArrayList<>();
        ways.forEach(way -> on.forEach(more -> {
            List<Link> whole = new ArrayList<>(way);
            whole.addAll(more);
            longer.add(whole);
        }));
        String place = step.node() + (step instanceof Step.ToNode) + visited(longer);
        boolean allowed = !longer.isEmpty()
                && longer.stream().flatMap(List::stream).allMatch(this::allowed)
                && goal.bounds().stream().allMatch(bound -> worst(longer, bound.metric()) <= bound.most())
                && best.filter(known -> worst(longer, goal.metric()) > known.cost())
                        .isEmpty();
        if (allowed && places.add(place)) {
            steps.add(step);
            extend(step.node(), to, steps, longer, places);
            steps.remove(steps.size() - 1);
            places.remove(place);
        }
    }

    /** The least number of stops behind packets, over all their paths. */
    private int visited(List<List<Link>> ways) {
        return ways.stream().mapToInt(this::visitedOn).min().orElse(0);
    }

    private int visitedOn(List<Link> way) {
        List<Constraint.Stop> stops = goal.stops();
        int visited = 0;
        for (Link link : way) {
            visited += visited < stops.size() && stops.get(visited).over(link) ? 1 : 0;
            while (visited < stops.size() && stops.get(visited).at(link.to().node())) {
                visited++;
            }
        }
        return visited;
    }

    private boolean allowed(Link link) {
        boolean delay = goal.metric() == Metric.DELAY
                || goal.bounds().stream().anyMatch(bound -> bound.metric() == Metric.DELAY);
        return !(delay && link.delayMicros() == 0)
                && goal.constraints().stream().allMatch(one -> one.allows(link));
    }

    private long worst(List<List<Link>> ways, Metric metric) {
        return ways.stream()
                .mapToLong(way -> way.stream().mapToLong(metric::of).sum())
                .max()
                .orElseThrow();
    }

    /** All paths of a packet in the underlay; none if there is no path. */
    private List<List<Link>> ways(String from, String to) {
        List<List<Link>> ways = new ArrayList<>();
        for (Link link : paths.nextHops(from, to, Metric.IGP)) {
            List<List<Link>> rest = link.to().node().equals(to)
                    ? List.of(List.of())
                    : ways(link.to().node(), to);
            rest.forEach(more -> {
                List<Link> way = new ArrayList<>(List.of(link));
                way.addAll(more);
                ways.add(way);
            });
        }
        return ways;
    }

    /** A node's uSID is one, its uA behind it another one; behind its own uSID only the uA is new. */
    static int usids(List<Step> steps) {
        int usids = 0;
        boolean own = true;
        for (Step step : steps) {
            usids += step instanceof Step.ToNode || own ? 1 : 2;
            own = step instanceof Step.ToNode;
        }
        return usids;
    }
}
