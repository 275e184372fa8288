// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Paths;
import org.sextant.core.te.Constraint.Bound;
import org.sextant.core.te.PathSearch.Outcome;
import org.sextant.core.te.PathSearch.Outcome.Found;

/** The search against an exhaustive one: every list of segments, and every path that packets may take through it. */
class PathSearchPropertyTest {
    /** Few roads: lists over a denser network of seven nodes are too many to try. */
    @Property(tries = 12)
    void finds_it_on_seven_nodes(@ForAll long seed, @ForAll @IntRange(min = 6, max = 7) int size) {
        finds_what_looking_at_all_segment_lists_finds(seed, size);
    }

    @Property(tries = 400)
    void finds_what_looking_at_all_segment_lists_finds(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 5) int size) {
        Network network = Roads.random(seed, size, size > 5 ? size : size + 2);
        isTheBest(network, randomGoal(new Random(seed ^ 0x5ea)));
    }

    /** Few links to go: a list may come to a node once for each stop. */
    @Property(tries = 80)
    void visits_what_it_has_to(@ForAll long seed, @ForAll @IntRange(min = 3, max = 7) int size) {
        Random random = new Random(seed ^ 0x1dc);
        Goal goal = randomGoal(random)
                .and(new Bound(Metric.HOPS, size > 5 ? 4 : 5))
                .and(new Constraint.IncludeNode(random.nextInt(2), "n2"));
        Goal more = random.nextBoolean()
                ? goal
                : goal.and(
                        random.nextBoolean()
                                ? new Constraint.IncludeLink(1, "n2-n0")
                                : new Constraint.IncludeNode(1, "n" + (size - 1)));
        isTheBest(Roads.random(seed, size, size > 5 ? size : size + 1), more);
    }

    private static void isTheBest(Network network, Goal goal) {
        Outcome outcome = new PathSearch(network, new Paths(network), node -> true).find("n0", "n1", goal);
        Optional<Everything.Best> best = new Everything(network, goal).best("n0", "n1");
        if (best.isEmpty()) {
            assertThat(outcome).isEqualTo(new Outcome.None());
            return;
        }
        Found found = (Found) outcome;
        assertThat(new Everything.Best(found.totals().of(goal.metric()), Everything.usids(found.steps())))
                .isEqualTo(best.get());
    }

    @Property(tries = 150)
    void an_obstacle_is_one_and_none_is_smaller(@ForAll long seed, @ForAll @IntRange(min = 2, max = 5) int size) {
        Network network = Roads.random(seed, size, size + 1);
        Goal goal = randomGoal(new Random(seed ^ 0x0b5));
        PathSearch search = new PathSearch(network, new Paths(network), node -> true);
        if (search.find("n0", "n1", goal) instanceof Found) {
            return;
        }
        Obstacle.between("n0", "n1", goal, search, new QueryBudget(1_000_000)).ifPresent(obstacle -> {
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
                new Constraint.Bandwidth(3, Set.of("n0/1-n1/1", "n2/1-n1/2", "n0/2-n3/1")),
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
}
