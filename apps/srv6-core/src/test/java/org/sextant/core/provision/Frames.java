// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.table.Entry;
import org.sextant.core.table.NextHop;
import org.sextant.core.table.Route;

/**
 * The forwarding of packets to attached hosts by a node at every step of a change: its rows, and the target of a packet
 * to each address after each update.
 */
final class Frames {
    private final String node;
    private final Map<Entry.Key, Entry> rows;

    /** The target of a frame: a port and a MAC address. */
    record Target(int port, MacAddress destination) {}

    /** Addresses of nodes; they have routes as hosts have. */
    private final Set<IpAddress> sources = new HashSet<>();

    Frames(String node, SortedMap<Entry.Key, Entry> held, Network network) {
        this.node = node;
        network.nodes().values().forEach(n -> n.srv6().ifPresent(srv6 -> sources.add(srv6.encapSource())));
        this.rows = new HashMap<>(held);
    }

    /**
     * Plays the updates and returns every step at which a packet would be dropped, or sent to a host that neither was
     * nor will be the owner of its address.
     */
    List<String> wrong(List<FakeDataPlane.Done> log, Network before, Network after) {
        List<String> wrong = new ArrayList<>();
        for (FakeDataPlane.Done done : log) {
            if (done.node().equals(node) && done.ok()) {
                carryOut(done);
                judge(done, targets(before), targets(after), wrong);
            }
        }
        return wrong;
    }

    private void carryOut(FakeDataPlane.Done done) {
        if (done.operation() == Operation.DELETE) {
            rows.remove(done.entry().key());
        } else {
            rows.put(done.entry().key(), done.entry());
        }
    }

    private Map<IpAddress, Target> targets(Network network) {
        Map<IpAddress, Target> targets = new HashMap<>();
        for (Host host : network.hosts().values()) {
            Link.End location = host.location();
            if (location.node().equals(node)) {
                host.addresses()
                        .forEach(address -> targets.put(
                                address, new Target(location.port(), host.mac().orElseThrow())));
            }
        }
        return targets;
    }

    private void judge(
            FakeDataPlane.Done step, Map<IpAddress, Target> before, Map<IpAddress, Target> after, List<String> wrong) {
        Map<IpAddress, Set<Target>> now = now();
        now.keySet().removeIf(address -> sources.contains(address));
        now.forEach((address, targets) -> targets.forEach(target -> {
            if (!target.equals(before.get(address)) && !target.equals(after.get(address))) {
                wrong.add(step + ": " + address + " goes to " + target);
            }
        }));
        before.keySet().stream()
                .filter(after::containsKey)
                .filter(address -> now.getOrDefault(address, Set.of()).isEmpty())
                .forEach(address -> wrong.add(step + ": " + address + " goes nowhere"));
    }

    /** The present targets of packets to each address that the node routes to a host. */
    private Map<IpAddress, Set<Target>> now() {
        Map<IpAddress, Set<Target>> now = new HashMap<>();
        for (Entry row : rows.values()) {
            if (row instanceof Route route
                    && route.destination().length()
                            == route.destination().address().bits()) {
                Set<Target> targets = now.computeIfAbsent(
                        route.destination().address(),
                        address -> new TreeSet<>((a, b) -> a.toString().compareTo(b.toString())));
                for (Route.Member member : route.members()) {
                    rows.values().stream()
                            .filter(other -> other instanceof NextHop hop && hop.id() == member.nextHop())
                            .map(NextHop.class::cast)
                            .forEach(hop -> targets.add(new Target(hop.port(), hop.destination())));
                }
            }
        }
        return now;
    }
}
