// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;

/**
 * The network of the uSID paper's Figure 4, as configured and as known when every node has reported its MAC addresses.
 */
public final class Fig4 {
    static final Network DESCRIBED = read();
    public static final Network CONNECTED = connected(DESCRIBED);

    private Fig4() {}

    private static Network read() {
        try {
            return NetworkFile.parse(Files.readAllBytes(Path.of("../../lab/fig4.json")))
                    .orThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Network connected(Network network) {
        List<String> names = List.copyOf(network.nodes().keySet());
        return new Network(
                network.nodes().values().stream()
                        .map(node -> withMacs(node, names.indexOf(node.name()) + 1))
                        .toList(),
                network.links(),
                network.hosts().values());
    }

    /** 02:aa:00:00:NODE:PORT, nodes counted by name from 1. */
    static MacAddress mac(int node, int port) {
        return new MacAddress(0x02aa_0000_0000L + 256L * node + port);
    }

    private static Node withMacs(Node node, int index) {
        SortedMap<Integer, Port> ports = new TreeMap<>((Map<Integer, Port>) node.ports());
        ports.replaceAll((number, port) -> new Port(
                number, port.name(), Optional.of(mac(index, number)), port.mtuBytes(), port.up(), port.addresses()));
        return new Node(
                node.name(), node.deviceId(), node.management(), node.pipeconf(), node.srv6(), ports, node.location());
    }
}
