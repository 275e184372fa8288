// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The traffic counters of the nodes' ports. Not one of the four ports an engine needs: it is for display, and a host
 * that cannot report leaves the service out.
 */
public interface Telemetry {

    /**
     * Calls {@code listener} with the counters of every node that has any, every few seconds, from one thread. Nodes
     * are polled only while a listener is subscribed.
     */
    Subscription onCounters(Consumer<Sample> listener);

    /**
     * As {@link #onCounters}, for listeners that keep a history and need no more than two samples in ten seconds: nodes
     * are polled that seldom while there is no other listener.
     */
    default Subscription onSlowCounters(Consumer<Sample> listener) {
        return onCounters(listener);
    }

    /**
     * Counters of some ports of a node at one moment.
     *
     * @param nanos when they were read, by a clock that only their differences are good for
     */
    record Sample(String node, long nanos, Map<Integer, PortCounters> ports) {
        public Sample {
            ports = Map.copyOf(ports);
        }
    }

    /**
     * The traffic that a port received and sent since some moment in the past; a node that starts over counts from zero
     * again.
     *
     * @param packets empty if the node counts bytes only
     * @param probes included in the counters; empty if the node does not count them apart
     */
    record PortCounters(long inBytes, long outBytes, Optional<Packets> packets, Optional<ProbeCounters> probes) {
        public PortCounters {
            Objects.requireNonNull(packets);
            Objects.requireNonNull(probes);
        }

        /** The counters of a node that counts bytes only. */
        public PortCounters(long inBytes, long outBytes) {
            this(inBytes, outBytes, Optional.empty(), Optional.empty());
        }
    }

    /**
     * The probes of nodes among the traffic of a port, for monitored lists and for measured delays, whichever node sent
     * them. They may restart at zero on their own.
     */
    record ProbeCounters(long inBytes, long outBytes, Packets packets) {
        public ProbeCounters {
            Objects.requireNonNull(packets);
        }
    }

    /** Counts of packets, under the conditions of the bytes of {@link PortCounters}. */
    record Packets(long in, long out) {}
}
