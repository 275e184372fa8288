// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.kit.app.ProbeLoad;

/**
 * The most that probes of all apps are on the ports of a network, in bits per second: for ports whose nodes do not
 * count probes separately.
 *
 * @param in by the port that receives them
 * @param out by the port that sends them
 */
record Probes(Map<Link.End, Long> in, Map<Link.End, Long> out) {
    Probes {
        in = Map.copyOf(in);
        out = Map.copyOf(out);
    }

    static Probes of(Network network, Collection<ProbeLoad> apps) {
        Map<String, Long> load = new HashMap<>();
        apps.forEach(app -> app.bitsPerSecond().forEach((link, bits) -> load.merge(link, bits, Long::sum)));
        Map<Link.End, Long> in = new HashMap<>();
        Map<Link.End, Long> out = new HashMap<>();
        for (Link link : load.isEmpty() ? List.<Link>of() : network.links()) {
            Long bits = load.get(link.id());
            if (bits != null) {
                out.put(link.from(), bits);
                in.put(link.to(), bits);
            }
        }
        return new Probes(in, out);
    }

    /** The probes in the traffic of a port, which is their most. */
    Rates.Rate of(Link.End port, Rates.Rate carried) {
        return carried.most(new Rates.Rate(in.getOrDefault(port, 0L), out.getOrDefault(port, 0L)));
    }
}
