// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Optional;
import java.util.OptionalLong;

/** Answers the allocation requests of compilers. */
public interface Claims {

    /** The answers for an intent without any others: its numbers are kept, and all others are free. */
    Claims ALONE = (intent, claim) -> {
        for (Allocation grant : intent.grants()) {
            if (grant.answers(claim)) {
                return OptionalLong.of(grant.number());
            }
        }
        long number = claim.only().orElse(claim.pool().firstShared() + (long) claim.use() * claim.many());
        return claim.takes(number) ? OptionalLong.of(number) : OptionalLong.empty();
    };

    /** Empty if the others have all of them. */
    OptionalLong answer(NumberedIntent<?> intent, AllocationRequest claim);

    /** The holder of the number that a request asks for, if it does not yield. */
    default Optional<IntentRef> holder(AllocationRequest claim) {
        return Optional.empty();
    }
}
