// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.DerivedKind;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.net.Network;

/**
 * Decides which intents avoid overloaded nodes: an intent keeps the plan that it has, if that is still its plan in the network without
 * regard to overloads; otherwise it avoids overloaded nodes where it can. So the loss of a session moves nothing that is installed. Drained
 * nodes are no part of this: all plans avoid them.
 */
final class OverloadAvoidance {

    /** Intents with a plan that they would not have without overloads. */
    private final Set<TrackedIntent> avoiding = new HashSet<>();

    /**
     * Compiles an intent, once or twice.
     *
     * @param avoided the context for a plan that avoids overloaded nodes
     * @param planOf the plan of a result
     * @param avoids is called if the intent avoids a node
     */
    static <R> R compile(
            TrackedIntent intent,
            CompileContext context,
            Supplier<CompileContext> avoided,
            Function<CompileContext, R> compiler,
            Function<R, Plan> planOf,
            Runnable avoids) {
        R usual = compiler.apply(context);
        Plan plan = planOf.apply(usual);
        if (!concerns(intent, context.network()) || !plan.feasible() || has(intent, plan)) {
            return usual;
        }
        R avoiding = compiler.apply(avoided.get());
        Plan other = planOf.apply(avoiding);
        if (!other.feasible() || other.hasEffectOf(plan)) {
            return usual;
        }
        avoids.run();
        return avoiding;
    }

    private static boolean has(TrackedIntent intent, Plan plan) {
        return intent.desired().isCompiled() && plan.hasEffectOf(intent.compiled());
    }

    private static boolean concerns(TrackedIntent intent, Network network) {
        return !(intent.kind() instanceof DerivedKind)
                && network.overloads().values().stream().anyMatch(overload -> !overload.drained());
    }

    /** The intent, or a proposal for it, has such a plan. */
    void add(TrackedIntent intent) {
        avoiding.add(intent);
    }

    /** The intent is deleted, or its kind is unregistered. */
    void forget(TrackedIntent intent) {
        avoiding.remove(intent);
    }

    /** The intents to compile again when an overload has ended, each once. */
    Set<TrackedIntent> take() {
        Set<TrackedIntent> taken = Set.copyOf(avoiding);
        avoiding.clear();
        return taken;
    }
}
