// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Node;
import org.sextant.core.sid.Atom;
import org.sextant.usid.Decap;
import org.sextant.usid.Family;
import org.sextant.usid.Hop;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Between;
import org.sextant.usid.Policy.Explicit;
import org.sextant.usid.Policy.Symmetry;
import org.sextant.usid.Waypoint;
import org.sextant.usid.plan.Direction.Branch;
import org.sextant.usid.plan.Resolver.End;

/** Resolves a policy into its directions: forward and back over IPv6, then over IPv4. Empty if there are problems. */
final class Directions {
    private static final String CHOOSE_END = "end the list with ";

    private final Policy policy;
    private final Underlay underlay;
    private final Findings findings;
    private final Resolver resolver;

    private Directions(Policy policy, Underlay underlay, Findings findings) {
        this.policy = policy;
        this.underlay = underlay;
        this.findings = findings;
        this.resolver = new Resolver(underlay.network(), findings);
    }

    static List<Direction> of(Policy policy, Underlay underlay, Findings findings) {
        Directions directions = new Directions(policy, underlay, findings);
        List<Direction> all = policy.path() instanceof Between between ? directions.between(between) : directions.explicit((Explicit) policy.path());
        return findings.clean() ? all.stream().sorted(Comparator.comparing(Direction::family).thenComparing(Direction::index)).toList() : List.of();
    }

    /** A path without its decapsulation, and which policy fields it comes from. */
    private record Way(AtomPath path, int weight, String pointer) {}

    private List<Direction> between(Between form) {
        Optional<End> from = resolver.end(form.from(), "/from");
        Optional<End> to = resolver.end(form.to(), "/to");
        List<Indexed> nodes = nodes(form.nodes(), "/nodes");
        List<Indexed> back = form.back().symmetry() == Symmetry.ASYMMETRIC ? nodes(form.back().nodes(), "/returnNodes") : reversed(nodes);
        if (!findings.clean()) {
            return List.of();
        }
        attached(from.get(), "/from", nodes.get(0), "begin the list with ");
        attached(to.get(), "/to", last(nodes), CHOOSE_END);
        List<Family> families = families(from.get(), to.get());
        Way forward = new Way(through(nodes), 1, "/nodes");
        List<Direction> directions = new ArrayList<>(directions(from.get(), to.get(), forward, families, 0));
        if (form.back().symmetry() != Symmetry.ONE_WAY && findings.clean()) {
            String pointer = form.back().symmetry() == Symmetry.ASYMMETRIC ? "/returnNodes" : "/nodes";
            attached(to.get(), "/to", back.get(0), "begin the list with ");
            attached(from.get(), "/from", last(back), CHOOSE_END);
            directions.addAll(directions(to.get(), from.get(), new Way(through(back), 1, pointer), families, 1));
        }
        return directions;
    }

    /** A node and where the policy names it. */
    private record Indexed(Node node, String pointer) {}

    private List<Indexed> nodes(List<Waypoint> waypoints, String field) {
        List<Indexed> nodes = new ArrayList<>();
        for (int i = 0; i < waypoints.size(); i++) {
            String pointer = field + "/" + i;
            resolver.node(waypoints.get(i), pointer).ifPresent(node -> nodes.add(new Indexed(node, pointer)));
        }
        return nodes;
    }

    private static List<Indexed> reversed(List<Indexed> nodes) {
        List<Indexed> reversed = new ArrayList<>(nodes);
        java.util.Collections.reverse(reversed);
        return reversed;
    }

    private static Indexed last(List<Indexed> nodes) {
        return nodes.get(nodes.size() - 1);
    }

    private void attached(End end, String field, Indexed edge, String remedy) {
        end.host().map(Host::location).map(Link.End::node).filter(node -> !node.equals(edge.node().name())).ifPresent(node -> findings.unfeasible(field,
                end.label() + " is attached to " + node + ", not to " + edge.node().name() + ", which " + edge.pointer() + " names", remedy + node
                        + ", or choose a host at " + edge.node().name()));
    }

