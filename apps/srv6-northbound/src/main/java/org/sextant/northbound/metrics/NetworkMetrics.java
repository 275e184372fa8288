// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.metrics;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.port.Telemetry.Packets;
import org.sextant.core.port.Telemetry.PortCounters;
import org.sextant.core.port.Telemetry.Sample;

/** Links and ports: the network as it is known, and the counters that nodes reported last. Thread-safe. */
final class NetworkMetrics {
    private final SortedMap<String, Sample> counted = new ConcurrentSkipListMap<>();

    void take(Sample sample) {
        counted.put(sample.node(), sample);
    }

    void collect(Network network, Scrape scrape) {
        int up = 0;
        for (Link link : network.links()) {
            up += link.up() ? 1 : 0;
            scrape.of(Metric.LINK_UP).add(link.up() ? 1 : 0, link.id());
        }
        scrape.of(Metric.LINKS).add(up, "up");
        scrape.of(Metric.LINKS).add(network.links().size() - up, "down");
        scrape.of(Metric.HOSTS).add(network.hosts().size());
        network.nodes()
                .values()
                .forEach(node -> node.ports()
                        .forEach((number, port) ->
                                scrape.of(Metric.PORT_UP).add(port.up() ? 1 : 0, node.name(), String.valueOf(number))));
        counted.keySet().retainAll(network.nodes().keySet());
        counted.values()
                .forEach(sample -> new TreeMap<>(sample.ports())
                        .forEach((number, port) -> port(sample.node(), String.valueOf(number), port, scrape)));
    }

    private static void port(String node, String number, PortCounters port, Scrape scrape) {
        scrape.of(Metric.PORT_RECEIVED_BYTES).add(port.inBytes(), node, number);
        scrape.of(Metric.PORT_SENT_BYTES).add(port.outBytes(), node, number);
        port.packets().ifPresent((Packets packets) -> {
            scrape.of(Metric.PORT_RECEIVED_PACKETS).add(packets.in(), node, number);
            scrape.of(Metric.PORT_SENT_PACKETS).add(packets.out(), node, number);
        });
    }
}
