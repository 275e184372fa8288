// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.path;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.sextant.core.net.Link;

/** Finds paths that have as little in common as possible. Pure, and the same answer for the same links in any order. */
public final class DisjointPaths {
    /** No more copies than this are made of a packet. */
    public static final int MOST = 6;

    private DisjointPaths() {}

    /**
     * Paths over {@code links}, which are those that may be used.
     *
     * @param wanted how many, 1 to {@link #MOST}
     * @param mayShare if fewer are as disjoint as asked, more are added that share as little as possible; else fewer
     *     are returned. Even so there may be fewer: no path comes twice
     * @return empty if there is no path at all
     */
    public static PathSet find(
            List<Link> links, String from, String to, int wanted, Disjointness disjointness, boolean mayShare) {
        if (from.equals(to) || wanted < 1 || wanted > MOST) {
            throw new IllegalArgumentException("no " + wanted + " paths from " + from + " to " + to);
        }
        List<Link> sorted = links.stream().sorted().distinct().toList();
        List<LinkPath> paths = disjointness.groups()
                ? GroupDisjoint.find(sorted, from, to, wanted, mayShare)
                : MinCostPaths.find(sorted, from, to, wanted, disjointness, mayShare);
        return PathSet.of(mayShare ? different(paths, sorted, from, to, wanted, disjointness) : paths, disjointness);
    }

    /**
     * The cheapest choice may have a path twice, which protects nothing. In its place comes, one by one, the path that
     * shares least with those before it; none if the network has no other.
     */
    private static List<LinkPath> different(
            List<LinkPath> paths, List<Link> links, String from, String to, int wanted, Disjointness disjointness) {
        List<LinkPath> chosen = new ArrayList<>(new TreeSet<>(paths));
        if (chosen.size() == wanted) {
            return chosen;
        }
        TreeSet<LinkPath> others = new TreeSet<>(Candidates.shortest(links, from, to, GroupDisjoint.CANDIDATES));
        chosen.forEach(others::remove);
        while (chosen.size() < wanted && !others.isEmpty()) {
            LinkPath next = Collections.min(
                    others,
                    Comparator.<LinkPath, int[]>comparing(path -> shared(chosen, path, disjointness), Arrays::compare)
                            .thenComparing(Comparator.naturalOrder()));
            chosen.add(next);
            others.remove(next);
        }
        return chosen;
    }

    /** How often links, nodes and groups would be used more than once, as far as they should not be. */
    @SuppressWarnings("EnumOrdinal") // compared with each other only
    private static int[] shared(List<LinkPath> chosen, LinkPath path, Disjointness disjointness) {
        int[] shared = new int[Disjointness.values().length];
        Sharing.of(Stream.concat(chosen.stream(), Stream.of(path)).toList(), disjointness)
                .forEach(sharing -> shared[sharing.kind().ordinal()] += sharing.excess());
        return shared;
    }
}
