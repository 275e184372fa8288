// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.explain;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;

/**
 * The capabilities of nodes by the pipeline that the topology file assigns to them, for pipelines of Sextant. A
 * controller reads them from the nodes themselves.
 */
final class Pipelines {
    private static final String PREFIX = "org.sextant.";

    private Pipelines() {}

    /** By node name; omits nodes with other pipelines. */
    static Map<String, Capabilities> of(Network network) {
        Map<String, Capabilities> capabilities = new TreeMap<>();
        network.nodes()
                .forEach((name, node) -> named(node.pipeconf()).ifPresent(offered -> capabilities.put(name, offered)));
        return capabilities;
    }

    static Optional<Capabilities> named(String pipeconf) {
        return pipeconf.startsWith(PREFIX)
                ? org.sextant.contract.Pipelines.byName(pipeconf.substring(PREFIX.length()))
                        .map(pipeline -> new Capabilities(pipeline.actionsOfTable(), pipeline.sizeOfTable()))
                : Optional.empty();
    }
}
