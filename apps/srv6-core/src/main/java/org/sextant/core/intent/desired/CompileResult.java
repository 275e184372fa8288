// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.allocate.AllocationSession;
import org.sextant.core.intent.allocate.CapacityTracker;
import org.sextant.core.intent.allocate.IdPools;
import org.sextant.core.intent.install.TrackedIntent;

/**
 * The result of one compilation.
 *
 * @param intent the compiled intent
 * @param session its allocation requests and their answers
 * @param inquiry its questions about the capacity that others have reserved
 */
record CompileResult(
        Plan plan, NumberedIntent<Object> intent, AllocationSession session, CapacityTracker.Inquiry inquiry) {

    /** True if the plan needs numbers that the intent does not have. */
    boolean waits() {
        return plan.feasible() && session.fresh();
    }

    /** The intent with the numbers of its plan. */
    NumberedIntent<Object> granted() {
        return session.grants().equals(intent.grants())
                ? intent
                : new NumberedIntent<>(intent.id(), intent.number(), intent.intent(), session.grants());
    }

    /** Takes these numbers for the intent. */
    void take(IdPools pools, TrackedIntent owner) {
        pools.has(owner, session.grants(), session.claims());
        pools.given(session.next());
    }

    CompileResult with(Plan other) {
        return new CompileResult(other, intent, session, inquiry);
    }
}
