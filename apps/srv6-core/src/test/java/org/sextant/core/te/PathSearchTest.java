// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Paths;
import org.sextant.core.te.Constraint.Bound;
import org.sextant.core.te.Constraint.ExcludeAny;
import org.sextant.core.te.Constraint.ExcludeNode;
import org.sextant.core.te.Constraint.ExcludeSrlg;
import org.sextant.core.te.Constraint.IncludeAny;
import org.sextant.core.te.PathSearch.Outcome;
import org.sextant.core.te.PathSearch.Outcome.Found;

class PathSearchTest {
    /** a-b-d is the path by the IGP metric, a-c-d is quicker, and c-d is red. */
    private static final Network SQUARE = new Roads()
            .road("a", "b", 10, 5000)
            .road("b", "d", 10, 5000)
            .road("a", "c", 10, 1000)
            .road("c", "d", 20, 1000, "red")
            .network();

    @Test
    void the_way_of_the_underlay_needs_no_node_between() {
        assertThat(steps(SQUARE, "a", "d", goal(Metric.IGP))).isEqualTo("d");
    }

    @Test
    void another_metric_goes_another_way_with_as_few_segments_as_hold_it_there() {
        assertThat(steps(SQUARE, "a", "d", goal(Metric.DELAY))).isEqualTo("c d");
        assertThat(find(SQUARE, "a", "d", goal(Metric.DELAY)).totals().delayMicros())
                .isEqualTo(2000);
    }

    @Test
    void a_measured_delay_counts_instead_of_the_described_one() {
        Network slow = new Network(
                SQUARE.nodes().values(),
                SQUARE.links().stream()
                        .map(link -> link.delayMicros() == 1000 ? link.withMeasuredDelayMicros(6000) : link)
                        .toList(),
                List.of());
        assertThat(steps(slow, "a", "d", goal(Metric.DELAY))).isEqualTo("d");
        assertThat(find(slow, "a", "d", goal(Metric.DELAY)).totals().delayMicros())
                .isEqualTo(10_000);
    }

    @Test
    void a_color_is_avoided() {
        assertThat(steps(SQUARE, "a", "d", goal(Metric.DELAY, new ExcludeAny("red"))))
                .isEqualTo("d");
    }

    /** Two links of one cost join a and d: packets go over either. */
    @Test
    void every_one_of_equally_short_ways_must_be_allowed() {
        Network network = new Roads()
                .road("s", "a", 10, 1)
                .road("a", "d", 10, 1)
                .road("a", "d", 10, 1, "red")
                .network();
        assertThat(steps(network, "s", "d", goal(Metric.IGP, new ExcludeAny("red"))))
                .isEqualTo("a a/2-d/1 d");
    }

    @Test
    void a_headend_cannot_pin_its_own_link() {
        Network network =
                new Roads().road("a", "d", 10, 1).road("a", "d", 10, 1, "red").network();
        assertThat(search(network).find("a", "d", goal(Metric.IGP, new ExcludeAny("red"))))
                .isEqualTo(new Outcome.None());
    }

    @Test
    void a_link_of_unknown_delay_is_not_used_where_delay_matters() {
        Network network = new Roads()
                .road("a", "d", 10, 0)
                .road("a", "b", 10, 700)
                .road("b", "d", 10, 700)
                .network();
        assertThat(steps(network, "a", "d", goal(Metric.DELAY))).isEqualTo("b d");
        assertThat(steps(network, "a", "d", goal(Metric.IGP, new Bound(Metric.DELAY, 10_000))))
                .isEqualTo("b d");
        assertThat(steps(network, "a", "d", goal(Metric.IGP))).isEqualTo("d");
    }

    @Test
    void a_bound_on_another_metric_is_met_by_a_dearer_path() {
        assertThat(steps(SQUARE, "a", "d", goal(Metric.IGP, new Bound(Metric.DELAY, 9_999))))
                .isEqualTo("c d");
        assertThat(search(SQUARE).find("a", "d", goal(Metric.IGP, new Bound(Metric.DELAY, 1_999))))
                .isEqualTo(new Outcome.None());
    }

    @Test
    void what_takes_too_many_steps_is_said() {
        assertThat(search(SQUARE).find("a", "d", goal(Metric.DELAY), new QueryBudget(1)))
                .isEqualTo(new Outcome.GaveUp(1));
    }

