// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.inventory;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.sextant.core.net.AnnouncedDelay;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.port.LinkDelayTelemetry;
import org.sextant.core.port.LinkDelayTelemetry.Measured;
import org.sextant.core.port.Subscription;

/**
 * The delays measured by nodes that count ({@link AnnouncedDelay}). Nodes are asked while the network's description
 * says so. Delays that change within a second are one change of the network. Thread-safe.
 */
public final class LinkDelays implements AutoCloseable {
    private final LinkDelayTelemetry telemetry;
    private final LongSupplier nanos;
    private final Consumer<Map<Link.End, Long>> listener;
    private final Map<Link.End, AnnouncedDelay> delays = new HashMap<>();
    private Network described = Network.EMPTY;
    private Optional<Subscription> hearing = Optional.empty();
    private Map<Link.End, Long> told = Map.of();

    /**
     * @param nanos a clock that only goes on
     * @param listener receives all delays that count, in microseconds, whenever one of them changes
     */
    public LinkDelays(LinkDelayTelemetry telemetry, LongSupplier nanos, Consumer<Map<Link.End, Long>> listener) {
        this.telemetry = telemetry;
        this.nanos = nanos;
        this.listener = listener;
    }

    /** The network is this from now on. */
    public synchronized void describe(Network network) {
        described = network;
        delays.keySet().removeIf(end -> !network.nodes().containsKey(end.node()));
        if (network.rules().measuredDelay() && hearing.isEmpty()) {
            hearing = Optional.of(telemetry.onLinkDelay(this::heard));
        } else if (!network.rules().measuredDelay()) {
            close();
            settle();
        }
    }

    private synchronized void heard(Measured measured) {
        if (hearing.isPresent() && described.nodes().containsKey(measured.node())) {
            Link.End end = new Link.End(measured.node(), measured.port());
            AnnouncedDelay before = delays.getOrDefault(end, AnnouncedDelay.NONE);
            delays.put(
                    end, before.heard(measured.window(), measured.leastMicros().orElse(0), nanos.getAsLong()));
        }
    }

    /** Reports the changes, also those of links that are no longer measured; call it every second. */
    public synchronized void settle() {
        Map<Link.End, Long> count = new HashMap<>();
        long now = nanos.getAsLong();
        delays.replaceAll((end, delay) -> delay.at(now));
        delays.forEach((end, delay) -> {
            if (delay.micros() > 0) {
                count.put(end, delay.micros());
            }
        });
        if (!count.equals(told)) {
            told = count;
            listener.accept(Map.copyOf(count));
        }
    }

    /** Asks no node any more. */
    @Override
    public synchronized void close() {
        hearing.ifPresent(Subscription::close);
        hearing = Optional.empty();
        delays.clear();
    }
}
