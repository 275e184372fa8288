// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

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
 *
 * <p>Windows are given in turn. A switch does not forget what it saw in a window: were a window given at once to a flow of
 * another ingress, whose numbers begin lower, its first packets would be taken for late ones.
 */
final class Allocation {
    private final BitSet groups = new BitSet();
    private final BitSet windows = new BitSet();
    private final Map<String, BitSet> windowsAt = new TreeMap<>();
    private int nextWindow;

    /**
     * @param others whose numbers are taken
     * @param nextWindow whose turn it is
     */
    Allocation(List<IntentStatus<Accepted>> others, int nextWindow) {
        this.nextWindow = nextWindow;
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

    /** Whether a flow ends at this node that has the window. */
    boolean taken(String egress, int window) {
        return at(egress).get(window);
    }

    /**
     * Numbers for a direction that ends at this node.
     *
     * @throws ProblemException if it ends as many flows as it can
     */
    Numbers next(String egress) {
        int group = groups.nextClearBit(1);
        int window = free(windows);
        window = window < Numbers.WINDOWS ? window : free(at(egress));
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
        nextWindow = window + 1;
        return new Numbers(group, window);
    }

    /** The next in turn; {@link Numbers#WINDOWS} or more if there is none. */
    private int free(BitSet taken) {
        int next = taken.nextClearBit(nextWindow);
        return next < Numbers.WINDOWS ? next : taken.nextClearBit(0);
    }

    /** Whose turn it is then. */
    int nextWindow() {
        return nextWindow;
    }
}