    @Test
    void the_smallest_set_that_stands_in_the_way_is_named_with_its_numbers() {
        Constraint red = new ExcludeAny("red");
        Constraint quick = new Bound(Metric.DELAY, 8_000);
        Constraint harmless = new ExcludeSrlg(7);
        Obstacle obstacle = obstacle(goal(Metric.IGP, harmless, red, quick));
        assertThat(obstacle.constraints()).containsExactly(red);
        assertThat(obstacle.instead().orElseThrow().totals().delayMicros()).isEqualTo(2_000);
        Obstacle bound = obstacle(goal(Metric.IGP, new ExcludeNode("c"), quick));
        assertThat(bound.constraints()).containsExactly(new ExcludeNode("c"));
        Obstacle tight = obstacle(goal(Metric.IGP, new Bound(Metric.DELAY, 1_500)));
        assertThat(tight.least()).containsExactly(new Obstacle.Least(new Bound(Metric.DELAY, 1_500), 2_000));
    }

    @Test
    void two_that_stand_in_the_way_together_are_both_named() {
        Constraint node = new ExcludeNode("b");
        Constraint red = new ExcludeAny("red");
        assertThat(obstacle(goal(Metric.IGP, node, red)).constraints()).containsExactly(node);
        Constraint blue = new IncludeAny(Set.of("blue"));
        assertThat(obstacle(goal(Metric.IGP, node, blue, red)).constraints()).containsExactly(node, blue);
    }

    /** a-d costs least, but its delay is unknown. */
    @Test
    void the_least_that_can_be_is_of_a_path_that_may_be_used() {
        Network network = new Roads()
                .road("a", "d", 10, 1, 0, Set.of())
                .road("a", "b", 10, 4, 700, Set.of())
                .road("b", "d", 10, 4, 700, Set.of())
                .network();
        Goal goal = goal(Metric.DELAY, new Bound(Metric.TE, 5));
        Obstacle obstacle = Obstacle.between("a", "d", goal, search(network), new QueryBudget(1000))
                .orElseThrow();
        assertThat(obstacle.least()).containsExactly(new Obstacle.Least(new Bound(Metric.TE, 5), 8));
    }

    @Test
    void looking_for_what_stands_in_the_way_ends_with_the_effort() {
        Goal goal = goal(Metric.IGP, new ExcludeNode("b"), new IncludeAny(Set.of("blue")));
        QueryBudget little = new QueryBudget(SQUARE.links().size());
        assertThat(Obstacle.between("a", "d", goal, search(SQUARE), little)).isEmpty();
        assertThat(little.spent()).isTrue();
    }

    @Test
    void a_constraint_that_keeps_packets_from_no_link_is_not_tried() {
        List<Constraint> many = new ArrayList<>();
        for (int group = 100; group < 10_000; group++) {
            many.add(new ExcludeSrlg(group));
        }
        many.add(new ExcludeNode("b"));
        many.add(new ExcludeAny("red"));
        Goal goal = new Goal(Metric.IGP, many);
        Obstacle obstacle = Obstacle.between("a", "d", goal, search(SQUARE), new QueryBudget(100))
                .orElseThrow();
        assertThat(obstacle.constraints()).containsExactly(new ExcludeNode("b"));
    }

    @Test
    void where_no_link_leads_no_constraint_is_to_blame() {
        Network apart = new Roads().road("a", "b", 1, 1).road("c", "d", 1, 1).network();
        Obstacle obstacle = Obstacle.between(
                        "a", "d", goal(Metric.IGP, new ExcludeAny("red")), search(apart), new QueryBudget(1000))
                .orElseThrow();
        assertThat(obstacle.constraints()).isEmpty();
        assertThat(obstacle.instead()).isEqualTo(Optional.empty());
    }

    private static Obstacle obstacle(Goal goal) {
        assertThat(search(SQUARE).find("a", "d", goal)).isEqualTo(new Outcome.None());
        return Obstacle.between("a", "d", goal, search(SQUARE), new QueryBudget(1000))
                .orElseThrow();
    }

    private static Goal goal(Metric metric, Constraint... constraints) {
        return new Goal(metric, List.of(constraints));
    }

    private static PathSearch search(Network network) {
        return new PathSearch(network, new Paths(network), node -> true);
    }

    private static Found find(Network network, String from, String to, Goal goal) {
        return (Found) search(network).find(from, to, goal);
    }

    /** Nodes, and links that are pinned. */
    private static String steps(Network network, String from, String to, Goal goal) {
        return find(network, from, to, goal).steps().stream()
                .map(step -> step instanceof Step.OverLink over ? over.link().id() : step.node())
                .collect(Collectors.joining(" "));
    }
}
