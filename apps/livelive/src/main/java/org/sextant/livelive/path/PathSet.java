// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.path;

import java.util.List;

/**
 * The paths of a flow, the shortest first.
 *
 * @param paths all different
 * @param relaxed the resources that they share against the request; empty: they are as disjoint as requested
 */
public record PathSet(List<LinkPath> paths, List<SharedResource> relaxed) {
    public PathSet {
        paths = List.copyOf(paths);
        relaxed = List.copyOf(relaxed);
    }

    /** Sorts, removes duplicates, and determines the shared resources. */
    static PathSet of(List<LinkPath> paths, Disjointness wanted) {
        List<LinkPath> sorted = paths.stream().distinct().sorted().toList();
        return new PathSet(sorted, SharedResource.of(sorted, wanted));
    }
}
