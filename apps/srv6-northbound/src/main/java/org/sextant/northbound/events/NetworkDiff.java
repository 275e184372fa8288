// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Overload;
import org.sextant.core.net.Port;

/**
 * The changes of a network for a viewer.
 *
 * @param redrawn something other than up, down and speeds changed: look at the whole network again
 * @param faster nodes say another speed of some port than before; that a port has none is no news, as one that is down has none
 * @param links by id, those that went up or down, or wait for their restoration now, or do no longer
 * @param ports those that went up or down
 * @param overloads by node, overloads that began, ended (empty) or led to draining
 */
record NetworkDiff(
        boolean redrawn,
        boolean faster,
        SortedMap<String, LinkState> links,
        SortedMap<PortRef, Boolean> ports,
        SortedMap<String, Optional<Overload>> overloads) {

    /**
     * The reported state of a link.
     *
     * @param up whether it is used
     * @param restores when it is used again if it stays up; empty for one that does not wait
     */
    record LinkState(boolean up, Optional<Instant> restores) {
        static LinkState of(Link link, Network network) {
            return new LinkState(
                    link.up(), Optional.ofNullable(network.restores().get(link.id())));
        }
    }

    /** One port of one node. */
    record PortRef(String node, int port) implements Comparable<PortRef> {
        @Override
        public int compareTo(PortRef other) {
            int order = node.compareTo(other.node);
            return order != 0 ? order : Integer.compare(port, other.port);
        }
    }

    static NetworkDiff between(Network before, Network after) {
        NetworkDiff diff = new NetworkDiff(
                !alike(before, after),
                speeds(before, after),
                new TreeMap<>(),
                new TreeMap<>(),
                overloads(before, after));
        return diff.redrawn ? diff : diff.fill(before, after);
    }

    private NetworkDiff fill(Network before, Network after) {
        for (int i = 0; i < after.links().size(); i++) {
            Link link = after.links().get(i);
            LinkState state = LinkState.of(link, after);
            if (!state.equals(LinkState.of(before.links().get(i), before))) {
                links.put(link.id(), state);
            }
        }
        after.nodes()
                .forEach((name, node) -> node.ports().forEach((number, port) -> {
                    Optional<Boolean> was = before.node(name)
                            .map(known -> known.ports().get(number))
                            .map(Port::up);
                    if (!was.equals(Optional.of(port.up()))) {
                        ports.put(new PortRef(name, number), port.up());
                    }
                }));
        return this;
    }

    private static SortedMap<String, Optional<Overload>> overloads(Network before, Network after) {
        SortedMap<String, Optional<Overload>> changed = new TreeMap<>();
        after.nodes().keySet().forEach(node -> {
            Optional<Overload> was = Optional.ofNullable(before.overloads().get(node));
            Optional<Overload> now = Optional.ofNullable(after.overloads().get(node));
            if (!was.equals(now)) {
                changed.put(node, now);
            }
        });
        return changed;
    }

    private static boolean speeds(Network before, Network after) {
        return after.nodes().values().stream()
                .anyMatch(node -> node.ports().values().stream()
                        .anyMatch(port -> port.speedKbps() > 0
                                && before.node(node.name())
                                                .map(known -> known.ports().get(port.number()))
                                                .map(Port::speedKbps)
                                                .orElse(0L)
                                        != port.speedKbps()));
    }

    /** Equal but for up, down, and speeds. */
    private static boolean alike(Network before, Network after) {
        return before.hosts().equals(after.hosts())
                && before.hasSameNodes(after)
                && up(before.links()).equals(up(after.links()));
    }

    private static List<Link> up(List<Link> links) {
        return links.stream().map(link -> link.withUp(true)).toList();
    }
}
