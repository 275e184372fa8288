// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.passage;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.sextant.core.ip.IpAddress;

/**
 * Passages of which each begins where the one before ends, and the first where the last ends. A packet in it never
 * leaves: nothing lowers the hop limit of an inner packet on every data plane (docs/reference/conformance.md).
 *
 * @param destination of a packet that would loop
 * @param steps in travel order, at least one
 */
public record PassageLoop<O>(IpAddress destination, List<Step<O>> steps) {

    public PassageLoop {
        steps = List.copyOf(steps);
    }

    /**
     * The loop as a sentence's second half, such as "policy "a" takes them from l1 to l3, flow "b" from l3 to l1".
     *
     * @param name the name of a step's owner
     */
    public String text(Function<Step<O>, String> name) {
        List<String> parts = new ArrayList<>();
        for (Step<O> step : steps) {
            parts.add(name.apply(step) + (parts.isEmpty() ? " takes them from " : " from ")
                    + step.passage().from() + " to " + step.exit());
        }
        return String.join(", ", parts);
    }

    /** A passage of the loop. */
    public record Step<O>(O owner, Passage passage, Place exit) {}
}
