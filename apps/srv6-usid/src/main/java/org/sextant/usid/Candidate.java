// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.net.Metric;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Policy.WeightedHops;

/**
 * One of the paths that a policy may take (RFC 9256, 2.2).
 *
 * @param preference the valid one with the highest is taken (RFC 9256, 2.7); 0 to 2^32 - 1
 * @param discriminator of equal preferences the higher one (RFC 9256, 2.9); 0 to 2^32 - 1
 */
public record Candidate(long preference, long discriminator, Choice choice) {
    /** Of a candidate that says none (RFC 9256, 2.7). */
    public static final long DEFAULT_PREFERENCE = 100;

    public static final long MAX = 0xffff_ffffL;

    /**
     * The best first. The other steps of RFC 9256, 2.9 tell no two of one policy apart: all come from this controller.
     */
    public static final Comparator<Candidate> BEST_FIRST = Comparator.comparingLong(Candidate::preference)
            .thenComparingLong(Candidate::discriminator)
            .reversed();

    public Candidate {
        Objects.requireNonNull(choice);
        if (preference < 0 || preference > MAX || discriminator < 0 || discriminator > MAX) {
            throw new IllegalArgumentException("a preference and a discriminator have 32 bits");
        }
    }

    /** How its path comes about. */
    public sealed interface Choice {}

    /** Somebody has written it down (RFC 9256, 5.1). */
    public record Explicit(List<WeightedHops> lists) implements Choice {
        public Explicit {
            lists = List.copyOf(lists);
            if (lists.isEmpty()) {
                throw new IllegalArgumentException("an explicit candidate path has a list");
            }
        }
    }

    /**
     * It is computed (RFC 9256, 5.2).
     *
     * @param metric of which it has the least
     * @param bounds how much of a metric it may have at most, the worst of equally short ways
     */
    public record Dynamic(Metric metric, SortedMap<Metric, Long> bounds, Affinity affinity, Exclude exclude)
            implements Choice {
        public Dynamic {
            Objects.requireNonNull(metric);
            Objects.requireNonNull(affinity);
            Objects.requireNonNull(exclude);
            bounds = Collections.unmodifiableSortedMap(new TreeMap<>(bounds));
        }

        /** The bound on a metric, if there is one. */
        public OptionalLong bound(Metric bounded) {
            Long most = bounds.get(bounded);
            return most == null ? OptionalLong.empty() : OptionalLong.of(most);
        }
    }

    /** The colors of its links (RFC 3630, 2.5.9; RFC 9256, 5.2 calls them so). */
    public record Affinity(List<String> includeAny, List<String> includeAll, List<String> excludeAny) {
        public static final Affinity ANY = new Affinity(List.of(), List.of(), List.of());

        public Affinity {
            includeAny = List.copyOf(includeAny);
            includeAll = List.copyOf(includeAll);
            excludeAny = List.copyOf(excludeAny);
        }
    }

    /**
     * Where it must not lead.
     *
     * @param links named as those of {@link Hop.OverLink}; without ports all between two nodes
     * @param srlgs shared-risk link groups
     */
    public record Exclude(List<Waypoint> nodes, List<String> links, List<Integer> srlgs) {
        public static final Exclude NOTHING = new Exclude(List.of(), List.of(), List.of());

        public Exclude {
            nodes = List.copyOf(nodes);
            links = List.copyOf(links);
            srlgs = List.copyOf(srlgs);
        }
    }
}
