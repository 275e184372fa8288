// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.passage;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.sextant.core.sid.Trace;

/**
 * A path that users' packets take inside of outer headers: a packet among {@code packets} that is looked up at
 * {@code from} leaves, unchanged, at one of {@code exits}, and is looked up there.
 *
 * @param rule how it stands to other passages of the same place
 * @param exits sorted; none if every packet leaves over a port of its own, as behind End.DX6
 */
public record Passage(Place from, Packets packets, Rule rule, List<Place> exits) {

    public Passage {
        Objects.requireNonNull(from);
        Objects.requireNonNull(packets);
        Objects.requireNonNull(rule);
        exits = List.copyOf(exits);
    }

    public Passage(Place from, Packets packets, Rule rule, SortedSet<Place> exits) {
        this(from, packets, rule, List.copyOf(exits)); // a list of one place takes a tenth of the room
    }

    /**
     * The places where packets on these paths, all of which arrive, are looked up behind their outer headers. Firewalls
     * may send packets of one path to several places.
     */
    public static SortedSet<Place> exits(Collection<Trace> traces) {
        SortedSet<Place> exits = new TreeSet<>();
        traces.forEach(
                trace -> trace.arrivals().forEach(arrival -> exit(arrival).ifPresent(exits::add)));
        return exits;
    }

    private static Optional<Place> exit(Trace.Arrival arrival) {
        return arrival.vrf()
                .map(vrf -> new Place(arrival.node(), vrf))
                .or(() -> arrival.delivery()
                        .filter(delivery -> !delivery.host())
                        .map(delivery -> new Place(delivery.neighbor(), 0)));
    }

    /** The precedence among several passages of a packet. */
    public enum Rule {
        /** Like routes: the longest destination wins, longer ones of local hosts included. */
        LONGEST_PREFIX,
        /**
         * Like flows: it takes all packets that match, if they enter at a port. Data planes differ in applying it to
         * decapsulated packets, so both cases must be free of loops.
         */
        BEFORE_ROUTES
    }
}
