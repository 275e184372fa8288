// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.probe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.sextant.core.intent.Plan;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Host;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;
import org.sextant.core.net.Srv6;
import org.sextant.core.passage.Place;
import org.sextant.core.table.Steering;

/**
 * One steering entry of a policy, and the ping that tests it: from its headend to a host in the prefix.
 *
 * @param destination empty if no host there is known
 * @param source an address of the headend to which replies are routed; empty if it has none
 */
record ProbeTarget(String headend, IpPrefix prefix, Optional<Destination> destination, Optional<IpAddress> source) {

    /** @param host the known host with that address, if any */
    record Destination(IpAddress address, Optional<Host> host) {}

    /** True if its packets bypass the policy: its headend has a more specific route. */
    boolean beside() {
        return destination
                .flatMap(Destination::host)
                .filter(host -> isAt(headend, host))
                .isPresent();
    }

    private static boolean isAt(String node, Host host) {
        return host.location().node().equals(node);
    }

    /**
     * The targets of a plan, in its order.
     *
     * @param wanted the addresses to probe; entries that contain none of them are left out. Empty: a known host of each
     *     entry
     */
    static List<ProbeTarget> of(Plan plan, Network network, List<IpAddress> wanted) {
        List<ProbeTarget> targets = new ArrayList<>();
        for (Plan.Placed placed : plan.entries()) {
            if (placed.entry() instanceof Steering steering) {
                IpPrefix prefix = steering.destination();
                Optional<Destination> destination =
                        wanted.stream().filter(prefix::contains).findFirst().map(address -> named(address, network));
                if (wanted.isEmpty() || destination.isPresent()) {
                    targets.add(new ProbeTarget(
                            placed.node(),
                            prefix,
                            destination.or(() -> somebody(placed.node(), prefix, plan, network)),
                            source(placed.node(), prefix, plan, network)));
                }
            }
        }
        return List.copyOf(targets);
    }

    private static Destination named(IpAddress address, Network network) {
        return new Destination(
                address,
                network.hosts().values().stream()
                        .filter(host -> host.addresses().contains(address))
                        .findFirst());
    }

    /** A host at the policy's end, if there is one: the egress may have no route to others. */
    private static Optional<Destination> somebody(String headend, IpPrefix prefix, Plan plan, Network network) {
        Set<String> ends = plan.passages().stream()
                .filter(way -> way.from().node().equals(headend)
                        && way.packets().destination().equals(prefix))
                .flatMap(way -> way.exits().stream().map(Place::node))
                .collect(Collectors.toSet());
        return network.hosts().values().stream()
                .filter(host -> !isAt(headend, host))
                .sorted(Comparator.comparing(
                        host -> !ends.contains(host.location().node())))
                .flatMap(host -> host.addresses().stream()
                        .filter(prefix::contains)
                        .map(address -> new Destination(address, Optional.of(host))))
                .findFirst();
    }

    /**
     * Other nodes have a route to the source of a node's outer headers, but to an address of one of its ports only if
     * the policy steers it back.
     */
    private static Optional<IpAddress> source(String headend, IpPrefix towards, Plan plan, Network network) {
        Optional<Node> node = network.node(headend);
        Optional<IpAddress> steeredBack = node.stream()
                .flatMap(known -> known.ports().values().stream())
                .filter(Port::up)
                .flatMap(port -> port.addresses().stream())
                .map(Port.InterfaceAddress::address)
                .filter(address -> address instanceof Ipv6 == towards.isIpv6())
                .filter(address -> plan.entries().stream()
                        .anyMatch(placed -> !placed.node().equals(headend)
                                && placed.entry() instanceof Steering back
                                && back.destination().contains(address)))
                .findFirst();
        return steeredBack.or(
                () -> towards.isIpv6() ? node.flatMap(Node::srv6).map(Srv6::encapSource) : Optional.empty());
    }
}
