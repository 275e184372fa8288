// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Plan;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;

/**
 * The plans that a change of the network can affect. When something was only lost, a plan that did not lean on it is
 * still right; when something came or changed, any plan may have a better one.
 *
 * @param everything every plan may change
 * @param lost names of nodes and ids of links; plans that depend on one of them may change
 * @param others names of nodes that came, went, or are described otherwise
 */
record NetworkChange(boolean everything, Set<String> lost, Set<String> others) {
    static final NetworkChange NONE = new NetworkChange(false, Set.of(), Set.of());

    static NetworkChange between(Network before, Network after) {
        if (before.equals(after)) {
            return NONE;
        }
        Set<String> lost = new HashSet<>();
        boolean everything = !before.hosts().equals(after.hosts());
        everything |= nodes(before, after, lost);
        everything |= links(before, after, lost);
        return new NetworkChange(everything, lost, others(before, after));
    }

    boolean touches(Plan plan) {
        Dependence dependence = plan.dependsOn();
        return dependence.hopes() ? everything || dependence.leansOn(lost) : dependence.leansOn(others);
    }

    private static Set<String> others(Network before, Network after) {
        Set<String> names = new HashSet<>(before.nodes().keySet());
        names.addAll(after.nodes().keySet());
        names.removeIf(name -> described(before.nodes().get(name))
                .equals(described(after.nodes().get(name))));
        return names;
    }

    /** All of a node but where it is and how it is connected. */
    private static Optional<Node> described(@Nullable Node node) {
        return Optional.ofNullable(node)
                .map(known -> new Node(
                        known.name(),
                        known.deviceId(),
                        known.management(),
                        known.pipeconf(),
                        known.srv6(),
                        new TreeMap<>(),
                        Optional.empty()));
    }

    private static boolean nodes(Network before, Network after, Set<String> lost) {
        boolean more = !before.nodes().keySet().containsAll(after.nodes().keySet());
        for (Node was : before.nodes().values()) {
            Node is = after.nodes().get(was.name());
            if (is == null) {
                lost.add(was.name());
            } else if (!is.equals(was)) {
                if (onlyPortsWentDown(was, is)) {
                    lost.add(was.name());
                } else {
                    more = true;
                }
            }
        }
        return more;
    }

    private static boolean onlyPortsWentDown(Node was, Node is) {
        SortedMap<Integer, Port> ports = new TreeMap<>(was.ports());
        ports.replaceAll((number, port) -> {
            Port now = is.ports().get(number);
            return now != null && !now.up() ? port.withUp(false) : port;
        });
        return new Node(was.name(), was.deviceId(), was.management(), was.pipeconf(), was.srv6(), ports, was.location())
                .equals(is);
    }

    private static boolean links(Network before, Network after, Set<String> lost) {
        Map<String, Link> now = new HashMap<>();
        after.links().forEach(link -> now.put(link.id(), link));
        boolean more = false;
        for (Link was : before.links()) {
            Link is = now.remove(was.id());
            if (is == null || is.equals(down(was))) {
                if (was.up()) {
                    lost.add(was.id());
                }
            } else if (!is.equals(was)) {
                more = true;
            }
        }
        return more || now.values().stream().anyMatch(Link::up);
    }

    private static Link down(Link link) {
        return link.withUp(false);
    }
}
