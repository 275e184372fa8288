// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentStatus;
import org.sextant.livelive.Accepted;
import org.sextant.livelive.Numbers;
import org.sextant.livelive.plan.Taps;

/**
 * Gives numbers to new flows, none of them twice. Groups are unique in the network. So are windows while there are
 * enough; then only at each egress, so that a flow whose host moves to another node hardly meets its own window there.
 */
final class Allocation {
    private final BitSet groups = new BitSet();
    private final BitSet windows = new BitSet();
    private final Map<String, BitSet> windowsAt = new TreeMap<>();

    /** @param others whose numbers are taken */
    Allocation(List<IntentStatus<Accepted>> others) {
        for (IntentStatus<Accepted> other : others) {
            for (Numbers numbers : other.intent().intent().numbers()) {
                groups.set(numbers.group());
                windows.set(numbers.window());
                Taps.of(other.plan()).stream()
                        .filter(taps -> taps.group() == numbers.group())
                        .forEach(taps -> at(taps.egress()).set(numbers.window()));
            }
        }
    }

    private BitSet at(String egress) {
        return windowsAt.computeIfAbsent(egress, none -> new BitSet());
    }

    /**
     * Numbers for directions that end at these nodes.
     *
     * @throws ProblemException if an egress ends as many flows as it can
     */
    List<Numbers> next(List<String> egresses) {
        List<Numbers> numbers = new ArrayList<>();
        for (String egress : egresses) {
            int group = groups.nextClearBit(1);
            int window = windows.nextClearBit(0);
            window = window < Numbers.WINDOWS ? window : at(egress).nextClearBit(0);
            if (window >= Numbers.WINDOWS || group > Numbers.MAX_GROUP) {
                throw new ProblemException(new Problem(
                        Problem.Code.UNFEASIBLE,
                        "/to",
                        window >= Numbers.WINDOWS
                                ? Numbers.WINDOWS + " flows end at " + egress + " already, which is all that a node remembers"
                                : "all " + Numbers.MAX_GROUP + " flows are in use",
                        "remove one first"));
            }
            groups.set(group);
            windows.set(window);
            at(egress).set(window);
            numbers.add(new Numbers(group, window));
        }
        return numbers;
    }
}
