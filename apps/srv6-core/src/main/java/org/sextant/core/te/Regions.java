// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.sextant.core.net.Paths;
import org.sextant.core.te.Constraint.Bound;
import org.sextant.core.te.Constraint.SidDepth;
import org.sextant.core.te.Constraint.Stop;
import org.sextant.core.te.IndexedGraph.Hop;

/**
 * A cache of intermediate results for some goals, for later searches with the same: ten thousand policies have a few
 * dozen different sets of constraints and a thousand endpoints. Bounded, the least recently used goes first. Safe for
 * many threads.
 */
final class Regions {
    private static final int MOST_TERMS = 64;

    /** A node of a region takes some tens of bytes. */
    static final int MOST_NODES = 1_000_000;

    /** For the searches of one request. */
    static final int FEW_NODES = 100_000;

    private final IndexedGraph terrain;
    private final Paths paths;
    private final Map<Terms, BitSet> allowed = bounded(MOST_TERMS);
    private final Map<Key, Region> regions;

    /** The part of a goal that determines the allowed links. */
    private record Terms(Set<Constraint> constraints, boolean knownDelay) {
        static Terms of(Goal goal) {
            return new Terms(
                    goal.constraints().stream()
                            .filter(one -> !(one instanceof Bound || one instanceof Stop || one instanceof SidDepth))
                            .collect(Collectors.toUnmodifiableSet()),
                    goal.needsDelay());
        }
    }

    private record Key(BitSet allowed, int destination) {}

    /** @param mostNodes of all regions together */
    Regions(IndexedGraph terrain, Paths paths, int mostNodes) {
        this.terrain = terrain;
        this.paths = paths;
        this.regions = bounded(Math.max(64, mostNodes / Math.max(1, terrain.nodes())));
    }

    private static <K, V> Map<K, V> bounded(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    /** The links that a goal allows. */
    final class Ground {
        private final BitSet links;

        private Ground(BitSet links) {
            this.links = links;
        }

        boolean allows(Hop hop) {
            return links.get(hop.number());
        }

        Region around(int destination) {
            return region(new Key(links, destination));
        }
    }

    Ground of(Goal goal) {
        return new Ground(allowed(goal));
    }

    private synchronized BitSet allowed(Goal goal) {
        return allowed.computeIfAbsent(Terms.of(goal), terms -> {
            BitSet links = new BitSet();
            terrain.hops().stream()
                    .filter(hop -> goal.allows(hop.link()))
                    .map(Hop::number)
                    .forEach(links::set);
            return links;
        });
    }

    private synchronized Region region(Key key) {
        return regions.computeIfAbsent(key, one -> new Region(terrain, paths, one.allowed(), one.destination()));
    }
}
