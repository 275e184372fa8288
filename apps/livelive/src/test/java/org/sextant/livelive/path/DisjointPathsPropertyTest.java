// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.sextant.core.net.Link;

/** Compares the algorithm with an exhaustive search over all choices of paths, on small networks. */
class DisjointPathsPropertyTest {

    @Property(tries = 400)
    void as_many_disjoint_paths_as_there_are_and_no_longer_than_they_must_be(
            @ForAll long seed,
            @ForAll @IntRange(min = 2, max = 6) int nodes,
            @ForAll @IntRange(min = 1, max = 9) int links,
            @ForAll @IntRange(min = 1, max = 3) int wanted,
            @ForAll Disjointness disjointness) {
        List<Link> network = Graphs.random(seed, nodes, links, 3);
        PathSet set = DisjointPaths.find(network, "a", "b", wanted, disjointness, false);
        Best best = new Best(Graphs.all(network, "a", "b"), disjointness);
        List<LinkPath> expected = List.of();
        for (int size = wanted; size > 0 && expected.isEmpty(); size--) {
            expected = best.disjoint(size);
        }
        assertThat(set.relaxed()).isEmpty();
        assertThat(set.paths()).hasSameSizeAs(expected);
        assertThat(metric(set.paths())).isEqualTo(metric(expected));
    }

    @Property(tries = 400)
    void shares_no_more_than_it_must(
            @ForAll long seed,
            @ForAll @IntRange(min = 2, max = 6) int nodes,
            @ForAll @IntRange(min = 1, max = 8) int links,
            @ForAll @IntRange(min = 1, max = 3) int wanted,
            @ForAll Disjointness disjointness) {
        List<Link> network = Graphs.random(seed, nodes, links, 3);
        List<LinkPath> all = Graphs.all(network, "a", "b");
        List<LinkPath> found = disjointness == Disjointness.SRLG
                ? GroupDisjoint.find(network.stream().sorted().toList(), "a", "b", wanted, true)
                : MinCostPaths.find(network.stream().sorted().toList(), "a", "b", wanted, disjointness, true);
        if (all.isEmpty()) {
            assertThat(found).isEmpty();
            return;
        }
        assertThat(found).hasSize(wanted);
        List<LinkPath> expected = new Best(all, disjointness).sharing(wanted);
        assertThat(Graphs.cost(found, disjointness)).containsExactly(Graphs.cost(expected, disjointness));
    }

    @Property(tries = 30)
    void the_order_of_the_links_does_not_matter(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 6) int wanted, @ForAll Disjointness disjointness) {
        List<Link> network = Graphs.random(seed, 12, 30, 4);
        List<Link> shuffled = new ArrayList<>(network);
        Collections.shuffle(shuffled, new Random(seed));
        assertThat(DisjointPaths.find(shuffled, "a", "b", wanted, disjointness, true))
                .isEqualTo(DisjointPaths.find(network, "a", "b", wanted, disjointness, true));
    }

    private static long metric(List<LinkPath> paths) {
        return paths.stream().mapToLong(LinkPath::metric).sum();
    }

    /** The best choice by exhaustive search. */
    private static final class Best {
        private final List<LinkPath> all;
        private final Disjointness disjointness;
        private List<LinkPath> best = List.of();

        Best(List<LinkPath> all, Disjointness disjointness) {
            this.all = all;
            this.disjointness = disjointness;
        }

        List<LinkPath> sharing(int size) {
            best = List.of();
            tryAll(new ArrayList<>(), size, 0, false);
            return best;
        }

        List<LinkPath> disjoint(int size) {
            best = List.of();
            tryAll(new ArrayList<>(), size, 0, true);
            return best;
        }

        private void tryAll(List<LinkPath> chosen, int size, int from, boolean strictly) {
            if (strictly && !SharedResource.of(chosen, disjointness).isEmpty()) {
                return;
            }
            if (chosen.size() == size) {
                if (best.isEmpty() || Graphs.less(Graphs.cost(chosen, disjointness), Graphs.cost(best, disjointness))) {
                    best = List.copyOf(chosen);
                }
                return;
            }
            for (int i = from; i < all.size(); i++) {
                chosen.add(all.get(i));
                tryAll(chosen, size, strictly ? i + 1 : i, strictly);
                chosen.remove(chosen.size() - 1);
            }
        }
    }
}
