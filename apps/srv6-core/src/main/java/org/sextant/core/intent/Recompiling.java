// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;

/**
 * Compiles intents again when the network or what nodes can do changed, and derives those that follow from the network.
 * Touched by the engine's thread only.
 */
final class Recompiling {
    private final Registry registry;
    private final Compilation compilation;
    private final Withdrawal withdrawal;
    private final Refusals refusals;
    private final Map<String, Capabilities> capabilities = new HashMap<>();
    private final Set<String> newCapabilities = new HashSet<>();
    private Network latest = Network.EMPTY;

    Recompiling(Registry registry, Compilation compilation, Withdrawal withdrawal, Refusals refusals) {
        this.registry = registry;
        this.compilation = compilation;
        this.withdrawal = withdrawal;
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
        compilation.context(new CompileContext(latest, capabilities, refusals.all()));
        compilation.again(touched(change, nodes));
        if (change != NetworkChange.NONE) {
            List.copyOf(registry.kinds()).forEach(this::derive);
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

    void derive(Registry.Kind kind) {
        if (!(kind.kind instanceof DerivedKind<Object> derivedKind)) {
            return;
        }
        SortedMap<String, Object> derived =
                derivedKind.derive(compilation.context().network());
        for (Tracked gone : List.copyOf(kind.byId.values())) {
            if (!derived.containsKey(gone.ref.id())) {
                withdrawal.drop(kind, gone);
            }
        }
        List<Tracked> other = new ArrayList<>();
        new TreeMap<>(derived).forEach((id, intent) -> {
            Tracked known = kind.byId.get(id);
            if (known == null) {
                Tracked created = new Tracked(kind.kind, new Numbered<>(id, 0, intent), null);
                registry.put(kind, created);
                compilation.want(created, compilation.compile(kind.kind, created.intent));
            } else if (!known.intent.intent().equals(intent)) {
                known.intent = new Numbered<>(id, 0, intent);
                other.add(known);
            }
        });
        compilation.again(other);
    }
}
