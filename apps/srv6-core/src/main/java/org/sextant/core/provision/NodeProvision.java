// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.underlay.SidPlan;

/**
 * All of the network that one node's provisioning depends on; if this is equal, its entries are.
 *
 * @param sids empty for a node without SRv6 configuration, which forwards IPv6 all the same
 * @param neighbors nodes over links that are up and whose MAC addresses are known at both ends, by port
 * @param waitToRestore for how long its ports to links wait when their carrier is back; zero: they do not
 * @param hosts attached hosts whose MAC address is known, by next hop id
 */
public record NodeProvision(
        String node,
        Optional<SidPlan> sids,
        List<Neighbor> neighbors,
        List<AttachedHost> hosts,
        Routes routes,
        NodeEdge edge,
        Duration waitToRestore) {

    public NodeProvision {
        neighbors = List.copyOf(neighbors);
        hosts = List.copyOf(hosts);
    }

    /** The addresses of a frame to the neighbor over {@code port}. */
    record Neighbor(int port, MacAddress source, MacAddress destination) {}

    /** A host behind a port of the node. */
    record AttachedHost(int nextHop, int port, MacAddress source, MacAddress destination, List<IpAddress> addresses) {}
}
