// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Paths;
import org.sextant.core.te.Constraint.Bound;
import org.sextant.core.te.PathSearch.Outcome;
import org.sextant.core.te.PathSearch.Outcome.Found;

/** Two paths that share no link against looking at every pair of lists of segments. */
class PairSearchTest {

    @Property(tries = 150)
    void the_first_is_the_best_that_leaves_a_second_one_anything(
            @ForAll long seed, @ForAll @IntRange(min = 3, max = 6) int size) {
        Network network = Roads.random(seed, size, size + 2);
        Random random = new Random(seed ^ 0x9a1);
        Goal first = goal(random);
        Goal second = goal(random);
        PathSearch search = new PathSearch(network, new Paths(network), node -> true);
        if (!(search.find("n0", "n1", first) instanceof Found best)) {
            return;
        }
        Predicate<Found> leaves = found -> search.find(
                        "n0",
                        "n1",
                        second.and(PairSearch.apart(
                                "", search.links("n0", found.steps()).keySet(), Set.of("n0", "n1"), false, false)))
                instanceof Found;
        Outcome outcome = new PairSearch(search, "n0", "n1", first, leaves).after(best);
        OptionalLong least = least(
                new Everything(network, first).footprints("n0", "n1"),
                new Everything(network, second).footprints("n0", "n1").keySet());
        if (least.isEmpty()) {
            assertThat(outcome).isEqualTo(new Outcome.None());
        } else {
            Found found = (Found) outcome;
            assertThat(found.totals().of(first.metric())).isEqualTo(least.getAsLong());
            assertThat(leaves.test(found)).isTrue();
        }
    }

    private static OptionalLong least(Map<Set<String>, Long> firsts, Set<Set<String>> seconds) {
        return firsts.entrySet().stream()
                .filter(first -> seconds.stream().anyMatch(second -> Collections.disjoint(first.getKey(), second)))
                .mapToLong(Map.Entry::getValue)
                .min();
    }

    /** Short ones only: all lists are tried. */
    private static Goal goal(Random random) {
        Goal short4 = new Goal(Metric.values()[random.nextInt(4)], List.of(new Bound(Metric.HOPS, 4)));
        return random.nextInt(3) == 0 ? short4.and(new Constraint.ExcludeAny("red")) : short4;
    }
}
