// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.intent.SetupHoldPriority;
import org.sextant.core.net.Metric;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Policy.WeightedHops;

/**
 * A candidate path of a policy (RFC 9256, 2.2).
 *
 * @param preference 0 to 2^32 - 1; the valid candidate path with the highest is active (RFC 9256, 2.7)
 * @param discriminator 0 to 2^32 - 1, default 0; of equal preferences and origins the higher one is active (RFC 9256,
 *     2.9)
 */
public record Candidate(long preference, Origin origin, long discriminator, Choice choice) {
    /** The default preference (RFC 9256, 2.7). */
    public static final long DEFAULT_PREFERENCE = 100;

    public static final long MAX = 0xffff_ffffL;

    /** A candidate path by configuration, with the default origin. */
    public Candidate(long preference, long discriminator, Choice choice) {
        this(preference, Origin.DEFAULT, discriminator, choice);
    }

    /**
     * The best first (RFC 9256, 2.9): the higher preference, the higher protocol origin, the installed one, the lower
     * originator, the higher discriminator.
     *
     * @param installed the installed candidate path that is preferred; empty: none is
     */
    public static Comparator<Candidate> bestFirst(Optional<Key> installed) {
        return Comparator.comparingLong(Candidate::preference)
                .thenComparingInt(one -> one.origin().protocol())
                .thenComparing(one -> installed.filter(one.key()::equals).isPresent())
                .reversed()
                .thenComparing(Candidate::origin, Origin.LOWER_ORIGINATOR)
                .thenComparing(Candidate::discriminator, Comparator.reverseOrder());
    }

    /**
     * Identifies a candidate path within its policy (RFC 9256, 2.6); without a discriminator, the preference is part of
     * the key.
     */
    public record Key(Origin origin, long discriminator, long preference) {}

    public Key key() {
        return new Key(origin, discriminator, discriminator == 0 ? preference : 0);
    }

    public Candidate {
        Objects.requireNonNull(origin);
        Objects.requireNonNull(choice);
        if (preference < 0 || preference > MAX || discriminator < 0 || discriminator > MAX) {
            throw new IllegalArgumentException("a preference and a discriminator have 32 bits");
        }
    }

    /** The kind of a candidate path: explicit, dynamic or composite. */
    public sealed interface Choice {}

    /** Explicit segment lists (RFC 9256, 5.1). */
    public record Explicit(List<WeightedHops> lists) implements Choice {
        public Explicit {
            lists = List.copyOf(lists);
            if (lists.isEmpty()) {
                throw new IllegalArgumentException("an explicit candidate path has a list");
            }
        }
    }

    /**
     * A path that the controller computes (RFC 9256, 5.2).
     *
     * @param metric the metric to minimize
     * @param bounds upper bounds on metrics, each for the worst of equally short paths
     * @param disjointFrom policies from whose paths it is disjoint
     * @param include nodes and links that it visits, in this order, with anything between them
     * @param demand the bandwidth that it reserves on each link
     * @param twin another candidate path of the policy from which it is disjoint
     */
    public record Dynamic(
            Metric metric,
            SortedMap<Metric, Long> bounds,
            Affinity affinity,
            Exclude exclude,
            List<Apart> disjointFrom,
            List<Hop> include,
            Optional<Demand> demand,
            Optional<Twin> twin)
            implements Choice {
        /** A path without nodes and links to visit, and without a reservation. */
        public Dynamic(
                Metric metric,
                SortedMap<Metric, Long> bounds,
                Affinity affinity,
                Exclude exclude,
                List<Apart> disjointFrom) {
            this(metric, bounds, affinity, exclude, disjointFrom, List.of(), Optional.empty(), Optional.empty());
        }

        public Dynamic {
            Objects.requireNonNull(demand);
            Objects.requireNonNull(twin);
            disjointFrom = List.copyOf(disjointFrom);
            include = List.copyOf(include);
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

    /** The bandwidth to reserve, in kbit/s. */
    public record Demand(long kbps, SetupHoldPriority standing) {
        /** A petabit per second: more than any link has. */
        public static final long MAX_KBPS = 1_000_000_000_000L;

        public Demand {
            Objects.requireNonNull(standing);
            if (kbps < 1 || kbps > MAX_KBPS) {
                throw new IllegalArgumentException("a bandwidth is 1 kbit/s or more");
            }
        }
    }

    /**
     * A composition of other policies from the same headend to the same endpoint, which changes with them (RFC 9256,
     * 2.2 and 5.3).
     *
     * @param of one at least, of different colors
     */
    public record Composite(List<Constituent> of) implements Choice {
        public Composite {
            of = List.copyOf(of);
            if (of.isEmpty()) {
                throw new IllegalArgumentException("a composite candidate path is composed of a policy at least");
            }
        }
    }

    /**
     * A policy by its color.
     *
     * @param weight its share of the traffic, 1 to 255
     */
    public record Constituent(long color, int weight) {}

    /** The affinities of its links (RFC 3630, 2.5.9; RFC 9256, 5.2): colors. */
    public record Affinity(List<String> includeAny, List<String> includeAll, List<String> excludeAny) {
        public static final Affinity ANY = new Affinity(List.of(), List.of(), List.of());

        public Affinity {
            includeAny = List.copyOf(includeAny);
            includeAll = List.copyOf(includeAll);
            excludeAny = List.copyOf(excludeAny);
        }
    }

    /** A disjointness constraint. */
    public sealed interface Disjointness {

        /** The resources that the paths do not share. */
        Share share();
    }

    /** A disjointness constraint on the active path of another policy. */
    public record Apart(String policy, Share share) implements Disjointness {
        public Apart {
            Objects.requireNonNull(policy);
            Objects.requireNonNull(share);
        }
    }

    /** A disjointness constraint on the candidate path with this preference; it holds for both. */
    public record Twin(long preference, Share share) implements Disjointness {
        public Twin {
            Objects.requireNonNull(share);
        }
    }

    /**
     * The resources that disjoint paths do not share (RFC 8800, 3.1; RFC 4874 and peers combine groups and nodes as the
     * last does).
     */
    public enum Share {
        /** A link, in either direction. */
        LINK("link", false, false),
        /** A link or a node. */
        NODE("node", true, false),
        /** A link or a shared-risk link group. */
        SRLG("srlg", false, true),
        /** Any of them. */
        SRLG_NODE("srlg-node", true, true);

        private final String spelling;
        private final boolean nodes;
        private final boolean srlgs;

        Share(String spelling, boolean nodes, boolean srlgs) {
            this.spelling = spelling;
            this.nodes = nodes;
            this.srlgs = srlgs;
        }

        /** The spelling in JSON. */
        public String spelling() {
            return spelling;
        }

        public boolean nodes() {
            return nodes;
        }

        public boolean srlgs() {
            return srlgs;
        }
    }

    /**
     * The nodes, links and groups that the path excludes.
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
