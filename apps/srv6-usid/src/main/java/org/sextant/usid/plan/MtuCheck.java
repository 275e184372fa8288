// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;

/**
 * Whether every link on the way takes an inner packet of the usual size with the outer headers on. Nobody may fragment
 * on the way (RFC 8200, 5), so a link that is too small drops such packets.
 */
record MtuCheck(Network network, Findings findings) {
    /** What hosts send unless configured otherwise: Ethernet's MTU. */
    private static final int INNER_BYTES = 1500;

    ObjectNode json(Planned one) {
        int needed = INNER_BYTES + one.encapsulation().bytes();
        List<Link> known = network.links().stream()
                .filter(link -> link.mtuBytes() > 0 && one.trace().links().contains(link.id()))
                .toList();
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("innerBytes", INNER_BYTES).put("neededForInnerBytes", needed);
        known.stream().mapToInt(Link::mtuBytes).min().ifPresent(smallest -> json.put("smallest", smallest));
        ArrayNode lacking = json.putArray("lackingLinks");
        known.stream().filter(link -> link.mtuBytes() < needed).forEach(link -> {
            lacking.addObject().put("link", link.id()).put("mtuBytes", link.mtuBytes()).put("neededBytes", needed);
            findings.warn("link " + link.id() + " takes packets of " + link.mtuBytes() + " bytes, but an inner packet of " + INNER_BYTES + " bytes needs " + needed
                    + ": raise its MTU, or let hosts send at most " + (link.mtuBytes() - one.encapsulation().bytes()) + " bytes");
        });
        return json;
    }
}
