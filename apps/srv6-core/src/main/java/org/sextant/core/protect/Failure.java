// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sextant.core.net.Link;
import org.sextant.core.net.Protection;

/**
 * The elements that are assumed to fail together, next to the node that repairs.
 *
 * @param links ids of links of that node, by each of which it would send: they fail in both directions
 * @param node behind all of them, if it may be the one that failed
 * @param srlgs risks that they all share: whatever shares one of these fails with them
 */
public record Failure(SortedSet<String> links, Optional<String> node, SortedSet<Integer> srlgs) {
    /** The most risks of which all combinations (256) are tried. */
    private static final int MOST_COMBINED = 8;

    public Failure {
        links = Collections.unmodifiableSortedSet(new TreeSet<>(links));
        srlgs = Collections.unmodifiableSortedSet(new TreeSet<>(srlgs));
    }

    /** The common failure of links of one node, for the requested protection. */
    static Failure of(List<Link> links, Protection wanted) {
        SortedSet<String> ids = new TreeSet<>();
        Set<String> nodes = new TreeSet<>();
        SortedSet<Integer> shared = new TreeSet<>(links.get(0).srlgs());
        for (Link link : links) {
            ids.add(link.id());
            nodes.add(link.to().node());
            shared.retainAll(link.srlgs());
        }
        return new Failure(
                ids,
                wanted.node() && nodes.size() == 1 ? nodes.stream().findFirst() : Optional.empty(),
                wanted.srlg() ? shared : new TreeSet<>());
    }

    /** No packet is on this link any more. */
    public boolean hits(Link link) {
        return links.contains(link.id())
                || links.contains(link.to() + "-" + link.from())
                || node.filter(one -> link.from().node().equals(one)
                                || link.to().node().equals(one))
                        .isPresent()
                || !Collections.disjoint(srlgs, link.srlgs());
    }

    Failure withoutNode() {
        return new Failure(links, Optional.empty(), srlgs);
    }

    /** The same links, and no other element that could fail with them. */
    Failure plain() {
        return new Failure(links, Optional.empty(), new TreeSet<>());
    }

    /** True if everything that fails with this fails with the other one, too. */
    boolean isWithin(Failure other) {
        return links.equals(other.links)
                && (node.isEmpty() || node.equals(other.node))
                && other.srlgs.containsAll(srlgs);
    }

    /** Each risk alone beside the links: the shared ones in ascending order, then the node. */
    List<Failure> singles() {
        List<Failure> singles = new ArrayList<>();
        srlgs.forEach(group -> singles.add(new Failure(links, Optional.empty(), new TreeSet<>(Set.of(group)))));
        if (node.isPresent()) {
            singles.add(new Failure(links, node, new TreeSet<>()));
        }
        return singles;
    }

    private Failure and(Failure other) {
        TreeSet<Integer> groups = new TreeSet<>(srlgs);
        groups.addAll(other.srlgs);
        return new Failure(links, node.or(other::node), groups);
    }

    /** True if only the links fail. */
    boolean isPlain() {
        return node.isEmpty() && srlgs.isEmpty();
    }

    /**
     * This failure, and the reduced ones to try if no repair avoids all of it, the best first: the more risks the
     * better; of equally many a shared risk counts more than the node, and one of a lower number more than the others.
     * Last, only the links fail. Among more than {@link #MOST_COMBINED} risks, only so many are combined with each
     * other, the node included.
     */
    List<Failure> milder() {
        List<Failure> risks = new ArrayList<>(singles());
        while (risks.size() > MOST_COMBINED) {
            risks.remove(srlgs.size() - 1 - (singles().size() - risks.size()));
        }
        List<Integer> subsets = IntStream.range(0, 1 << risks.size()).boxed().collect(Collectors.toList());
        subsets.sort(Comparator.comparingInt((Integer set) -> -Integer.bitCount(set))
                .thenComparing(Comparator.comparingInt((Integer set) -> Integer.reverse(set) >>> 1)
                        .reversed()));
        List<Failure> milder = new ArrayList<>(List.of(this));
        for (int subset : subsets) {
            Failure failure = plain();
            for (int i = 0; i < risks.size(); i++) {
                failure = (subset >> i & 1) == 1 ? failure.and(risks.get(i)) : failure;
            }
            milder.add(failure);
        }
        return milder.stream().distinct().toList();
    }
}
