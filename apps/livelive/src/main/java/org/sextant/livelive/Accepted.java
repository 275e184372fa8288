// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive;

import java.util.List;

/**
 * A flow that the controller took on: the intent that the engine stores and compiles.
 *
 * @param numbers of the way there and, for a symmetric flow, of the way back
 */
public record Accepted(LiveLive flow, List<Numbers> numbers) {
    public Accepted {
        numbers = List.copyOf(numbers);
        if (numbers.size() != directions(flow)) {
            throw new IllegalArgumentException("a flow has the numbers of each of its directions");
        }
    }

    /** 2 if what comes back is copied too. */
    public static int directions(LiveLive flow) {
        return flow.symmetric() ? 2 : 1;
    }
}
