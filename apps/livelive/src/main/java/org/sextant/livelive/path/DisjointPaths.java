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

/** Finds paths that share as little as possible. Pure; the result does not depend on the order of links. */
public final class DisjointPaths {
    /** The maximum number of copies of a packet. */
    public static final int MOST = 6;

    private DisjointPaths() {}

    /**
     * Finds paths over {@code links}, the usable links.
     *
     * @param wanted the requested number, 1 to {@link #MOST}
     * @param mayShare if fewer paths are as disjoint as requested, adds others that share as little as possible;
     *     otherwise the result has fewer. Even then there may be fewer: all paths are different
     * @return empty if no path exists
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
     * The cheapest choice may contain a path twice, which protects nothing. The path that shares least with the others
     * replaces it, one by one; none if the network has no other.
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

    /** The number of additional uses of links, nodes and groups that the disjointness forbids to share. */
    @SuppressWarnings("EnumOrdinal") // compared with each other only
    private static int[] shared(List<LinkPath> chosen, LinkPath path, Disjointness disjointness) {
        int[] shared = new int[Disjointness.values().length];
        SharedResource.of(Stream.concat(chosen.stream(), Stream.of(path)).toList(), disjointness)
                .forEach(sharing -> shared[sharing.kind().ordinal()] += sharing.excess());
        return shared;
    }
}
