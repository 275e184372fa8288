// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Node;
import org.sextant.core.table.FlowMatch;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.kit.path.AtomPath;
import org.sextant.kit.path.Bindings;
import org.sextant.kit.path.Firewalls;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Hops;
import org.sextant.kit.path.Resolver;
import org.sextant.kit.path.Resolver.End;
import org.sextant.usid.Decap;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Explicit;
import org.sextant.usid.SteeredFlow;
import org.sextant.usid.plan.Direction.Branch;

/** The directions of the general form, one per family: a headend, hops and steering. */
final class ExplicitDirections {
    private final Policy policy;
    private final Explicit form;
    private final Underlay underlay;
    private final Findings findings;
    private final Firewalls firewalls;
    private final Bindings bindings;
    private final String at;
    private final Resolver resolver;

    /** @param at the pointer of the lists of hops, unless it is the policy itself: {@code /candidatePaths/0} */
    ExplicitDirections(
            Policy policy,
            Explicit form,
            Underlay underlay,
            Findings findings,
            Firewalls firewalls,
            Bindings bindings,
            String at) {
        this.policy = policy;
        this.form = form;
        this.underlay = underlay;
        this.findings = findings;
        this.firewalls = firewalls;
        this.bindings = bindings;
        this.at = at;
        this.resolver = new Resolver(underlay.network(), findings);
    }

    /** A path without its decapsulation, and the policy field that specifies it. */
    private record Way(AtomPath path, int weight, String pointer) {}

    /** In any order; incomplete if there are problems. */
    List<Direction> all() {
        Optional<Node> headend = resolver.node(form.headend(), "/headend");
        Optional<Node> egress = form.egress().flatMap(node -> resolver.node(node, "/egress"));
        List<End> ends = new ArrayList<>();
        for (int i = 0; i < form.steering().size(); i++) {
            resolver.end(form.steering().get(i), pointer(i)).ifPresent(ends::add);
        }
        List<Flows> flows =
                form.flows().stream().map(flow -> Flows.of(flow, resolver)).toList();
        if (headend.isEmpty()) {
            return List.of();
        }
        List<Way> ways = new ArrayList<>();
        for (int i = 0; i < form.lists().size(); i++) {
            boolean single = form.lists().size() == 1 && form.lists().get(0).weight() == 1;
            String pointer = at + (single ? "/hops" : "/segmentLists/" + i + "/hops");
            ways.add(new Way(
                    along(headend.get(), form.lists().get(i).hops(), egress, pointer),
                    form.lists().get(i).weight(),
                    pointer));
        }
        if (form.gathered()) {
            merge(ways);
        } else {
            duplicates(ways);
        }
        return findings.clean() ? directions(ends, flows, ways) : List.of();
    }

    private String pointer(int end) {
        return "/steering/" + SteeredFlow.place(end, form.flows());
    }

    /** Merges equal lists into one with the sum of their weights. */
    private static void merge(List<Way> ways) {
        for (int i = ways.size() - 1; i > 0; i--) {
            Way later = ways.get(i);
            for (int j = 0; j < i; j++) {
                Way one = ways.get(j);
                if (one.path().atoms().equals(later.path().atoms())) {
                    ways.set(j, new Way(one.path(), one.weight() + later.weight(), one.pointer()));
                    ways.remove(i);
                    break;
                }
            }
        }
    }

