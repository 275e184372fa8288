// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.sextant.core.history.Amount;
import org.sextant.core.history.Reading;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.port.Telemetry.Sample;

/** Traffic and probes of each direction of a link, by the counters of the ports at its ends. Thread-safe. */
final class LinkMeasures {
    static final String KIND = "link";
    static final String BYTES = "bytesPerSecond";
    static final String PACKETS = "packetsPerSecond";
    static final String PROBE_BYTES = "probeBytesPerSecond";
    static final String PROBE_PACKETS = "probePacketsPerSecond";

    private final Map<String, Map<Integer, CounterReading.Port>> nodes = new HashMap<>();

    synchronized void take(Sample sample) {
        Map<Integer, CounterReading.Port> ports = nodes.computeIfAbsent(sample.node(), node -> new HashMap<>());
        sample.ports()
                .forEach((port, counters) -> ports.compute(
                        port, (number, before) -> CounterReading.Port.next(before, sample.nanos(), counters)));
    }

    /** The last counters of a node are not the present traffic of its ports. */
    synchronized void lost(String node) {
        nodes.remove(node);
    }

    /**
     * Counted at the beginning of a direction, as sent; at its end, as received, where only that counts, or
     * distinguishes probes.
     */
    synchronized List<Reading> measure(Network network) {
        nodes.keySet().retainAll(network.nodes().keySet());
        List<Reading> readings = new ArrayList<>();
        for (Link link : network.links()) {
            CounterReading.Port sent = counted(link.from());
            CounterReading.Port received = counted(link.to());
            if (sent != null && (sent.isApart() || received == null || !received.isApart())) {
                readings.add(reading(link, link.from(), sent.nanos(), sent.out()));
            } else if (received != null) {
                readings.add(reading(link, link.to(), received.nanos(), received.in()));
            }
        }
        return readings;
    }

    private CounterReading.@Nullable Port counted(Link.End end) {
        return nodes.getOrDefault(end.node(), Map.of()).get(end.port());
    }

    private static Reading reading(Link link, Link.End end, long nanos, CounterReading.Direction counted) {
        Map<String, Amount> amounts = new TreeMap<>();
        add(amounts, BYTES, PROBE_BYTES, counted.bytes());
        counted.packets().ifPresent(packets -> add(amounts, PACKETS, PROBE_PACKETS, packets));
        return new Reading(nameOf(link.id()), end.toString(), nanos, amounts);
    }

    /** Links that never had a probe take no room for them. */
    private static void add(Map<String, Amount> amounts, String traffic, String probes, CounterReading counted) {
        amounts.put(traffic, new Amount.Counter(counted.traffic()));
        counted.probes().filter(count -> count > 0).ifPresent(count -> amounts.put(probes, new Amount.Counter(count)));
    }

    static String nameOf(String link) {
        return KIND + ":" + link;
    }
}