    private AtomPath through(List<Indexed> nodes) {
        AtomPath path = new AtomPath(underlay, findings, nodes.get(0).node());
        nodes.subList(1, nodes.size()).forEach(next -> path.loose(next.node(), next.pointer()));
        return path;
    }

    /** The families that both ends have, as far as the policy wants them. */
    private List<Family> families(End from, End to) {
        List<Family> wanted = policy.family().map(List::of).orElse(List.of(Family.values()));
        for (Family family : policy.family().stream().toList()) {
            lacks(from, family, "/from");
            lacks(to, family, "/to");
        }
        List<Family> both = wanted.stream().filter(family -> has(from, family) && has(to, family)).toList();
        if (both.isEmpty() && findings.clean()) {
            findings.unfeasible("/to", from.label() + " has " + text(from) + " addresses only and " + to.label() + " " + text(to) + " ones",
                    "choose two ends with addresses of the same family");
        }
        return both;
    }

    private void lacks(End end, Family family, String field) {
        if (!has(end, family)) {
            findings.unfeasible(field, end.label() + " has no " + family.spelling() + " address", "leave \"family\" out, or give the host an address of that family");
        }
    }

    private static boolean has(End end, Family family) {
        return !prefixes(end, family).isEmpty();
    }

    private static String text(End end) {
        return end.prefixes().isEmpty() ? "no" : Family.of(end.prefixes().get(0)).spelling();
    }

    private static List<IpPrefix> prefixes(End end, Family family) {
        return end.prefixes().stream().filter(prefix -> Family.of(prefix) == family).toList();
    }

    private List<Direction> directions(End from, End to, Way way, List<Family> families, int index) {
        List<Direction> directions = new ArrayList<>();
        for (Family family : families) {
            way.path().closed(policy.decap(), family, "/decap").ifPresent(atoms -> directions.add(new Direction(from.label(), to.label(), way.path().headend(), family,
                    index, policy.reduced(), prefixes(to, family), probe(List.of(to), family), List.of(new Branch(way.weight(), atoms, way.pointer())))));
        }
        return directions;
    }

    /** An address of a host that we know, so that the walk can follow the packet to its very end. */
    private static Optional<IpAddress> probe(List<End> ends, Family family) {
        return ends.stream().filter(end -> end.host().isPresent()).flatMap(end -> prefixes(end, family).stream()).map(IpPrefix::address).findFirst();
    }

    private List<Direction> explicit(Explicit form) {
        Optional<Node> headend = resolver.node(form.headend(), "/headend");
        Optional<Node> egress = form.egress().flatMap(node -> resolver.node(node, "/egress"));
        List<End> ends = new ArrayList<>();
        for (int i = 0; i < form.steering().size(); i++) {
            resolver.end(form.steering().get(i), "/steering/" + i).ifPresent(ends::add);
        }
        if (headend.isEmpty()) {
            return List.of();
        }
        List<Way> ways = new ArrayList<>();
        for (int i = 0; i < form.lists().size(); i++) {
            boolean single = form.lists().size() == 1 && form.lists().get(0).weight() == 1;
            String pointer = single ? "/hops" : "/segmentLists/" + i + "/hops";
            ways.add(new Way(along(headend.get(), form.lists().get(i).hops(), egress, pointer), form.lists().get(i).weight(), pointer));
        }
        duplicates(ways);
        return findings.clean() ? explicit(ends, ways) : List.of();
    }

