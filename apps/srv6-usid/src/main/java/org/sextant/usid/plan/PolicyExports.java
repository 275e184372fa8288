// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.Objects;
import java.util.Optional;
import org.sextant.core.intent.Plan;
import org.sextant.kit.path.BindingHandle;

/**
 * The exports of a policy's plan to other policies.
 *
 * @param binding for policies whose paths contain its binding SID
 * @param member for composite policies
 */
record PolicyExports(Optional<BindingHandle> binding, Optional<Member> member) {
    private static final PolicyExports NOTHING = new PolicyExports(Optional.empty(), Optional.empty());

    PolicyExports {
        Objects.requireNonNull(binding);
        Objects.requireNonNull(member);
    }

    static PolicyExports of(Plan plan) {
        return plan.offer() instanceof PolicyExports offering ? offering : NOTHING;
    }

    /** The plan with these exports, if there are any. */
    Plan with(Plan plan) {
        return equals(NOTHING) ? plan : plan.offering(this);
    }
}
