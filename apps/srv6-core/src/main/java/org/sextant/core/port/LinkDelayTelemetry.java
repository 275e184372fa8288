// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The delay of packets over links, as nodes measure it from their ports (docs/reference/link-delay.md). Like
 * {@link Telemetry} it is not one of the four ports an engine needs: a host that cannot report uses the configured
 * delays. Nodes are polled only while a listener is subscribed; nodes that do not measure send no reports.
 */
public interface LinkDelayTelemetry {

    /**
     * Calls {@code listener} with each port of a node at its first report, and whenever a window has ended; from one
     * thread.
     */
    Subscription onLinkDelay(Consumer<Measured> listener);

    /**
     * The measurement of a port over one window.
     *
     * @param window its number; the next one has another
     * @param leastMicros the least one-way delay, at least 1; empty if no test packet returned
     * @param sent test packets, of which {@code lost} were not answered
     */
    record Measured(String node, int port, long window, OptionalLong leastMicros, long sent, long lost) {
        public Measured {
            Objects.requireNonNull(node);
            Objects.requireNonNull(leastMicros);
        }
    }
}
