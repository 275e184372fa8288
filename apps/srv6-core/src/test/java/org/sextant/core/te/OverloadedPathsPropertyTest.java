// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Overload;
import org.sextant.core.net.Paths;
import org.sextant.core.te.Constraint.ApartFrom;
import org.sextant.core.te.Constraint.Bound;
import org.sextant.core.te.PathSearch.Outcome;
import org.sextant.core.te.PathSearch.Outcome.Found;

/** Paths of networks in which some nodes are overloaded or drained. */
class OverloadedPathsPropertyTest {
    private static final Instant SINCE = Instant.parse("2026-11-28T00:00:00Z");

    /** The best of all segment lists without overloaded transit nodes; if there is none, the best of all. */
    @Property(tries = 400)
    void a_search_prefers_any_path_without_overloaded_transit(
            @ForAll long seed, @ForAll @IntRange(min = 3, max = 5) int size) {
        Random random = new Random(seed ^ 0x0e0);
        Network network = overloaded(Roads.random(seed, size, size + 2), random, 3);
        Goal goal = goal(random);
        Set<String> transit = new TreeSet<>(network.overloads().keySet());
        transit.removeAll(Set.of("n0", "n1"));
        Goal without = goal.and(new ApartFrom("", Set.of(), transit, Set.of()));
        Optional<Everything.Best> expected = new Everything(network, without)
                .best("n0", "n1")
                .or(() -> new Everything(network, goal).best("n0", "n1"));
        Outcome outcome = new PathSearch(network, new Paths(network), node -> true)
                .avoiding(network.overloads().keySet())
                .find("n0", "n1", goal);
        if (expected.isEmpty()) {
            assertThat(outcome).isEqualTo(new Outcome.None());
            return;
        }
        Found found = (Found) outcome;
        assertThat(new Everything.Best(found.totals().of(goal.metric()), Everything.usids(found.steps())))
                .isEqualTo(expected.get());
    }

    /** A node that has to be visited is no transit. */
    @Property(tries = 100)
    void what_the_goal_names_is_not_avoided(@ForAll long seed, @ForAll @IntRange(min = 3, max = 5) int size) {
        Random random = new Random(seed ^ 0x1e1);
        Network network = Roads.random(seed, size, size + 2)
                .withOverloads(new TreeMap<>(Map.of("n2", new Overload(SINCE, random.nextBoolean()))));
        Goal goal = goal(random).and(new Bound(Metric.HOPS, 5)).and(new Constraint.IncludeNode(0, "n2"));
        PathSearch search = new PathSearch(network, new Paths(network), node -> true);
        assertThat(search.avoiding(Set.of("n2")).find("n0", "n1", goal)).isEqualTo(search.find("n0", "n1", goal));
    }

    @Property(tries = 300)
    void routes_avoid_drained_nodes_where_they_can_and_never_loop(
            @ForAll long seed, @ForAll @IntRange(min = 3, max = 9) int size) {
        Random random = new Random(seed ^ 0x2e2);
        Network before = Roads.random(seed, size, size + random.nextInt(size));
        Network network = overloaded(before, random, 1 + random.nextInt(3));
        Set<String> drained = network.drained();
        Paths paths = new Paths(network);
        Paths plain = new Paths(before);
        for (String to : network.nodes().keySet()) {
            Map<String, Long> without = distancesWithout(before, drained, to);
            for (String from : network.nodes().keySet()) {
                if (from.equals(to)) {
                    continue;
                }
                List<List<Link>> ways = ways(paths, from, to, size);
                assertThat(ways.isEmpty())
                        .isEqualTo(plain.distance(from, to, Metric.IGP).isEmpty());
                for (List<Link> way : ways) {
                    long cost = way.stream().mapToLong(Link::igpMetric).sum();
                    if (without.containsKey(from)) {
                        assertThat(transit(way)).noneMatch(drained::contains);
                        assertThat(cost).isEqualTo(without.get(from));
                    } else if (drained.size() == 1) {
                        assertThat(cost)
                                .isEqualTo(plain.distance(from, to, Metric.IGP).orElseThrow());
                    }
                }
            }
        }
    }

