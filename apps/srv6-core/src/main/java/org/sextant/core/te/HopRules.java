// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.function.Predicate;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;

/**
 * The nodes and links that a segment list can name: a definition that path search and the compilers of explicit hops
 * share.
 *
 * @param hasSids true if the node of that name has SIDs
 */
public record HopRules(Predicate<String> hasSids) {

    /** The rules of a network, where the nodes with an SRv6 configuration have SIDs. */
    public static HopRules of(Network network) {
        return new HopRules(name ->
                network.node(name).filter(node -> node.srv6().isPresent()).isPresent());
    }

    /** True if a segment list can visit the node: its uN is one of its SIDs. */
    public boolean canVisit(String node) {
        return hasSids.test(node);
    }

    /**
     * True if a segment list can pin packets to the link. The uA is a SID of the near end alone: it sends packets over
     * a layer 3 adjacency (RFC 8986, 4.2; RFC 9800, 4.1.2), and a far end without SIDs forwards them by its routes to
     * the next SID.
     */
    public boolean canPin(Link link) {
        return link.up() && hasSids.test(link.from().node());
    }
}
