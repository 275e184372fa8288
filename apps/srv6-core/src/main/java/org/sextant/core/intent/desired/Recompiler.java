// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.sextant.core.intent.DerivedKind;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.install.BootCounts;
import org.sextant.core.intent.install.Installation;
import org.sextant.core.intent.install.Refusals;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.loop.Turn;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;

/**
 * Compiles intents again when the network, the capabilities of nodes, or the compiler version changed.
 */
final class Recompiler {
    private final IntentRegistry registry;
    private final Compiler compiler;
    private final DerivedIntents derived;
    private final Refusals refusals;
    private final BootCounts bootCounts;
    private final Map<String, Capabilities> capabilities = new HashMap<>();
    private final Set<String> changedNodes = new HashSet<>();
    private final CompilerAgreement agreement;
    private Network latest = Network.EMPTY;

    /** Intents still to be compiled again, the most urgent first. */
    private Queue<TrackedIntent> open = new ArrayDeque<>();

    Recompiler(
            IntentRegistry registry,
            Compiler compiler,
            DerivedIntents derived,
            Installation installation,
            CompilerAgreement agreement) {
        this.registry = registry;
        this.compiler = compiler;
        this.derived = derived;
        this.refusals = installation.reconciler().refusals();
        this.bootCounts = installation.bootCounts();
        this.agreement = agreement;
    }

    void networkChanged(Network network) {
        latest = network;
    }

    /** A property of a node that compilers use has changed. */
    void nodeChanged(String node) {
        changedNodes.add(node);
    }

    void capabilitiesChanged(String node, Capabilities offered) {
        if (!offered.equals(capabilities.put(node, offered))) {
            changedNodes.add(node);
        }
    }

    boolean quiet() {
        return open.isEmpty();
    }

    /** Reacts to all that changed since the last time; {@link #goOn} compiles. */
    void catchUp() {
        changedNodes.addAll(refusals.takeChanged());
        Network before = compiler.context().network();
        int version = agreement.status().compiles();
        boolean otherVersion = version != compiler.context().compilerVersion();
        if (latest == before && changedNodes.isEmpty() && !otherVersion) {
            return;
        }
        before.nodes().keySet().stream()
                .filter(node -> !latest.nodes().containsKey(node))
                .forEach(capabilities::remove);
        NetworkChange change = NetworkChange.between(before, latest);
        boolean overloadEnded =
                !latest.overloads().keySet().containsAll(before.overloads().keySet());
        Set<TrackedIntent> avoiding = overloadEnded ? compiler.takeAvoiding() : Set.of();
        Set<String> nodes = Set.copyOf(changedNodes);
        changedNodes.clear();
        compiler.context(compiler.context()
                .next(latest, capabilities, refusals.all(), bootCounts.counts())
                .at(version));
        open = otherVersion ? all() : touched(change, nodes, avoiding);
        if (change != NetworkChange.NONE) {
            List.copyOf(registry.kinds()).forEach(derived::derive);
        }
    }

    /** Compiles again until the turn is over; true if there is more. */
    boolean goOn(Turn turn) {
        if (open.isEmpty()) {
            return false;
        }
        if (open.size() > Precompiler.SHORTEST) {
            compiler.prepare(open);
        }
        do {
            TrackedIntent next = open.remove();
            if (!next.isRemoved()) {
                compiler.again(next);
            }
        } while (!open.isEmpty() && !turn.isOver());
        compiler.settle();
        return !open.isEmpty();
    }

    private Queue<TrackedIntent> all() {
        return new ArrayDeque<>(
                registry.all().stream().sorted(TrackedIntent.URGENT_FIRST).toList());
    }

    /**
     * With those that an earlier change has touched, and that are not compiled since.
     *
     * @param avoiding intents that avoid a node whose overload has ended
     */
    private Queue<TrackedIntent> touched(NetworkChange change, Set<String> nodes, Set<TrackedIntent> avoiding) {
        Set<TrackedIntent> waiting = new HashSet<>(open);
        waiting.addAll(avoiding);
        PathsOverLinks over = PathsOverLinks.of(compiler.context().underlay(), change.came());
        List<TrackedIntent> touched = new ArrayList<>();
        for (TrackedIntent intent : registry.all()) {
            boolean derived = intent.kind() instanceof DerivedKind;
            boolean capable = !nodes.isEmpty() && touches(nodes, intent.compiled());
            if (capable || !derived && change.touches(intent.compiled(), over) || waiting.contains(intent)) {
                touched.add(intent);
            }
        }
        touched.sort(TrackedIntent.URGENT_FIRST);
        return new ArrayDeque<>(touched);
    }

    private static boolean touches(Set<String> nodes, Plan plan) {
        return !plan.feasible()
                || plan.dependsOn().leansOn(nodes)
                || plan.entries().stream().anyMatch(placed -> nodes.contains(placed.node()));
    }
}
