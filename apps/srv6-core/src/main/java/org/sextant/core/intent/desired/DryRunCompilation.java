// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.intent.AllocationRequest;
import org.sextant.core.intent.Claims;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.allocate.AllocationSession;
import org.sextant.core.intent.allocate.CapacityTracker;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.loop.EventLoop;

/**
 * An intent with all inputs of its compiler, at one moment: a dry run compiles it on the thread of its caller, while
 * the engine goes on. Only the numbers that it claims are read on the engine's thread.
 *
 * @param existing the intent that it would replace; null if there is none
 * @param revision of the inputs of compilers at that time
 */
record DryRunCompilation(
        TrackedIntent tracked,
        @Nullable TrackedIntent existing,
        NumberedIntent<Object> numbered,
        AllocationSession session,
        CapacityTracker.Inquiry inquiry,
        long revision,
        Supplier<Plan> compiler) {

    CompileResult with(Plan plan) {
        return new CompileResult(plan, numbered, session, inquiry);
    }

    /** Requests numbers on the engine's thread. */
    record LoopClaims(EventLoop thread, AllocationSession session) implements Claims {
        @Override
        public OptionalLong answer(NumberedIntent<?> intent, AllocationRequest claim) {
            return thread.ask(() -> session.answer(intent, claim));
        }

        @Override
        public Optional<IntentRef> holder(AllocationRequest claim) {
            return thread.ask(() -> session.holder(claim));
        }
    }

    /** The outcome of preparing one: the compilation, or the problems of the intent before anything is compiled. */
    record Preparation(Optional<DryRunCompilation> compilation, int number, List<Problem> problems) {}
}
