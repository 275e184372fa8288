// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentRef;

/** Finds the firewalls that hops name. */
@FunctionalInterface
public interface Firewalls {

    /** Rejects every firewall, for paths that may contain none. */
    Firewalls NONE = (id, pointer) -> {
        throw new ProblemException(new Problem(
                Problem.Code.UNFEASIBLE,
                pointer,
                "a path of this kind goes through no firewall",
                "lead the traffic through \"" + id + "\" with a policy"));
    };

    /**
     * @param pointer the field that names it
     * @throws ProblemException if it does not exist, or has nothing to install now
     */
    FirewallHandle find(String id, String pointer);

    /** The firewalls that an intent refers to ({@link #named}). */
    static Firewalls of(CompileContext context) {
        return (id, pointer) -> context.offered(new IntentRef(FirewallHandle.KIND, id), FirewallHandle.class, pointer);
    }

    /** The intents that hops refer to. */
    static Set<IntentRef> named(List<? extends Hop> hops) {
        Set<IntentRef> refs = new HashSet<>();
        for (Hop hop : hops) {
            if (hop instanceof Hop.Firewall firewall) {
                refs.add(new IntentRef(FirewallHandle.KIND, firewall.id()));
            }
        }
        return refs;
    }
}
