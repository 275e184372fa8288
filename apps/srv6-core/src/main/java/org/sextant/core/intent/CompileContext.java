// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.Entry;

/**
 * All that a compiler may look at.
 *
 * @param capabilities by node name; a node that never connected is absent, and a compiler assumes it can do everything
 * @param refused by node name, the SIDs that it said it can never serve, and its reasons
 */
public record CompileContext(
        Network network, Map<String, Capabilities> capabilities, Map<String, Map<Entry.Key, String>> refused) {
    public CompileContext {
        capabilities = Map.copyOf(capabilities);
        refused = refused.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, node -> Map.copyOf(node.getValue())));
    }

    /** Nodes that refused nothing. */
    public CompileContext(Network network, Map<String, Capabilities> capabilities) {
        this(network, capabilities, Map.of());
    }

    /** Why a node can never serve a SID, if it said so. */
    public Optional<String> refusal(String node, Entry.Key sid) {
        return Optional.ofNullable(refused.getOrDefault(node, Map.of()).get(sid));
    }

    public Optional<Capabilities> capabilities(String node) {
        return Optional.ofNullable(capabilities.get(node));
    }
}
