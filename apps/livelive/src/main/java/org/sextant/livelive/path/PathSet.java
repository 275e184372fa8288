// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.path;

import java.util.List;

/**
 * The paths found for a flow, the shortest first.
 *
 * @param paths all different
 * @param relaxed what they share although they were asked not to; empty: they are as disjoint as asked
 */
public record PathSet(List<LinkPath> paths, List<Sharing> relaxed) {
    public PathSet {
        paths = List.copyOf(paths);
        relaxed = List.copyOf(relaxed);
    }

    /** Sorts, drops what is the same path twice, and works out what is shared. */
    static PathSet of(List<LinkPath> paths, Disjointness wanted) {
        List<LinkPath> sorted = paths.stream().distinct().sorted().toList();
        return new PathSet(sorted, Sharing.of(sorted, wanted));
    }
}
