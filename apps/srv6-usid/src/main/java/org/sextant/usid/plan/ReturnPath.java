// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Link;
import org.sextant.core.net.Node;
import org.sextant.core.sid.Atom;
import org.sextant.core.sid.Fib;
import org.sextant.core.sid.Header;
import org.sextant.core.sid.Payload;
import org.sextant.core.sid.Trace;
import org.sextant.core.sid.Walk;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;

/**
 * The return path of probes from the end of a path: over its own links in reverse, so that the result concerns this
 * path only. Otherwise a link that fails in both directions would bring down all paths whose probes the underlay
 * returns over it.
 *
 * @param allowed the links of the path, in reverse
 */
record ReturnPath(Underlay underlay, Fib fib, Node headend, Set<String> allowed) {
    static ReturnPath of(PlannedPath path, Underlay underlay) {
        Set<String> allowed = path.trace().links().stream()
                .flatMap(id -> underlay.link(id).stream())
                .map(link -> link.to() + "-" + link.from())
                .collect(Collectors.toUnmodifiableSet());
        return new ReturnPath(
                underlay, path.branch().fib(underlay), path.direction().headend(), allowed);
    }

    /**
     * The atoms from the egress on, before that of the headend. As few as possible: each leads as far back as the
     * underlay stays on the path; where the underlay leaves it at once, the link is pinned. Empty if no such path
     * exists.
     *
     * @param nodes of the path, the headend first
     * @param before the atoms up to the egress; if they end in the egress's uSID, a pinned link there joins it
     */
    Optional<List<Atom>> from(List<String> nodes, List<Atom> before) {
        List<Atom> atoms = new ArrayList<>(before);
        int at = nodes.size() - 1;
        while (at > 0) {
            int next = farthest(nodes, at);
            if (next < 0) {
                Optional<Atom> pinned = pinned(nodes.get(at), nodes.get(at - 1));
                if (pinned.isEmpty()) {
                    return Optional.empty();
                }
                if (atoms.get(atoms.size() - 1).equals(usid(nodes.get(at)))) {
                    atoms.remove(atoms.size() - 1);
                }
                atoms.add(pinned.get());
                next = at - 1;
            } else if (next > 0) {
                atoms.add(usid(nodes.get(next)));
            }
            at = next;
        }
        return Optional.of(atoms);
    }

    /** The node nearest to the headend that the underlay reaches over allowed links only; -1 if there is none. */
    private int farthest(List<String> nodes, int at) {
        for (int next = 0; next < at; next++) {
            if (plan(nodes.get(next)).isEmpty()) {
                continue; // it only forwards
            }
            Trace trace = underlayFrom(nodes.get(at), nodes.get(next));
            if (trace.arrives() && allowed.containsAll(trace.links())) {
                return next;
            }
        }
        return -1;
    }

    /** The underlay's trace of packets from one node to another. */
    private Trace underlayFrom(String node, String to) {
        Ipv6 end = (Ipv6) plan(to).orElseThrow().marker(Family.IPV6).sid().address();
        return Walk.from(
                fib, node, new Header(end, Optional.empty(), Header.DEFAULT_HOP_LIMIT, Payload.of(Family.IPV6)));
    }

    /** The underlay's trace back from the egress, over any links. */
    Trace underlayFrom(Node egress) {
        return underlayFrom(egress.name(), headend.name());
    }

    private Optional<Atom> pinned(String node, String next) {
        return plan(node).flatMap(plan -> pinned(plan, node, next));
    }

    private Optional<Atom> pinned(SidPlan plan, String node, String next) {
        return allowed.stream()
                .sorted()
                .flatMap(id -> underlay.link(id).stream())
                .filter(link -> link.up()
                        && link.from().node().equals(node)
                        && link.to().node().equals(next))
                .findFirst()
                .map(Link::from)
                .map(from ->
                        Atom.Compressed.of(plan.srv6().block(), plan.format(), plan.usid(), plan.uaUsid(from.port())));
    }

    private Atom usid(String node) {
        SidPlan plan = plan(node).orElseThrow();
        return Atom.Compressed.of(plan.srv6().block(), plan.format(), plan.usid());
    }

    private Optional<SidPlan> plan(String node) {
        return underlay.network().node(node).flatMap(SidPlan::of);
    }
}
