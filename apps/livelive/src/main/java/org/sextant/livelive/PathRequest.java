// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive;

import java.util.List;
import java.util.Objects;
import org.sextant.livelive.path.DisjointPaths;
import org.sextant.livelive.path.Disjointness;

/** The requested paths of the copies. */
public sealed interface PathRequest {

    /** As many paths as the network has, up to {@link DisjointPaths#MOST}, or the given number. */
    record Found(int paths, Disjointness disjointness, Shortfall shortfall) implements PathRequest {
        /** The value of {@code paths} for all disjoint paths. */
        public static final int ALL = 0;

        public Found {
            Objects.requireNonNull(disjointness);
            Objects.requireNonNull(shortfall);
            if (paths != ALL && (paths < 2 || paths > DisjointPaths.MOST)) {
                throw new IllegalArgumentException(paths + " paths are not within 2 and " + DisjointPaths.MOST);
            }
        }

        /** The maximum number of paths to search for. */
        public int most() {
            return paths == ALL ? DisjointPaths.MOST : paths;
        }
    }

    /**
     * Explicit paths, each a list of adjacent nodes, ingress and egress included. A link ({@code a/1-b/2}) between two
     * nodes selects one of several.
     */
    record Given(List<List<String>> paths) implements PathRequest {
        public Given {
            paths = paths.stream().map(List::copyOf).toList();
            if (paths.size() < 2 || paths.size() > DisjointPaths.MOST) {
                throw new IllegalArgumentException(paths.size() + " paths are not within 2 and " + DisjointPaths.MOST);
            }
        }
    }
}
