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
import org.sextant.core.port.Telemetry.PortCounters;
import org.sextant.core.port.Telemetry.Sample;

/** What the directions of links carry, by the counters of the ports at their ends. Thread-safe. */
final class LinkMeasures {
    static final String KIND = "link";
    static final String BYTES = "bytesPerSecond";
    static final String PACKETS = "packetsPerSecond";

    private final Map<String, Map<Integer, Counted>> nodes = new HashMap<>();

    private record Counted(long nanos, PortCounters counters) {}

    synchronized void take(Sample sample) {
        Map<Integer, Counted> ports = nodes.computeIfAbsent(sample.node(), node -> new HashMap<>());
        sample.ports().forEach((port, counters) -> ports.put(port, new Counted(sample.nanos(), counters)));
    }

    /** What a node counted last is not what its ports carry now. */
    synchronized void lost(String node) {
        nodes.remove(node);
    }

    /** A direction is what its beginning sent; where that does not count, what its end received. */
    synchronized List<Reading> measure(Network network) {
        nodes.keySet().retainAll(network.nodes().keySet());
        List<Reading> readings = new ArrayList<>();
        for (Link link : network.links()) {
            Counted sent = counted(link.from());
            Counted received = sent == null ? counted(link.to()) : null;
            if (sent != null) {
                readings.add(reading(link, link.from(), sent, false));
            } else if (received != null) {
                readings.add(reading(link, link.to(), received, true));
            }
        }
        return readings;
    }

    private @Nullable Counted counted(Link.End end) {
        return nodes.getOrDefault(end.node(), Map.of()).get(end.port());
    }

    private static Reading reading(Link link, Link.End end, Counted counted, boolean in) {
        PortCounters counters = counted.counters();
        Map<String, Amount> amounts = new TreeMap<>();
        amounts.put(BYTES, new Amount.Counter(in ? counters.inBytes() : counters.outBytes()));
        counters.packets()
                .ifPresent(packets -> amounts.put(PACKETS, new Amount.Counter(in ? packets.in() : packets.out())));
        return new Reading(nameOf(link.id()), end.toString(), counted.nanos(), amounts);
    }

    static String nameOf(String link) {
        return KIND + ":" + link;
    }
}
