// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sextant.core.net.Link;
import org.sextant.core.underlay.Underlay;

/**
 * Checks that every link of the path carries an inner packet of the usual size with the outer headers. Routers never
 * fragment (RFC 8200, 5), so a link with a smaller MTU drops such packets.
 *
 * @param known the links of the path whose MTU is known
 */
public record MtuCheck(int encapsulationBytes, List<Link> known) {
    /** Ethernet's MTU, the packet size of hosts by default. */
    private static final int INNER_BYTES = 1500;
    /** The smallest MTU of IPv6 (RFC 8200, 5): hosts may be configured to send no more, but need not be. */
    private static final int SMALLEST_BYTES = 1280;

    public static MtuCheck of(int encapsulationBytes, Collection<String> links, Underlay underlay) {
        return new MtuCheck(
                encapsulationBytes,
                links.stream()
                        .map(underlay::link)
                        .flatMap(Optional::stream)
                        .filter(link -> link.mtuBytes() > 0)
                        .toList());
    }

    private int needed() {
        return INNER_BYTES + encapsulationBytes;
    }

    private List<Link> lacking() {
        return known.stream().filter(link -> link.mtuBytes() < needed()).toList();
    }

    /** One warning per size that is too small, the smallest first. */
    public void warn(Findings findings) {
        lacking().stream()
                .collect(Collectors.groupingBy(
                        Link::mtuBytes, TreeMap::new, Collectors.mapping(Link::id, Collectors.toList())))
                .forEach((mtuBytes, links) -> findings.warn(warning(mtuBytes, links)));
    }

    private String warning(int mtuBytes, List<String> links) {
        boolean one = links.size() == 1;
        int left = mtuBytes - encapsulationBytes;
        return (one ? "link " : "links ") + String.join(", ", links) + (one ? " takes" : " take") + " packets of "
                + mtuBytes
                + " bytes, but an inner packet of " + INNER_BYTES + " bytes needs " + needed() + ": raise "
                + (one ? "its" : "their") + " MTU"
                + (left >= SMALLEST_BYTES
                        ? ", or let hosts send at most " + left + " bytes"
                        : " (" + left + " bytes are left, and IPv6 hosts send " + SMALLEST_BYTES + " at least)");
    }

    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("innerBytes", INNER_BYTES)
                .put("neededForInnerBytes", needed());
        known.stream().mapToInt(Link::mtuBytes).min().ifPresent(smallest -> json.put("smallest", smallest));
        ArrayNode lacking = json.putArray("lackingLinks");
        lacking()
                .forEach(link -> lacking.addObject()
                        .put("link", link.id())
                        .put("mtuBytes", link.mtuBytes())
                        .put("neededBytes", needed()));
        return json;
    }
}
