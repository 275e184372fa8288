// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.passage;

import java.util.Comparator;
import java.util.Objects;

/** A lookup of a user's packet: in a VRF of a node, 0 for the main table. */
public record Place(String node, int vrf) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
            Comparator.comparing(Place::node).thenComparingInt(Place::vrf);

    public Place {
        Objects.requireNonNull(node);
    }

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return vrf == 0 ? node : node + " (VRF " + vrf + ")";
    }
}
