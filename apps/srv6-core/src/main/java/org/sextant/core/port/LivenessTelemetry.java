// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What nodes find out about the segment lists that they watch, in the numbers of table {@code liveness}: who wrote the rows
 * knows what they are. As {@link Telemetry} it is for showing, and a host that cannot tell leaves the service out: what a node
 * does when a list is silent it does by itself. Nodes are asked only while somebody listens; those that watch nothing are silent.
 */
public interface LivenessTelemetry {

    /**
     * Calls {@code listener} with each list of a node when that is asked first, at once when its status changes, and every few
     * seconds with what was measured since; from one thread, in each list's order.
     */
    Subscription onLiveness(Consumer<Seen> listener);

    /** Whether probes come back. */
    enum Status {
        UP,
        /** So many stayed away in a row as the row says. */
        DOWN,
        /** Nothing was judged yet, or nobody tells any more: the node was lost, or does not watch the list now. */
        UNKNOWN
    }

    /**
     * A list as its node sees it.
     *
     * @param sidList the watched one, unsigned
     * @param since when it became what it is, by the node's clock; empty if the node does not say
     * @param inUse the list that packets of this one are encapsulated with, unsigned: itself, or another in its place; 0 if the
     *     node does not say
     */
    record Seen(String node, int sidList, Status status, Optional<Instant> since, int inUse, Measured measured) {
        public Seen {
            Objects.requireNonNull(node);
            Objects.requireNonNull(status);
            Objects.requireNonNull(since);
            Objects.requireNonNull(measured);
        }
    }

    /**
     * What came of the probes since the node watches the list.
     *
     * @param delay empty while none came back
     */
    record Measured(long sent, long received, long lost, Optional<Delay> delay) {
        public static final Measured NOTHING = new Measured(0, 0, 0, Optional.empty());

        public Measured {
            Objects.requireNonNull(delay);
        }
    }

    /**
     * How long probes were on their way there and back, in microseconds.
     *
     * @param jitter how much that differs from one probe to the next, on average
     */
    record Delay(long min, long average, long max, long jitter) {}
}