    /** The node that cannot be written needs no write: the routes of a single drained node stay the same. */
    @Property(tries = 100)
    void draining_a_node_changes_none_of_its_own_routes(
            @ForAll long seed, @ForAll @IntRange(min = 3, max = 9) int size) {
        Network before = Roads.random(seed, size, 2 * size);
        Network after = before.withOverloads(new TreeMap<>(Map.of("n2", new Overload(SINCE, true))));
        for (String to : before.nodes().keySet()) {
            assertThat(new Paths(after).nextHops("n2", to, Metric.IGP))
                    .isEqualTo(new Paths(before).nextHops("n2", to, Metric.IGP));
        }
    }

    @Property(tries = 50)
    void an_overload_without_draining_changes_no_route(
            @ForAll long seed, @ForAll @IntRange(min = 3, max = 9) int size) {
        Network before = Roads.random(seed, size, 2 * size);
        Network after = before.withOverloads(new TreeMap<>(Map.of("n2", new Overload(SINCE, false))));
        for (String from : before.nodes().keySet()) {
            for (String to : before.nodes().keySet()) {
                assertThat(new Paths(after).nextHops(from, to, Metric.IGP))
                        .isEqualTo(new Paths(before).nextHops(from, to, Metric.IGP));
            }
        }
    }

    private static Network overloaded(Network network, Random random, int most) {
        SortedMap<String, Overload> overloads = new TreeMap<>();
        List<String> names = List.copyOf(network.nodes().keySet());
        for (int i = 0; i < most; i++) {
            overloads.put(names.get(random.nextInt(names.size())), new Overload(SINCE, random.nextBoolean()));
        }
        return network.withOverloads(overloads);
    }

    private static Goal goal(Random random) {
        List<Constraint> constraints = new ArrayList<>();
        if (random.nextInt(3) == 0) {
            constraints.add(new Constraint.ExcludeAny("red"));
        }
        if (random.nextInt(3) == 0) {
            constraints.add(new Bound(Metric.IGP, 2 + random.nextInt(6)));
        }
        if (random.nextInt(4) == 0) {
            constraints.add(new Bound(Metric.TE, 2 + random.nextInt(6)));
        }
        return new Goal(Metric.values()[random.nextInt(Metric.values().length)], constraints);
    }

    private static List<String> transit(List<Link> way) {
        return way.stream().skip(1).map(link -> link.from().node()).toList();
    }

    /** All paths of a packet by the routes; fails if one is longer than the network has nodes. */
    private static List<List<Link>> ways(Paths paths, String from, String to, int most) {
        assertThat(most).as("a loop").isPositive();
        List<List<Link>> ways = new ArrayList<>();
        for (Link link : paths.nextHops(from, to, Metric.IGP)) {
            String next = link.to().node();
            List<List<Link>> rest = next.equals(to) ? List.of(List.of()) : ways(paths, next, to, most - 1);
            rest.forEach(more -> {
                List<Link> way = new ArrayList<>(List.of(link));
                way.addAll(more);
                ways.add(way);
            });
        }
        return ways;
    }

    /** Bellman-Ford over links that end at the destination or at a node that is not drained. */
    private static Map<String, Long> distancesWithout(Network network, Set<String> drained, String to) {
        Map<String, Long> distances = new HashMap<>(Map.of(to, 0L));
        for (int i = 0; i < network.nodes().size(); i++) {
            for (Link link : network.links()) {
                String next = link.to().node();
                if (link.up() && distances.containsKey(next) && (next.equals(to) || !drained.contains(next))) {
                    distances.merge(link.from().node(), distances.get(next) + link.igpMetric(), Math::min);
                }
            }
        }
        return distances;
    }
}
