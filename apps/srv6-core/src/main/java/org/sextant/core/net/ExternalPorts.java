// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.HashSet;
import java.util.Set;

/**
 * Ports with a neighbor outside of the domain: they are configured as external, or a host is there. Link discovery
 * ignores them, whatever it receives there, and no packet is sent to them that two outsiders could pass to each other.
 */
public final class ExternalPorts {
    private ExternalPorts() {}

    /** A port that is described as internal is none of them, also if a host is there. */
    public static Set<Link.End> of(Network network) {
        Set<Link.End> outside = new HashSet<>();
        network.hosts().values().forEach(host -> outside.add(host.location()));
        network.nodes()
                .values()
                .forEach(node -> node.ports()
                        .values()
                        .forEach(port -> port.role().ifPresent(role -> {
                            Link.End end = new Link.End(node.name(), port.number());
                            if (role == PortRole.EXTERNAL) {
                                outside.add(end);
                            } else {
                                outside.remove(end);
                            }
                        })));
        return outside;
    }
}
