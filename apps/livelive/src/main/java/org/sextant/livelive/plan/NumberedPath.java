// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.livelive.path.LinkPath;

/**
 * A path and its number at both ends.
 *
 * @param number 1 to 15
 * @param pointer the field of the flow that requested it
 */
public record NumberedPath(int number, LinkPath path, String pointer) {
    static final int MOST = 15;

    /**
     * Numbers paths by the index of their first link among all links of the ingress, up or down. A path thus keeps its
     * number, its counters and its history when another one fails. If that number is taken or too large, it gets the
     * smallest free one.
     */
    static List<NumberedPath> number(List<LinkPath> paths, Network network) {
        BitSet taken = new BitSet();
        List<Integer> numbers = new ArrayList<>();
        for (LinkPath path : paths) {
            int place = 1
                    + network.linksFrom(path.nodes().get(0))
                            .indexOf(path.links().get(0));
            boolean usable = place > 0 && place <= MOST && !taken.get(place);
            numbers.add(usable ? place : 0);
            taken.set(usable ? place : 0);
        }
        taken.set(0);
        List<NumberedPath> numbered = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            int number = numbers.get(i) > 0 ? numbers.get(i) : taken.nextClearBit(1);
            taken.set(number);
            numbered.add(new NumberedPath(number, paths.get(i), "/paths"));
        }
        return numbered.stream()
                .sorted((a, b) -> Integer.compare(a.number, b.number))
                .toList();
    }

    /** The path over the same links in reverse; empty if one of them has no reverse. */
    Optional<NumberedPath> reversed(Network network) {
        List<Link> back = new ArrayList<>();
        for (Link link : path.links()) {
            Optional<Link> reverse = network.linksFrom(link.to().node()).stream()
                    .filter(other -> other.up()
                            && other.from().equals(link.to())
                            && other.to().equals(link.from()))
                    .findFirst();
            if (reverse.isEmpty()) {
                return Optional.empty();
            }
            back.add(0, reverse.get());
        }
        return Optional.of(new NumberedPath(number, new LinkPath(back), pointer));
    }
}
