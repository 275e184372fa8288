// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ProblemException;
import org.sextant.core.net.Node;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.kit.path.AtomPath;
import org.sextant.kit.path.FirewallHandle;
import org.sextant.kit.path.Firewalls;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Resolver;
import org.sextant.kit.path.Resolver.End;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Between;
import org.sextant.usid.Policy.Symmetry;
import org.sextant.usid.plan.Direction.Branch;

/** The directions of the host-to-host form: two ends and the nodes between. */
final class HostToHostDirections {
    private static final String BEGIN = "begin the list with ";
    private static final String END = "end the list with ";

    private final Policy policy;
    private final Between form;
    private final Underlay underlay;
    private final Findings findings;
    private final List<Wall> walls;
    private final Resolver resolver;

    HostToHostDirections(Policy policy, Between form, Underlay underlay, Findings findings, Firewalls firewalls) {
        this.policy = policy;
        this.form = form;
        this.underlay = underlay;
        this.findings = findings;
        this.walls = walls(form.firewalls(), firewalls, findings);
        this.resolver = new Resolver(underlay.network(), findings);
    }

    /** In any order; incomplete if there are problems. */
    List<Direction> all() {
        Optional<End> from = resolver.end(form.from(), "/from");
        Optional<End> to = resolver.end(form.to(), "/to");
        List<Indexed> nodes = nodes(form.nodes(), "/nodes");
        List<Indexed> back = form.back().symmetry() == Symmetry.ASYMMETRIC
                ? nodes(form.back().nodes(), "/returnNodes")
                : reversed(nodes);
        if (!findings.clean()) {
            return List.of();
        }
        attached(from.get(), "/from", nodes.get(0), BEGIN);
        attached(to.get(), "/to", last(nodes), END);
        List<Family> families = families(from.get(), to.get());
        AtomPath forward = through(nodes);
        List<Direction> directions = new ArrayList<>(directions(from.get(), to.get(), forward, "/nodes", families, 0));
        if (form.back().symmetry() != Symmetry.ONE_WAY && findings.clean()) {
            String pointer = form.back().symmetry() == Symmetry.ASYMMETRIC ? "/returnNodes" : "/nodes";
            attached(to.get(), "/to", back.get(0), BEGIN);
            attached(from.get(), "/from", last(back), END);
            directions.addAll(directions(to.get(), from.get(), through(back), pointer, families, 1));
        }
        return directions;
    }

    /** A node and the field that names it. */
    private record Indexed(Node node, String pointer) {}

    private List<Indexed> nodes(List<Waypoint> waypoints, String field) {
        List<Indexed> nodes = new ArrayList<>();
        for (int i = 0; i < waypoints.size(); i++) {
            String pointer = field + "/" + i;
            resolver.node(waypoints.get(i), pointer).ifPresent(node -> nodes.add(new Indexed(node, pointer)));
        }
        return nodes;
    }

    /** A firewall, its SID's arguments, and the field that names it. */
    private record Wall(FirewallHandle handle, int args, String pointer) {}

    private static List<Wall> walls(List<Hop.Firewall> named, Firewalls firewalls, Findings findings) {
        List<Wall> found = new ArrayList<>();
        for (int i = 0; i < named.size(); i++) {
            String pointer = "/firewalls/" + i;
            try {
                found.add(new Wall(
                        firewalls.find(named.get(i).id(), pointer), named.get(i).args(), pointer));
            } catch (ProblemException e) {
                findings.add(e.problems());
            }
        }
        return found;
    }

    private static List<Indexed> reversed(List<Indexed> nodes) {
        List<Indexed> reversed = new ArrayList<>(nodes);
        Collections.reverse(reversed);
        return reversed;
    }

    private static Indexed last(List<Indexed> nodes) {
        return nodes.get(nodes.size() - 1);
    }

    private AtomPath through(List<Indexed> nodes) {
        AtomPath path = new AtomPath(underlay, findings, nodes.get(0).node());
        walls.forEach(wall -> visited(wall, nodes));
        for (Indexed next : nodes.subList(1, nodes.size())) {
            path.loose(next.node(), next.pointer());
            path.wentTo(next.pointer());
            for (Wall wall : walls) {
                if (wall.handle().node().equals(next.node().name()) && findings.clean()) {
                    path.through(wall.handle(), wall.args(), true, wall.pointer());
                    path.wentTo(wall.pointer());
                }
            }
        }
        return path;
    }

    /** Reports a firewall that packets of one direction do not pass. */
    private void visited(Wall wall, List<Indexed> nodes) {
        String node = wall.handle().node();
        String called = "firewall \"" + wall.handle().id() + "\" is at " + node;
        if (nodes.stream().noneMatch(one -> one.node().name().equals(node))) {
            findings.unfeasible(
                    wall.pointer(), called + ", which the path does not visit", "name " + node + " among the nodes");
        } else if (nodes.get(0).node().name().equals(node)) {
            findings.unfeasible(
                    wall.pointer(),
                    called + ", where packets to " + last(nodes).node().name()
                            + " enter: a headend does not process SIDs of its own",
                    "begin with another node, or, where only the way back begins there, write \"symmetry\": \"one-way\"");
        }
    }

    /** The families that both ends have, restricted to that of the policy. */
    private List<Family> families(End from, End to) {
        List<Family> wanted = policy.family().map(List::of).orElse(List.of(Family.values()));
        for (Family family : policy.family().stream().toList()) {
            lacks(from, family, "/from");
            lacks(to, family, "/to");
        }
        List<Family> both = wanted.stream()
                .filter(family -> Ends.has(from, family) && Ends.has(to, family))
                .toList();
        if (both.isEmpty() && findings.clean()) {
            findings.unfeasible(
                    "/to",
                    from.label() + " has " + text(from) + " addresses only and " + to.label() + " " + text(to)
                            + " ones",
                    "choose two ends with addresses of the same family");
        }
        return both;
    }

    private void lacks(End end, Family family, String field) {
        if (!Ends.has(end, family)) {
            findings.unfeasible(
                    field,
                    end.label() + " has no " + family.spelling() + " address",
                    "leave \"family\" out, or give the host an address of that family");
        }
    }

    private static String text(End end) {
        return end.prefixes().isEmpty()
                ? "no"
                : Family.of(end.prefixes().get(0)).spelling();
    }

    private List<Direction> directions(
            End from, End to, AtomPath path, String pointer, List<Family> families, int index) {
        List<Direction> directions = new ArrayList<>();
        for (Family family : families) {
            new MarkerAppender(policy.decap(), underlay, findings)
                    .close(path, family, "/decap")
                    .ifPresent(atoms -> directions.add(new Direction(
                            from.label(),
                            to.label(),
                            path.headend(),
                            family,
                            index,
                            policy.reduced(),
                            Ends.prefixes(to, family),
                            List.of(),
                            false,
                            Ends.probe(List.of(to), family),
                            List.of(new Branch(1, atoms, pointer, path.passings())))));
        }
        return directions;
    }

    private void attached(End end, String field, Indexed edge, String remedy) {
        Ends.attached(end, field, edge.node(), edge.pointer(), remedy, findings);
    }
}
