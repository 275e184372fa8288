// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;

/**
 * Compiles intents again when the network or what nodes can do changed. Touched by the engine's thread only.
 */
final class Recompiling {
    private final Registry registry;
    private final Compilation compilation;
    private final Deriving deriving;
    private final Refusals refusals;
    private final Map<String, Capabilities> capabilities = new HashMap<>();
    private final Set<String> newCapabilities = new HashSet<>();
    private Network latest = Network.EMPTY;

    Recompiling(Registry registry, Compilation compilation, Deriving deriving, Refusals refusals) {
        this.registry = registry;
        this.compilation = compilation;
        this.deriving = deriving;
        this.refusals = refusals;
    }

    void networkChanged(Network network) {
        latest = network;
    }

    void capabilitiesChanged(String node, Capabilities offered) {
        if (!offered.equals(capabilities.put(node, offered))) {
            newCapabilities.add(node);
        }
    }

    /** Reacts to all that changed since the last time. */
    void catchUp() {
        newCapabilities.addAll(refusals.takeChanged());
        Network before = compilation.context().network();
        if (latest == before && newCapabilities.isEmpty()) {
            return;
        }
        before.nodes().keySet().stream()
                .filter(node -> !latest.nodes().containsKey(node))
                .forEach(capabilities::remove);
        NetworkChange change = NetworkChange.between(before, latest);
        Set<String> nodes = Set.copyOf(newCapabilities);
        newCapabilities.clear();
        compilation.context(compilation.context().next(latest, capabilities, refusals.all()));
        compilation.again(touched(change, nodes));
        if (change != NetworkChange.NONE) {
            List.copyOf(registry.kinds()).forEach(deriving::derive);
        }
    }

    private List<Tracked> touched(NetworkChange change, Set<String> nodes) {
        List<Tracked> touched = new ArrayList<>();
        for (Tracked intent : registry.all()) {
            boolean derived = intent.kind instanceof DerivedKind;
            boolean capable = !nodes.isEmpty() && touches(nodes, intent.compiled);
            if (capable || !derived && change.touches(intent.compiled)) {
                touched.add(intent);
            }
        }
        return touched;
    }

    private static boolean touches(Set<String> nodes, Plan plan) {
        return !plan.feasible()
                || plan.dependsOn().leansOn(nodes)
                || plan.entries().stream().anyMatch(placed -> nodes.contains(placed.node()));
    }
}
