// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The role of each port and its reason: the configured one, else internal if a link is there, up or down, and external
 * everywhere else. A pure function of the network.
 */
public final class PortRoles {
    private final Map<String, SortedMap<Integer, Known>> ofNodes = new TreeMap<>();

    /** The reason for a role. */
    public enum Because {
        /** The role is configured. */
        DESCRIPTION,
        LINK,
        HOST,
        /** Neither a link nor a host is known there. */
        NOTHING
    }

    /**
     * The role of a port.
     *
     * @param what the link or the host that is there, whatever the role follows from; empty if none is known
     */
    public record Known(PortRole role, Because because, String what) {}

    public PortRoles(Network network) {
        Map<Link.End, String> links = new TreeMap<>();
        network.links().stream().filter(Link::up).forEach(link -> connect(links, link));
        network.links().forEach(link -> connect(links, link));
        Map<Link.End, String> hosts = new TreeMap<>();
        network.hosts().values().forEach(host -> hosts.putIfAbsent(host.location(), host.name()));
        network.nodes().values().forEach(node -> {
            SortedMap<Integer, Known> known = new TreeMap<>();
            node.ports().values().forEach(port -> {
                Link.End end = new Link.End(node.name(), port.number());
                known.put(
                        port.number(),
                        known(port, Optional.ofNullable(links.get(end)), Optional.ofNullable(hosts.get(end))));
            });
            ofNodes.put(node.name(), Collections.unmodifiableSortedMap(known));
        });
    }

    /** Seen from each end, its own port comes first. */
    private static void connect(Map<Link.End, String> links, Link link) {
        links.putIfAbsent(link.from(), link.id());
        links.putIfAbsent(link.to(), link.to() + "-" + link.from());
    }

    private static Known known(Port port, Optional<String> link, Optional<String> host) {
        String what = link.or(() -> host).orElse("");
        if (port.role().isPresent()) {
            return new Known(port.role().get(), Because.DESCRIPTION, what);
        }
        if (link.isPresent()) {
            return new Known(PortRole.INTERNAL, Because.LINK, what);
        }
        return new Known(PortRole.EXTERNAL, host.isPresent() ? Because.HOST : Because.NOTHING, what);
    }

    /** The ports of a node by number; none if there is no such node. */
    public SortedMap<Integer, Known> of(String node) {
        return ofNodes.getOrDefault(node, Collections.emptySortedMap());
    }
}
