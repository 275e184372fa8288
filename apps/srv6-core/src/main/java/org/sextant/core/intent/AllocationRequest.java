// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.OptionalLong;
import java.util.Set;

/**
 * A compiler's request for numbers of a pool. The same use of the same intent gets the same number again and again.
 *
 * @param use index of this use of the pool within the intent, counted by the app from 0
 * @param many length of the run of numbers; the answer is the first
 * @param nodes at which no other intent may have them; none: no other in the network
 * @param only the one valid answer, as where a user chose the number; empty: any
 */
public record AllocationRequest(Pool pool, int use, int many, Set<String> nodes, OptionalLong only) {
    public AllocationRequest {
        nodes = Set.copyOf(nodes);
        if (use < 0 || many < 1) {
            throw new IllegalArgumentException("use " + use + " of " + many + " numbers of pool " + pool.name());
        }
    }

    /** A number that no other intent in the network may have. */
    public AllocationRequest(Pool pool, int use) {
        this(pool, use, 1, Set.of(), OptionalLong.empty());
    }

    public AllocationRequest many(int count) {
        return new AllocationRequest(pool, use, count, nodes, only);
    }

    /** Others may have the same elsewhere; they get it only when there is no other left. */
    public AllocationRequest at(String... names) {
        return new AllocationRequest(pool, use, many, Set.of(names), only);
    }

    /** A request for this number, or none. */
    public AllocationRequest exactly(long number) {
        return new AllocationRequest(pool, use, many, nodes, OptionalLong.of(number));
    }

    /** True if the numbers from this one on are an answer. */
    public boolean takes(long number) {
        boolean wanted = only.isEmpty() || only.getAsLong() == number;
        return wanted && number >= pool.firstShared() && number + many - 1 <= pool.last();
    }
}
