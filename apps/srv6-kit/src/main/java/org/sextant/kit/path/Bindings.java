// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentRef;

/** Finds the policies that hops name by their binding SIDs. */
@FunctionalInterface
public interface Bindings {

    /** Rejects every policy, for paths that may contain none. */
    Bindings NONE = (policy, pointer) -> {
        throw unfeasible(
                pointer,
                "a path of this kind leads into no policy",
                "name the nodes of policy \"" + policy + "\" as hops");
    };

    /**
     * @param pointer the field that names it
     * @throws ProblemException if it does not exist, or has no binding SID now
     */
    BindingHandle find(String policy, String pointer);

    /** The policies that a policy refers to ({@link #named}). No cycle occurs, as the engine rejects these. */
    static Bindings of(CompileContext context) {
        return (policy, pointer) -> context.offered(new IntentRef(PolicyOffer.KIND, policy), PolicyOffer.class, pointer)
                .binding()
                .orElseThrow(() -> unfeasible(
                        pointer,
                        "policy \"" + policy + "\" has no binding SID now",
                        "give it \"bindingSid\": \"auto\", or look at what stands against its paths"));
    }

    /** The intents that hops refer to. */
    static Set<IntentRef> named(List<? extends Hop> hops) {
        return hops.stream()
                .filter(Hop.Binding.class::isInstance)
                .map(hop -> new IntentRef(PolicyOffer.KIND, ((Hop.Binding) hop).policy()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static ProblemException unfeasible(String pointer, String message, String remedy) {
        return new ProblemException(new Problem(Problem.Code.UNFEASIBLE, pointer, message, remedy));
    }
}
