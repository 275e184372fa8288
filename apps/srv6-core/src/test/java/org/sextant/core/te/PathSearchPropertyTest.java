// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Paths;
import org.sextant.core.te.Constraint.Bound;
import org.sextant.core.te.PathSearch.Outcome;
import org.sextant.core.te.PathSearch.Outcome.Found;

/** The search against looking at everything: every list of segments, and every way that packets may take through it. */
class PathSearchPropertyTest {
    private record Best(long cost, int usids) {}

    @Property(tries = 400)
    void finds_what_looking_at_all_segment_lists_finds(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 5) int size) {
        Network network = Roads.random(seed, size, size + 2);
        Goal goal = randomGoal(new Random(seed ^ 0x5ea));
        Outcome outcome =
                new PathSearch(network, new Paths(network), node -> true, PathSearch.STEPS).find("n0", "n1", goal);
        Optional<Best> best = new Everything(network, goal).best("n0", "n1");
        if (best.isEmpty()) {
            assertThat(outcome).isEqualTo(new Outcome.None());
            return;
        }
        Found found = (Found) outcome;
        assertThat(new Best(found.totals().of(goal.metric()), usids(found.steps())))
                .isEqualTo(best.get());
    }

    @Property(tries = 150)
    void an_obstacle_is_one_and_none_is_smaller(@ForAll long seed, @ForAll @IntRange(min = 2, max = 5) int size) {
        Network network = Roads.random(seed, size, size + 1);
        Goal goal = randomGoal(new Random(seed ^ 0x0b5));
        PathSearch search = new PathSearch(network, new Paths(network), node -> true, PathSearch.STEPS);
        if (search.find("n0", "n1", goal) instanceof Found) {
            return;
        }
        Obstacle.between("n0", "n1", goal, search, 1000).ifPresent(obstacle -> {
            if (obstacle.constraints().isEmpty()) {
                assertThat(new Everything(network, goal.without(goal.constraints())).best("n0", "n1"))
                        .isEmpty();
                return;
            }
            assertThat(new Everything(network, goal.without(obstacle.constraints())).best("n0", "n1"))
                    .isPresent();
            for (Constraint one : obstacle.constraints()) {
                List<Constraint> fewer = new ArrayList<>(obstacle.constraints());
                fewer.remove(one);
                assertThat(new Everything(network, goal.without(fewer)).best("n0", "n1"))
                        .isEmpty();
            }
        });
    }

    private static Goal randomGoal(Random random) {
        List<Constraint> constraints = new ArrayList<>();
        List<Constraint> all = List.of(
                new Constraint.ExcludeAny("red"),
                new Constraint.IncludeAny(Set.of("red", "blue")),
                new Constraint.IncludeAll("blue"),
                new Constraint.ExcludeNode("n2"),
                new Constraint.ExcludeSrlg(1),
                new Bound(Metric.DELAY, 2 + random.nextInt(8)),
                new Bound(Metric.HOPS, 1 + random.nextInt(4)),
                new Bound(Metric.TE, 2 + random.nextInt(6)),
                new Bound(Metric.IGP, 1 + random.nextInt(6)));
        for (Constraint one : all) {
            if (random.nextInt(4) == 0) {
                constraints.add(one);
            }
        }
        return new Goal(Metric.values()[random.nextInt(Metric.values().length)], constraints);
    }

    /** A node's uSID is one, its uA behind it another one; behind its own uSID only the uA is new. */
    private static int usids(List<Step> steps) {
        int usids = 0;
        boolean own = true;
        for (Step step : steps) {
            usids += step instanceof Step.ToNode || own ? 1 : 2;
            own = step instanceof Step.ToNode;
        }
        return usids;
    }

    /**
     * Tries all lists of segments that are at no place twice (but the headend, where packets may come back to, to take a link that
     * is pinned there), and sends a packet over every way through each.
     */
    private static final class Everything {
        private final Network network;
        private final Goal goal;
        private final Paths paths;
        private Optional<Best> best = Optional.empty();

        Everything(Network network, Goal goal) {
            this.network = network;
            this.goal = goal;
            this.paths = new Paths(network);
        }

        Optional<Best> best(String from, String to) {
            extend(from, to, new ArrayList<>(), List.of(List.of()), new HashSet<>());
            return best;
        }

        private void extend(String at, String to, List<Step> steps, List<List<Link>> ways, Set<String> places) {
            boolean own = steps.isEmpty() || steps.get(steps.size() - 1) instanceof Step.ToNode;
            if (at.equals(to) && own) {
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
                Step step,
                List<List<Link>> on,
                String to,
                List<Step> steps,
                List<List<Link>> ways,
                Set<String> places) {
            String place = step.node() + (step instanceof Step.ToNode);
            List<List<Link>> longer = new ArrayList<>();
            ways.forEach(way -> on.forEach(more -> {
                List<Link> whole = new ArrayList<>(way);
                whole.addAll(more);
                longer.add(whole);
            }));
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

        /** All that the underlay may take a packet; none if there is no path. */
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
    }
}
