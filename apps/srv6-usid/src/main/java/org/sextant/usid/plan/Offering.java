// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.Objects;
import java.util.Optional;
import org.sextant.core.intent.Plan;
import org.sextant.kit.path.BindingHandle;

/**
 * What a policy's plan has for other policies.
 *
 * @param binding for those that lead into it
 * @param member for those that are composed of it
 */
record Offering(Optional<BindingHandle> binding, Optional<Member> member) {
    private static final Offering NOTHING = new Offering(Optional.empty(), Optional.empty());

    Offering {
        Objects.requireNonNull(binding);
        Objects.requireNonNull(member);
    }

    static Offering of(Plan plan) {
        return plan.offer() instanceof Offering offering ? offering : NOTHING;
    }

    /** The plan with it, if it is anything. */
    Plan with(Plan plan) {
        return equals(NOTHING) ? plan : plan.offering(this);
    }
}
