// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sextant.core.sid.Trace.Arrival;
import org.sextant.core.sid.Trace.Failure;
import org.sextant.core.sid.Trace.Hop;
import org.sextant.core.sid.Trace.Reason;

/** A path as a chain of hops; the end of it is known at its head. */
record Steps(
        Hop hop,
        @Nullable Steps rest,
        @Nullable Arrival arrival,
        @Nullable Failure failure) {

    /** The first hop of a longer path. */
    static Steps chain(Hop hop, Steps rest) {
        return new Steps(hop, rest, rest.arrival, rest.failure);
    }

    static Steps arrived(Hop last, Arrival arrival) {
        return new Steps(last, null, arrival, null);
    }

    /** A firewall drops the packet, as its rules require. */
    static Steps dropped(State at, String name) {
        return new Steps(last(at, name, Optional.empty()), null, null, null);
    }

    static Steps fail(State at, String name, Reason reason, String message) {
        Failure failure = new Failure(at.node(), reason, "node " + at.node() + " " + message);
        return new Steps(last(at, name, Optional.empty()), null, null, failure);
    }

    static Steps outOfHops(State at, String name) {
        return fail(at, name, Reason.HOP_LIMIT, "drops " + at.header().destination() + ": its hop limit is used up");
    }

    /** Segments Left points behind the list (RFC 8986, 4.1, S09). */
    static Optional<Steps> beyondList(State at, String name) {
        return at.header()
                .srh()
                .filter(srh -> srh.segmentsLeft() > srh.lastEntry() + 1)
                .map(srh -> fail(
                        at,
                        name,
                        Reason.SEGMENTS_LEFT_BEYOND_LIST,
                        "finds segments left " + srh.segmentsLeft() + ", but the last entry is " + srh.lastEntry()));
    }

    static Hop hop(State at, String name, Header leaving, Optional<String> link, List<String> others) {
        return new Hop(at.node(), name, at.header(), Optional.of(leaving), link, others);
    }

    /** The hop at which the outer header ends. */
    static Hop last(State at, String name, Optional<String> link) {
        return new Hop(at.node(), name, at.header(), Optional.empty(), link, List.of());
    }

    List<Hop> hops() {
        List<Hop> hops = new ArrayList<>();
        for (Steps step = this; step != null; step = step.rest) {
            hops.add(step.hop);
        }
        return hops;
    }
}
