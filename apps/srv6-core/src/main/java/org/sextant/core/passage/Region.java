// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.passage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;

/**
 * Packets without those to some prefixes: the part that is left for a route below the longer ones.
 *
 * @param without prefixes inside of the packets' destination
 */
record Region(Packets packets, List<IpPrefix> without) {

    static Region of(Packets packets) {
        return new Region(packets, List.of());
    }

    /** Its intersection with {@code others}; empty if that has no packets. */
    Optional<Region> and(Packets others) {
        return packets.and(others)
                .map(both -> new Region(
                        both,
                        without.stream()
                                .filter(gone -> touch(both.destination(), gone))
                                .toList()))
                .filter(region -> region.example().isPresent());
    }

    /** Its packets to addresses outside of {@code prefixes}; empty if there are none. */
    Optional<Region> except(Collection<IpPrefix> prefixes) {
        List<IpPrefix> gone = new ArrayList<>(without);
        prefixes.stream().filter(prefix -> touch(packets.destination(), prefix)).forEach(gone::add);
        Region rest = new Region(packets, List.copyOf(gone));
        return rest.example().isPresent() ? Optional.of(rest) : Optional.empty();
    }

    private static boolean touch(IpPrefix one, IpPrefix other) {
        return one.contains(other.address()) || other.contains(one.address());
    }

    /** The lowest destination in it; empty if there is none. */
    Optional<IpAddress> example() {
        if (without.isEmpty()) {
            return Optional.of(packets.destination().address());
        }
        List<IpPrefix> sorted = without.stream().sorted(Addresses.BY_ADDRESS).toList();
        IpAddress lowest = packets.destination().address();
        for (IpPrefix gone : sorted) {
            if (gone.contains(lowest)) {
                Optional<IpAddress> next = Addresses.behind(gone);
                if (next.isEmpty() || !packets.destination().contains(next.get())) {
                    return Optional.empty();
                }
                lowest = next.get();
            }
        }
        return Optional.of(lowest);
    }
}
