// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/**
 * What compiling came to.
 *
 * @param intent as it was compiled
 * @param taking what it claimed, and was answered
 * @param inquiry what it asked of the capacity that others have reserved
 */
record CompileResult(Plan plan, Numbered<Object> intent, AllocationSession taking, CapacityTracker.Inquiry inquiry) {

    /** Whether the plan is about numbers that the intent does not have. */
    boolean waits() {
        return plan.feasible() && taking.fresh();
    }

    /** The intent with the numbers that its plan is about. */
    Numbered<Object> granted() {
        return taking.grants().equals(intent.grants())
                ? intent
                : new Numbered<>(intent.id(), intent.number(), intent.intent(), taking.grants());
    }

    /** Takes these numbers for the intent. */
    void take(IdPools pools, TrackedIntent owner) {
        pools.has(owner, taking.grants(), taking.claims());
        pools.given(taking.next());
    }

    CompileResult with(Plan other) {
        return new CompileResult(other, intent, taking, inquiry);
    }
}
