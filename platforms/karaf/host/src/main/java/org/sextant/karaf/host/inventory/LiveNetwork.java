// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.inventory;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.sextant.core.net.ExternalPorts;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;
import org.sextant.karaf.host.discovery.DiscoveredLinks;
import org.sextant.karaf.southbound.PortState;

/**
 * Merges the topology file with the observed state. A pure function. The topology file has the desired state: nodes,
 * metrics, hosts, and whether measured delays count. The nodes report the observed state: MAC addresses, MTU, speed,
 * whether a port is up, how long links take. LLDP proves links:
 *
 * <ul>
 *   <li>a described link is used although LLDP never saw it, unless a port at either end is down;
 *   <li>a described link that LLDP saw once and sees no more is down;
 *   <li>a described link whose port LLDP sees connected elsewhere is down;
 *   <li>a link that only LLDP knows is used with default metrics if frames came in both directions, and at no port that
 *   is {@link ExternalPorts}.
 * </ul>
 */
final class LiveNetwork {
    static final int DEFAULT_METRIC = 10;

    private LiveNetwork() {}

    static Network merge(
            Network described,
            Map<String, Map<Integer, PortState>> seenPorts,
            DiscoveredLinks discovered,
            Map<Link.End, Long> delays) {
        SortedMap<String, Node> nodes = new TreeMap<>();
        described
                .nodes()
                .forEach((name, node) ->
                        nodes.put(name, seenPorts.containsKey(name) ? withPorts(node, seenPorts.get(name)) : node));
        List<Link> links = new ArrayList<>();
        Set<String> describedIds = new HashSet<>();
        for (Link link : described.links()) {
            describedIds.add(link.id());
            Link.End seenEnd = discovered.links().get(link.from());
            boolean elsewhere = seenEnd != null && !seenEnd.equals(link.to());
            boolean silent = discovered.lost().contains(link.from());
            links.add(live(link, nodes, !elsewhere && !silent));
        }
        Set<Link.End> outside = ExternalPorts.of(described);
        discovered.links().forEach((from, to) -> {
            boolean proved =
                    from.equals(discovered.links().get(to)) && !outside.contains(from) && !outside.contains(to);
            Link link = new Link(from, to, DEFAULT_METRIC, DEFAULT_METRIC, 0, 0, Set.of(), Set.of(), true);
            if (proved && !describedIds.contains(link.id())) {
                links.add(live(link, nodes, true));
            }
        });
        if (described.rules().measuredDelay()) {
            links.replaceAll(link -> link.withMeasuredDelayMicros(delays.getOrDefault(link.from(), 0L)));
        }
        return new Network(nodes.values(), links, described.hosts().values(), described.rules());
    }

    /** A node that reports its ports reports all: a described one that is not among them is gone, and so down. */
    private static Node withPorts(Node node, Map<Integer, PortState> seen) {
        SortedMap<Integer, Port> ports = new TreeMap<>();
        node.ports().forEach((number, port) -> ports.put(number, port.withUp(false)));
        seen.forEach((number, state) -> ports.merge(
                number,
                new Port(number, Optional.of(state.name()), state.mac(), state.mtuBytes(), state.up(), List.of())
                        .withSpeedKbps(state.speedKbps()),
                (described, live) -> new Port(
                        number,
                        live.name(),
                        live.mac().or(described::mac),
                        live.mtuBytes() > 0 ? live.mtuBytes() : described.mtuBytes(),
                        live.up(),
                        described.addresses(),
                        described.role(),
                        live.speedKbps())));
        return new Node(
                node.name(), node.deviceId(), node.management(), node.pipeconf(), node.srv6(), ports, node.location());
    }

    private static Link live(Link link, Map<String, Node> nodes, boolean proved) {
        Optional<Port> from = port(nodes, link.from());
        Optional<Port> to = port(nodes, link.to());
        int mtuBytes = IntStream.of(
                        link.mtuBytes(),
                        from.map(Port::mtuBytes).orElse(0),
                        to.map(Port::mtuBytes).orElse(0))
                .filter(bytes -> bytes > 0)
                .min()
                .orElse(0);
        boolean up = link.up()
                && proved
                && from.map(Port::up).orElse(true)
                && to.map(Port::up).orElse(true);
        return link.withMtuBytes(mtuBytes).withUp(up);
    }

    private static Optional<Port> port(Map<String, Node> nodes, Link.End end) {
        return Optional.ofNullable(nodes.get(end.node()))
                .map(node -> node.ports().get(end.port()));
    }
}
