// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Optional;
import java.util.OptionalLong;

/** Answers what compilers claim. */
public interface Claims {

    /** An intent beside which there is no other keeps what it has, and else has all numbers to choose from. */
    Claims ALONE = (intent, claim) -> {
        for (Grant grant : intent.grants()) {
            if (grant.answers(claim)) {
                return OptionalLong.of(grant.number());
            }
        }
        long number = claim.only().orElse(claim.pool().firstShared() + (long) claim.use() * claim.many());
        return claim.takes(number) ? OptionalLong.of(number) : OptionalLong.empty();
    };

    /** Empty if the others have all of them. */
    OptionalLong answer(Numbered<?> intent, Claim claim);

    /** Who has the one number that a claim asks for, and does not give way. */
    default Optional<IntentRef> holder(Claim claim) {
        return Optional.empty();
    }
}
