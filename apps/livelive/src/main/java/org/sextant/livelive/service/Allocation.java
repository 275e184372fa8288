// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.livelive.Numbers;

/**
 * Gives numbers to new flows, none of them twice. Groups are unique in the network. So are windows while there are
 * enough; then only at each egress, so that a flow whose host moves to another node hardly meets its own window there.
 *
 * <p>Both are given in turn. A switch does not forget what it saw in a window: were a window given at once to a flow of
 * another ingress, whose numbers begin lower, its first packets would be taken for late ones. And a group is in the flow id: a
 * flow that is removed and posted again is another one to every node, whatever became of the former one's rows and numbers.
 */
final class Allocation {
    private final BitSet groups = new BitSet();
    private final BitSet windows = new BitSet();
    private final Map<String, BitSet> windowsAt = new TreeMap<>();
    private Turn turn;

    Allocation(Turn turn) {
        this.turn = turn;
    }

    /** @param egress where the direction ends, if that is known now */
    void take(Numbers numbers, Optional<String> egress) {
        groups.set(numbers.group());
        windows.set(numbers.window());
        egress.ifPresent(node -> at(node).set(numbers.window()));
    }

    private BitSet at(String egress) {
        return windowsAt.computeIfAbsent(egress, none -> new BitSet());
    }

    /** Whether another direction has the group, or the window at this egress. */
    boolean taken(Numbers numbers, Optional<String> egress) {
        return groups.get(numbers.group())
                || egress.filter(node -> at(node).get(numbers.window())).isPresent();
    }

    /**
     * Numbers for a direction that ends at this node.
     *
     * @throws ProblemException if it ends as many flows as it can
     */
    Numbers next(String egress) {
        int group = free(groups, turn.group(), 1, Numbers.MAX_GROUP + 1);
        int window = free(windows, turn.window(), 0, Numbers.WINDOWS);
        window = window < Numbers.WINDOWS ? window : free(at(egress), turn.window(), 0, Numbers.WINDOWS);
        if (window >= Numbers.WINDOWS || group > Numbers.MAX_GROUP) {
            throw new ProblemException(new Problem(
                    Problem.Code.UNFEASIBLE,
                    "/to",
                    window >= Numbers.WINDOWS
                            ? Numbers.WINDOWS + " flows end at " + egress
                                    + " already, which is all that a node remembers"
                            : "all " + Numbers.MAX_GROUP + " flows are in use",
                    "remove one first"));
        }
        Numbers numbers = new Numbers(group, window);
        take(numbers, Optional.of(egress));
        turn = Turn.after(numbers);
        return numbers;
    }

    /** The next in turn; {@code end} or more if there is none. */
    private static int free(BitSet taken, int turn, int first, int end) {
        int next = taken.nextClearBit(turn);
        return next < end ? next : taken.nextClearBit(first);
    }

    /** Whose turn it is then. */
    Turn turn() {
        return turn;
    }
}
