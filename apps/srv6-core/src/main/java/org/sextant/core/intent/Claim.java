// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.OptionalLong;
import java.util.Set;

/**
 * What a compiler asks of a pool. The same use of the same intent gets the same number again and again.
 *
 * @param use which of the intent's uses of the pool this is, counted by the app from 0
 * @param many how many numbers one behind the other; the answer is the first
 * @param nodes at which nobody else may have them; none: nobody in the network
 * @param only the one answer that will do, as where a person chose the number; empty: any
 */
public record Claim(Pool pool, int use, int many, Set<String> nodes, OptionalLong only) {
    public Claim {
        nodes = Set.copyOf(nodes);
        if (use < 0 || many < 1) {
            throw new IllegalArgumentException("use " + use + " of " + many + " numbers of pool " + pool.name());
        }
    }

    /** One number that nobody else in the network may have. */
    public Claim(Pool pool, int use) {
        this(pool, use, 1, Set.of(), OptionalLong.empty());
    }

    public Claim many(int count) {
        return new Claim(pool, use, count, nodes, only);
    }

    /** Others may have the same elsewhere; they get it only when there is no other left. */
    public Claim at(String... names) {
        return new Claim(pool, use, many, Set.of(names), only);
    }

    /** This number, or none. */
    public Claim exactly(long number) {
        return new Claim(pool, use, many, nodes, OptionalLong.of(number));
    }

    /** Whether numbers from this one on are an answer. */
    public boolean takes(long number) {
        boolean wanted = only.isEmpty() || only.getAsLong() == number;
        return wanted && number >= pool.firstShared() && number + many - 1 <= pool.last();
    }
}