    private void duplicates(List<Way> ways) {
        for (int i = 1; i < ways.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (findings.clean() && ways.get(i).path().atoms().equals(ways.get(j).path().atoms())) {
                    findings.invalid(ways.get(i).pointer(), "this list takes the same path as list " + j, "give one list the sum of their weights");
                }
            }
        }
    }

    private AtomPath along(Node headend, List<Hop> hops, Optional<Node> egress, String field) {
        AtomPath path = new AtomPath(underlay, findings, headend);
        for (int i = 0; i < hops.size(); i++) {
            int before = findings.count();
            step(path, hops.get(i), field + "/" + i);
            if (findings.count() > before) {
                return path;
            }
        }
        if (egress.isPresent() && !path.closed() && !egress.get().name().equals(path.at().name())) {
            path.loose(egress.get(), "/egress");
        }
        ends(path, egress, field);
        return path;
    }

    private void step(AtomPath path, Hop hop, String pointer) {
        if (path.closed()) {
            findings.invalid(pointer, "the hop before decapsulates, and nothing follows behind it", "end the list there");
        } else if (hop instanceof Hop.ToNode to) {
            resolver.node(to.node(), pointer + "/node").ifPresent(node -> {
                if (to.loose()) {
                    path.loose(node, pointer + "/node");
                } else {
                    path.strict(node, pointer + "/node");
                }
            });
        } else if (hop instanceof Hop.OverLink over) {
            resolver.link(over.link(), pointer + "/link").ifPresent(link -> path.over(link, at(link.from()), at(link.to()), over.loose(), pointer + "/link"));
        } else if (hop instanceof Hop.RawSid raw) {
            new VerbatimHops(underlay, findings, path).raw(raw, pointer + "/sid");
        } else if (hop instanceof Hop.Usids list) {
            new VerbatimHops(underlay, findings, path).listed(list, pointer);
        }
    }

    private Node at(Link.End end) {
        return underlay.network().node(end.node()).orElseThrow();
    }

    /** Exactly one thing decapsulates: what the hops end in, or the marker that the policy chooses. */
    private void ends(AtomPath path, Optional<Node> egress, String field) {
        boolean none = policy.decap().marker() == Decap.Marker.NONE;
        if (findings.clean() && path.closed() != none) {
            findings.invalid("/decap", none ? field + " does not end in a SID that decapsulates" : field + " ends in a SID that decapsulates at " + path.at().name() + " already",
                    none ? "choose \"f00d\", \"uDT\" or \"numbering\"" : "write \"decap\": \"none\", or leave that SID out");
        }
        if (findings.clean() && path.closed() && egress.isPresent() && !egress.get().name().equals(path.at().name())) {
            findings.invalid("/egress", "the path ends at " + path.at().name(), "leave egress out");
        }
    }

    private List<Direction> explicit(List<End> ends, List<Way> ways) {
        Node headend = ways.get(0).path().headend();
        behind(ends, ways);
        List<Direction> directions = new ArrayList<>();
        for (Family family : Family.values()) {
            List<IpPrefix> steering = ends.stream().flatMap(end -> prefixes(end, family).stream()).distinct().toList();
            boolean wanted = policy.family().isEmpty() || policy.family().get() == family;
            if (steering.isEmpty() || !wanted) {
                continue;
            }
            List<Branch> branches = new ArrayList<>();
            ways.forEach(way -> way.path().closed(policy.decap(), family, "/decap").ifPresent(atoms -> branches.add(new Branch(way.weight(), atoms, way.pointer()))));
            String to = String.join(", ", ends.stream().filter(end -> has(end, family)).map(End::label).toList());
            directions.add(new Direction(headend.name(), to, headend, family, 0, policy.reduced(), steering, probe(ends, family), branches));
        }
        if (directions.isEmpty() && findings.clean()) {
            findings.unfeasible("/steering", "nothing to steer has an address of the family " + policy.family().map(Family::spelling).orElse(""), "leave \"family\" out, or steer another prefix");
        }
        return directions;
    }

    private void behind(List<End> ends, List<Way> ways) {
        for (int i = 0; i < ends.size(); i++) {
            for (Way way : ways) {
                Indexed egress = new Indexed(way.path().at(), way.pointer());
                attached(ends.get(i), "/steering/" + i, egress, CHOOSE_END);
            }
        }
    }
}
