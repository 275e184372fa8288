// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.HashSet;
import java.util.Set;

/**
 * Ports behind which the description knows somebody who is no node: they are described as external, or a host is there. No
 * link is found at them, whatever is heard, and nothing is sent there that two outsiders could hand to each other.
 */
public final class Outside {
    private Outside() {}

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
