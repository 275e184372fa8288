// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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
 * still right; when links came or changed, so is a plan whose paths cost less than any path over these links.
 *
 * @param everything every plan may change
 * @param touched names of nodes and ids of links that went or changed, or are overloaded where other paths may be possible now; plans
 *     that depend on one of them may change
 * @param others names of nodes that came, went, or are described otherwise
 * @param came links as they are now, which were not there or down, or had other metrics or attributes
 */
record NetworkChange(boolean everything, Set<String> touched, Set<String> others, List<Link> came) {
    static final NetworkChange NONE = new NetworkChange(false, Set.of(), Set.of(), List.of());

    /** The most links that are worth checking one by one: those of two nodes with 16 neighbors. */
    private static final int MOST_LINKS = 64;

    static NetworkChange between(Network before, Network after) {
        if (after.routesAs(before)) {
            return NONE;
        }
        Set<String> touched = new HashSet<>();
        List<Link> came = new ArrayList<>();
        boolean everything = !before.hosts().equals(after.hosts());
        everything |= nodes(before, after, touched);
        everything |= links(before, after, touched, came);
        everything |= came.size() > MOST_LINKS;
        return new NetworkChange(everything, touched, others(before, after), came);
    }

    /** @param over of the links that came */
    boolean touches(Plan plan, PathsOverLinks over) {
        Dependence dependence = plan.dependsOn();
        if (!dependence.hopes()) {
            return dependence.leansOn(others);
        }
        return everything || dependence.leansOn(touched) || !came.isEmpty() && dependence.mayUse(over::reach);
    }

    private static Set<String> others(Network before, Network after) {
        Set<String> names = new HashSet<>(before.nodes().keySet());
        names.addAll(after.nodes().keySet());
        names.removeIf(name -> described(before.nodes().get(name))
                .equals(described(after.nodes().get(name))));
        return names;
    }

    /** All properties of a node except its location and its links. */
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

    private static boolean nodes(Network before, Network after, Set<String> touched) {
        boolean more = !before.nodes().keySet().containsAll(after.nodes().keySet());
        for (Node was : before.nodes().values()) {
            Node is = after.nodes().get(was.name());
            if (is == null) {
                touched.add(was.name());
            } else if (!is.equals(was)) {
                if (onlyPortsWentUpOrDown(was, is)) {
                    touched.add(was.name());
                } else {
                    more = true;
                }
            }
        }
        return more;
    }

    private static boolean onlyPortsWentUpOrDown(Node was, Node is) {
        SortedMap<Integer, Port> ports = new TreeMap<>(was.ports());
        ports.replaceAll((number, port) -> {
            Port now = is.ports().get(number);
            return now != null ? port.withUp(now.up()) : port;
        });
        return new Node(was.name(), was.deviceId(), was.management(), was.pipeconf(), was.srv6(), ports, was.location())
                .equals(is);
    }

    /** The nodes at both ends of a link that came count as touched: a path over one of them may use its adjacency, or both links. */
    private static boolean links(Network before, Network after, Set<String> touched, List<Link> came) {
        Map<String, Link> now = new HashMap<>();
        after.links().forEach(link -> now.put(link.id(), link));
        boolean more = false;
        for (Link was : before.links()) {
            Link is = now.remove(was.id());
            if (was.equals(is)) {
                metric(before.routedMetric(was), after.routedMetric(is), is, touched, came);
                continue;
            }
            if (was.up()) {
                touched.add(was.id());
            }
            if (is != null && is.up()) {
                came.add(is);
            } else if (is != null && !is.equals(was.withUp(false))) {
                more = true;
            }
        }
        now.values().stream().filter(Link::up).forEach(came::add);
        came.forEach(
                link -> touched.addAll(List.of(link.from().node(), link.to().node())));
        if (!came.isEmpty() || !before.drained().equals(after.drained())) {
            overloaded(after, touched);
        }
        return more;
    }

    /** A link whose node is drained costs more in routes, and is as one that went; afterwards it is as one that came. */
    private static void metric(int was, int is, Link link, Set<String> touched, List<Link> came) {
        if (link.up() && was != is) {
            touched.add(link.id());
            if (is < was) {
                came.add(link);
            }
        }
    }

    /** A plan over one of these nodes may become one without it, though that costs more. */
    private static void overloaded(Network network, Set<String> touched) {
        for (String node : network.overloads().keySet()) {
            touched.add(node);
            network.linksFrom(node).forEach(link -> touched.add(link.id()));
        }
    }
}
