// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * In which order nodes change their routes to one destination, so that no packet goes in circles while some have changed and
 * others have not (microloops; RFC 5715, RFC 6976 orders likewise, by trees). A node changes after all nodes on its new ways that
 * change, too. At every moment, then, whoever has changed sends over such as have changed or need not, to the end; whoever has
 * not sends by the old routes, until a packet meets one that has. Both parts are without circles, and no packet goes back from
 * the second to the first: whatever changed, with equally short ways, and whichever node of a rank is first.
 *
 * <pre>
 *   a - b - c     a-b is lost: a will send to b over f, e, d, c
 *   |       |     d  keeps its route
 *   f - e - d     e  rank 0     f  rank 1     a  rank 2
 * </pre>
 *
 * Not safe for many threads.
 */
final class Ranks {
    private static final int BEING_ASKED = -1;

    private final Set<String> changing;
    private final Function<String, Collection<String>> next;
    private final Map<String, Integer> ranks = new HashMap<>();

    /** @param next the nodes to which one will send when all have changed */
    Ranks(Set<String> changing, Function<String, Collection<String>> next) {
        this.changing = changing;
        this.next = next;
    }

    /** How many steps there are before it is the node's turn. If the new ways are no order at all, somebody of them is first. */
    int of(String node) {
        Integer known = ranks.get(node);
        if (known != null) {
            return Math.max(known, 0);
        }
        ranks.put(node, BEING_ASKED);
        int rank = 0;
        for (String one : next.apply(node)) {
            rank = Math.max(rank, of(one) + (changing.contains(one) ? 1 : 0));
        }
        ranks.put(node, rank);
        return rank;
    }
}
