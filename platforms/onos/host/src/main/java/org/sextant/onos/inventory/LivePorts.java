// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.inventory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.sextant.core.net.ExternalPorts;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;

/**
 * A description in the state that ONOS sees it. A pure function.
 *
 * <ul>
 *   <li>a node that reports ports reports all: a described one that is not among them is down;
 *   <li>a described link is up unless a port at either end is down;
 *   <li>a link that only ONOS found in both directions is used with default metrics, unless a port at its ends is described
 *       otherwise, or is {@link ExternalPorts};
 *   <li>a host that only ONOS found is used if its port carries no link.
 * </ul>
 */
final class LivePorts {
    static final int DEFAULT_METRIC = 10;

    private LivePorts() {}

    /**
     * @param up whether ports are up, by node and number; a node that reports nothing is not there
     * @param links the links that ONOS found, by ends
     */
    static Network merge(
            Network described, Map<String, Map<Integer, Boolean>> up, Map<Link.End, Link.End> links, List<Host> hosts) {
        SortedMap<String, Node> nodes = new TreeMap<>();
        described
                .nodes()
                .forEach((name, node) -> nodes.put(name, up.containsKey(name) ? in(node, up.get(name)) : node));
        Set<Link.End> wired = new HashSet<>();
        Set<String> taken = new HashSet<>(described.hosts().keySet());
        described.links().forEach(link -> wired.addAll(List.of(link.from(), link.to())));
        Set<Link.End> attached = new HashSet<>();
        described.hosts().values().forEach(host -> attached.add(host.location()));
        List<Link> all = new ArrayList<>();
        described.links().forEach(link -> all.add(state(link, nodes)));
        Set<Link.End> outside = ExternalPorts.of(described);
        links.forEach((from, to) -> {
            boolean free = Stream.of(from, to).noneMatch(end -> wired.contains(end) || outside.contains(end));
            if (free
                    && from.equals(links.get(to))
                    && nodes.containsKey(from.node())
                    && nodes.containsKey(to.node())
                    && !from.node().equals(to.node())) {
                all.add(state(
                        new Link(from, to, DEFAULT_METRIC, DEFAULT_METRIC, 0, 0, Set.of(), Set.of(), true), nodes));
            }
        });
        all.forEach(link -> wired.addAll(List.of(link.from(), link.to())));
        List<Host> everyHost = new ArrayList<>(described.hosts().values());
        hosts.stream()
                .filter(host -> nodes.containsKey(host.location().node())
                        && !wired.contains(host.location())
                        && !attached.contains(host.location())
                        && taken.add(host.name()))
                .forEach(everyHost::add);
        return new Network(nodes.values(), all, everyHost, described.rules());
    }

    private static Node in(Node node, Map<Integer, Boolean> up) {
        SortedMap<Integer, Port> ports = new TreeMap<>();
        Map<Integer, Port> known = new HashMap<>(node.ports());
        up.keySet()
                .forEach(number -> known.computeIfAbsent(
                        number, n -> new Port(n, Optional.empty(), Optional.empty(), 0, true, List.of())));
        known.forEach((number, port) -> ports.put(number, port.withUp(up.getOrDefault(number, false))));
        return new Node(
                node.name(), node.deviceId(), node.management(), node.pipeconf(), node.srv6(), ports, node.location());
    }

    private static Link state(Link link, Map<String, Node> nodes) {
        boolean up = link.up() && isUp(link.from(), nodes) && isUp(link.to(), nodes);
        return link.withUp(up);
    }

    private static boolean isUp(Link.End end, Map<String, Node> nodes) {
        return Optional.ofNullable(nodes.get(end.node()))
                .map(node -> node.ports().get(end.port()))
                .map(Port::up)
                .orElse(true);
    }
}
