// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.path;

import java.util.List;
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
     *     are returned. Even so there may be fewer: what would be the same path again is left out
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
        return PathSet.of(paths, disjointness);
    }
}
