// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.sextant.core.net.Link;
import org.sextant.core.net.Protection;

/**
 * What is taken to fail together, next to the node that repairs.
 *
 * @param links ids of links of that node, by each of which it would send: they fail in both directions
 * @param node that they all lead to, if it may be the one that failed
 * @param srlgs risks that they all share: whatever shares one of these fails with them
 */
public record Failure(SortedSet<String> links, Optional<String> node, SortedSet<Integer> srlgs) {
    public Failure {
        links = Collections.unmodifiableSortedSet(new TreeSet<>(links));
        srlgs = Collections.unmodifiableSortedSet(new TreeSet<>(srlgs));
    }

    /** Of links that one node has, all of which are to fail together, by what is asked for. */
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

    private Failure withoutSrlgs() {
        return new Failure(links, node, new TreeSet<>());
    }

    /** Only the links fail. */
    boolean isPlain() {
        return node.isEmpty() && srlgs.isEmpty();
    }

    /** This, and what is left of it where that is too much, until only the links fail: a shared risk counts more than a node. */
    List<Failure> milder() {
        return Stream.of(this, withoutNode(), withoutSrlgs(), withoutNode().withoutSrlgs())
                .distinct()
                .toList();
    }
}
