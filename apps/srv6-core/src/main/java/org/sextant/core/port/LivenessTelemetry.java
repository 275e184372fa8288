// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reports of nodes about their monitored segment lists, in the numbers of table {@code liveness}: the app that wrote
 * the rows can interpret them. Like {@link Telemetry} it is for display, and a host that cannot report leaves the
 * service out: a node switches to the backup of a list without it. Nodes are polled only while a listener is
 * subscribed; nodes without monitored lists send no reports.
 */
public interface LivenessTelemetry {

    /**
     * Calls {@code listener} with each list of a node in its first report, at once when its status changes, and every
     * few seconds with the measurements since; from one thread, in each list's order.
     */
    Subscription onLiveness(Consumer<Seen> listener);

    /** The status of a list by its probes. */
    enum Status {
        UP,
        /** As many probes in a row as the row's multiplier did not arrive. */
        DOWN,
        /** No result yet, or no more: the node was lost, or does not monitor the list now. */
        UNKNOWN
    }

    /**
     * A list as its node sees it.
     *
     * @param sidList the watched one, unsigned
     * @param since time of the last change of the status, by the node's clock; empty if the node does not report it
     * @param inUse the list that packets of this one are encapsulated with, unsigned: itself, or another in its place;
     *     0 if the node does not report it
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
     * The results of all probes since the node monitors the list.
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
     * The round-trip time of probes, in microseconds.
     *
     * @param jitter how much that differs from one probe to the next, on average
     */
    record Delay(long min, long average, long max, long jitter) {}
}
