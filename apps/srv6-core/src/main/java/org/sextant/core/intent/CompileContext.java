// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Map;
import java.util.Optional;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;

/**
 * All that a compiler may look at.
 *
 * @param capabilities by node name; a node that never connected is absent, and a compiler assumes it can do everything
 */
public record CompileContext(Network network, Map<String, Capabilities> capabilities) {
    public CompileContext {
        capabilities = Map.copyOf(capabilities);
    }

    public Optional<Capabilities> capabilities(String node) {
        return Optional.ofNullable(capabilities.get(node));
    }
}
