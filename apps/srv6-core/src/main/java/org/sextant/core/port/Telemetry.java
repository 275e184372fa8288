// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How much traffic the nodes' ports carry. Not one of the four ports an engine needs: it is for showing, and a host that
 * cannot tell leaves the service out.
 */
public interface Telemetry {

    /**
     * Calls {@code listener} with the counters of every node that has any, every few seconds, from one thread. Nodes are
     * asked only while somebody listens.
     */
    Subscription onCounters(Consumer<Sample> listener);

    /**
     * As {@link #onCounters}, for who keeps how it was and needs no more than two samples in ten seconds: nodes are asked that
     * seldom while nobody else listens.
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
     * What a port received and sent since some moment in the past; a node that starts over counts from zero again.
     *
     * @param packets empty if the node counts bytes only
     * @param probes among them; empty if the node does not tell them apart
     */
    record PortCounters(long inBytes, long outBytes, Optional<Packets> packets, Optional<ProbeCounters> probes) {
        public PortCounters {
            Objects.requireNonNull(packets);
            Objects.requireNonNull(probes);
        }

        /** Of a node that counts bytes only. */
        public PortCounters(long inBytes, long outBytes) {
            this(inBytes, outBytes, Optional.empty(), Optional.empty());
        }
    }

    /**
     * The probes of nodes among what a port received and sent, of watched lists and of measured delays, whichever node sent them.
     * They may begin at zero again by themselves.
     */
    record ProbeCounters(long inBytes, long outBytes, Packets packets) {
        public ProbeCounters {
            Objects.requireNonNull(packets);
        }
    }

    /** As the bytes of {@link PortCounters}. */
    record Packets(long in, long out) {}
}
