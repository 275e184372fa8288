// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.passage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Host;
import org.sextant.core.net.Network;

/** The hosts that a network's nodes deliver to, all of them in VRF 0. */
public final class AttachedHosts implements Passages.LocalHosts {
    private final Map<String, List<IpAddress>> byNode = new HashMap<>();

    public AttachedHosts(Network network) {
        for (Host host : network.hosts().values()) {
            byNode.computeIfAbsent(host.location().node(), node -> new ArrayList<>())
                    .addAll(host.addresses());
        }
    }

    @Override
    public List<IpAddress> within(Place place, IpPrefix prefix) {
        return place.vrf() != 0
                ? List.of()
                : byNode.getOrDefault(place.node(), List.of()).stream()
                        .filter(prefix::contains)
                        .toList();
    }
}
