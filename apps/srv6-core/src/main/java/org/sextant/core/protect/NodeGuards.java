// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The protection of one node for each destination. Destinations share guards, so a thousand nodes take a million small
 * numbers.
 */
public final class NodeGuards {
    private static final short NONE = -1;

    private final List<String> destinations;
    private final short[] guardOf;
    private final List<Guard> guards;

    private NodeGuards(List<String> destinations, short[] guardOf, List<Guard> guards) {
        this.destinations = destinations;
        this.guardOf = guardOf;
        this.guards = guards;
    }

    /** Grows by one destination after the other. */
    static final class Builder {
        private final List<String> destinations;
        private final short[] guardOf;
        private final List<Guard> guards = new ArrayList<>();
        private final IdentityHashMap<Guard, Short> known = new IdentityHashMap<>();
        private int next;

        Builder(List<String> destinations) {
            this.destinations = destinations;
            this.guardOf = new short[destinations.size()];
        }

        void add(Optional<Guard> guard) {
            guardOf[next++] = guard.map(this::number).orElse(NONE);
        }

        private short number(Guard guard) {
            return known.computeIfAbsent(guard, one -> {
                guards.add(one);
                return (short) (guards.size() - 1);
            });
        }

        NodeGuards build() {
            return new NodeGuards(destinations, guardOf, List.copyOf(guards));
        }
    }

    /** For each destination that the node has a route to, in the order of names. */
    public void forEach(BiConsumer<String, Guard> consumer) {
        for (int i = 0; i < guardOf.length; i++) {
            if (guardOf[i] != NONE) {
                consumer.accept(destinations.get(i), guards.get(guardOf[i]));
            }
        }
    }

    /** Empty for the node itself, for one out of reach, and for one that is no destination. */
    public Optional<Guard> towards(String destination) {
        int place = Collections.binarySearch(destinations, destination);
        return place < 0 || guardOf[place] == NONE ? Optional.empty() : Optional.of(guards.get(guardOf[place]));
    }

    /** All distinct guards. */
    public List<Guard> distinct() {
        return guards;
    }
}