    private void duplicates(List<Way> ways) {
        for (int i = 1; i < ways.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (findings.clean()
                        && ways.get(i).path().atoms().equals(ways.get(j).path().atoms())) {
                    findings.invalid(
                            ways.get(i).pointer(),
                            "this list takes the same path as list " + j,
                            "give one list the sum of their weights");
                }
            }
        }
    }

    private AtomPath along(Node headend, List<Hop> hops, Optional<Node> egress, String field) {
        int before = findings.count();
        AtomPath path = new Hops(underlay, findings, firewalls, bindings).from(headend, hops, field);
        if (findings.count() > before) {
            return path;
        }
        if (egress.isPresent()
                && !path.closed()
                && !egress.get().name().equals(path.at().name())) {
            path.loose(egress.get(), "/egress");
        }
        ends(path, egress, field);
        return path;
    }

    /** A path has exactly one decapsulation: the SID at the end of its hops, or the marker that the policy chooses. */
    private void ends(AtomPath path, Optional<Node> egress, String field) {
        boolean none = policy.decap().marker() == Decap.Marker.NONE;
        if (findings.clean() && path.closed() != none) {
            findings.invalid(
                    "/decap",
                    none
                            ? field + " does not end in a SID that decapsulates"
                            : field + " ends in a SID that decapsulates at "
                                    + path.at().name() + " already",
                    none
                            ? "choose \"f00d\", \"uDT\" or \"numbering\""
                            : "write \"decap\": \"none\", or leave that SID out");
        }
        if (findings.clean()
                && path.closed()
                && egress.isPresent()
                && !egress.get().name().equals(path.at().name())) {
            findings.invalid("/egress", "the path ends at " + path.at().name(), "leave egress out");
        }
    }

    private List<Direction> directions(List<End> ends, List<Flows> flows, List<Way> ways) {
        Node headend = ways.get(0).path().headend();
        behind(ends, ways);
        flows.forEach(flow -> ways.forEach(
                way -> flow.check(headend.name(), way.path().at().name(), families(), underlay, findings)));
        List<Direction> directions = new ArrayList<>();
        for (Family family : Family.values()) {
            List<IpPrefix> steering = steering(ends, family);
            boolean bound = form.bound() && family == Family.IPV6;
            List<FlowMatch> entering = families().contains(family)
                    ? flows.stream()
                            .flatMap(flow -> flow.matches(family).stream())
                            .distinct()
                            .toList()
                    : List.of();
            if (steering.isEmpty() && entering.isEmpty() && !bound) {
                continue;
            }
            if (bound && ways.stream().anyMatch(way -> !way.path().passings().isEmpty())) {
                findings.unfeasible(
                        "/bindingSid",
                        "the path goes through a firewall, and the packets that arrive with the SID are unknown",
                        "leave bindingSid out, or lead around the firewall");
            }
            List<Branch> branches = branches(ways, family);
            String to = label(ends, flows, family);
            directions.add(new Direction(
                    headend.name(),
                    to.isEmpty() ? "its binding SID" : to,
                    headend,
                    family,
                    0,
                    policy.reduced(),
                    steering,
                    entering,
                    bound,
                    Ends.probe(all(ends, flows), family),
                    branches));
        }
        if (directions.isEmpty() && findings.clean()) {
            findings.unfeasible(
                    "/steering",
                    "nothing to steer has an address of the family "
                            + policy.family().map(Family::spelling).orElse(""),
                    "leave \"family\" out, or steer another prefix");
        }
        return directions;
    }

    private List<Family> families() {
        return policy.family().map(List::of).orElseGet(() -> List.of(Family.values()));
    }

    private static List<End> all(List<End> ends, List<Flows> flows) {
        List<End> all = new ArrayList<>(ends);
        flows.forEach(flow -> flow.destination().ifPresent(all::add));
        return all;
    }

    private static String label(List<End> ends, List<Flows> flows, Family family) {
        Set<String> labels = new LinkedHashSet<>();
        ends.stream().filter(end -> Ends.has(end, family)).forEach(end -> labels.add(end.label()));
        flows.stream()
                .filter(flow -> !flow.matches(family).isEmpty())
                .forEach(flow -> labels.add(flow.destination().map(End::label).orElse("anywhere")));
        return String.join(", ", labels);
    }

    /** The steered prefixes of one family. */
    private List<IpPrefix> steering(List<End> ends, Family family) {
        boolean wanted = policy.family().isEmpty() || policy.family().get() == family;
        return wanted
                ? ends.stream()
                        .flatMap(end -> Ends.prefixes(end, family).stream())
                        .distinct()
                        .toList()
                : List.of();
    }

    private List<Branch> branches(List<Way> ways, Family family) {
        List<Branch> branches = new ArrayList<>();
        MarkerAppender appender = new MarkerAppender(policy.decap(), underlay, findings);
        ways.forEach(way -> appender.close(way.path(), family, "/decap")
                .ifPresent(atoms -> branches.add(new Branch(
                        way.weight(),
                        atoms,
                        way.pointer(),
                        way.path().passings(),
                        way.path().bindings()))));
        return branches;
    }

    private void behind(List<End> ends, List<Way> ways) {
        for (int i = 0; i < ends.size(); i++) {
            for (Way way : ways) {
                Ends.attached(ends.get(i), pointer(i), way.path().at(), way.pointer(), "end the list with ", findings);
            }
        }
    }
}
