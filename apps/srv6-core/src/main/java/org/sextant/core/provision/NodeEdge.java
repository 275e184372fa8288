// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import java.util.List;
import java.util.stream.Stream;
import org.sextant.core.net.EdgeSettings;
import org.sextant.core.net.Node;
import org.sextant.core.net.PortRole;
import org.sextant.core.net.PortRoles;
import org.sextant.core.net.Srv6;
import org.sextant.core.table.EdgePort;
import org.sextant.core.table.Entry;
import org.sextant.core.underlay.DomainEdge;

/**
 * The edge filter of a node, which keeps outsiders from its SIDs: the role of each port, and the prefixes of the
 * domain.
 */
record NodeEdge(List<EdgePort> ports, DomainEdge domain) {

    static NodeEdge of(Node node, PortRoles roles, DomainEdge domain) {
        EdgeSettings settings = node.srv6().map(Srv6::edge).orElse(EdgeSettings.DEFAULT);
        EdgePort.Role external = new EdgePort.External(settings.dropSrh());
        EdgePort.Role internal = new EdgePort.Internal(settings.knownSources());
        List<EdgePort> ports = roles.of(node.name()).entrySet().stream()
                .map(port ->
                        new EdgePort(port.getKey(), port.getValue().role() == PortRole.EXTERNAL ? external : internal))
                .toList();
        return new NodeEdge(ports, domain);
    }

    /** Ports behind which is a node of the domain, whether the link is up or not. */
    Stream<Integer> internalPorts() {
        return ports.stream()
                .filter(port -> port.role() instanceof EdgePort.Internal)
                .map(EdgePort::port);
    }

    Stream<Entry> entries() {
        return Stream.concat(domain.entries(), ports.stream());
    }
}
