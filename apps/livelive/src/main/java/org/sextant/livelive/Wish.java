// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive;

import java.util.List;
import java.util.Objects;
import org.sextant.livelive.path.DisjointPaths;
import org.sextant.livelive.path.Disjointness;

/** Which paths the copies take. */
public sealed interface Wish {

    /** As many as the network has, up to {@link DisjointPaths#MOST}, or the number given. */
    record Found(int paths, Disjointness disjointness, Shortfall shortfall) implements Wish {
        /** For {@code paths}: as many as are disjoint. */
        public static final int ALL = 0;

        public Found {
            Objects.requireNonNull(disjointness);
            Objects.requireNonNull(shortfall);
            if (paths != ALL && (paths < 2 || paths > DisjointPaths.MOST)) {
                throw new IllegalArgumentException(paths + " paths are not within 2 and " + DisjointPaths.MOST);
            }
        }

        /** How many to look for. */
        public int most() {
            return paths == ALL ? DisjointPaths.MOST : paths;
        }
    }

    /**
     * These, each a list of nodes that are neighbours, ingress and egress included. A link ({@code a/1-b/2}) may stand
     * between two nodes to say which of several it is.
     */
    record Given(List<List<String>> paths) implements Wish {
        public Given {
            paths = paths.stream().map(List::copyOf).toList();
            if (paths.size() < 2 || paths.size() > DisjointPaths.MOST) {
                throw new IllegalArgumentException(paths.size() + " paths are not within 2 and " + DisjointPaths.MOST);
            }
        }
    }
}
