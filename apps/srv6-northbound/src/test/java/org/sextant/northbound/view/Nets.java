// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;

/** Networks as nodes report them. */
public final class Nets {
    private Nets() {}

    /** The same network, whose nodes say how fast port 1 is, in kbit/s. */
    public static Network withSpeeds(Network network, Map<String, Long> kbps) {
        List<Node> nodes = network.nodes().values().stream()
                .map(node -> {
                    SortedMap<Integer, Port> ports = new TreeMap<>(node.ports());
                    Port port =
                            ports.getOrDefault(1, new Port(1, Optional.empty(), Optional.empty(), 0, true, List.of()));
                    ports.put(1, port.withSpeedKbps(kbps.getOrDefault(node.name(), 0L)));
                    return new Node(
                            node.name(),
                            node.deviceId(),
                            node.management(),
                            node.pipeconf(),
                            node.srv6(),
                            ports,
                            node.location());
                })
                .toList();
        return new Network(nodes, network.links(), network.hosts().values(), network.rules());
    }
}
