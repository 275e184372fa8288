// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.sextant.core.intent.Reservation;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;

/**
 * The reservations of links, as REST and CLI show them: for each direction whose capacity is known, or which has a
 * reservation.
 */
public final class BandwidthView {
    private BandwidthView() {}

    public static ObjectNode of(Network network, List<Reservation> reservations) {
        Map<String, List<Reservation>> byLink = reservations.stream().collect(Collectors.groupingBy(Reservation::link));
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        ArrayNode links = view.putArray("links");
        for (Link link : network.links()) {
            List<Reservation> shares = byLink.getOrDefault(link.id(), List.of());
            if (link.capacityKbps() > 0 || !shares.isEmpty()) {
                links.add(one(link, shares));
            }
        }
        return view;
    }

    private static ObjectNode one(Link link, List<Reservation> shares) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("id", link.id())
                .put("capacityKbps", link.capacityKbps())
                .put(
                        "reservedKbps",
                        shares.stream().mapToLong(Reservation::kbps).sum());
        ArrayNode reservations = view.putArray("reservations");
        shares.forEach(share -> reservations
                .addObject()
                .put("kind", share.intent().kind())
                .put("id", share.intent().id())
                .put("kbps", share.kbps())
                .put("setupPriority", share.standing().setup())
                .put("holdPriority", share.standing().hold()));
        return view;
    }
}
