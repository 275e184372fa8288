// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Node;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.kit.path.AtomPath;
import org.sextant.kit.path.Firewalls;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Hops;
import org.sextant.kit.path.Resolver;
import org.sextant.kit.path.Resolver.End;
import org.sextant.usid.Decap;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Explicit;
import org.sextant.usid.plan.Direction.Branch;

/** The directions of the general form, one per family: a headend, hops and what is steered. */
final class ExplicitDirections {
    private final Policy policy;
    private final Explicit form;
    private final Underlay underlay;
    private final Findings findings;
    private final Firewalls firewalls;
    private final String at;
    private final Resolver resolver;

    /** @param at where the lists of hops stand, if not in the policy itself: {@code /candidatePaths/0} */
    ExplicitDirections(
            Policy policy, Explicit form, Underlay underlay, Findings findings, Firewalls firewalls, String at) {
        this.policy = policy;
        this.form = form;
        this.underlay = underlay;
        this.findings = findings;
        this.firewalls = firewalls;
        this.at = at;
        this.resolver = new Resolver(underlay.network(), findings);
    }

    /** A path without its decapsulation, and which policy field it comes from. */
    private record Way(AtomPath path, int weight, String pointer) {}

    /** In any order; incomplete if there are problems. */
    List<Direction> all() {
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
            String pointer = at + (single ? "/hops" : "/segmentLists/" + i + "/hops");
            ways.add(new Way(
                    along(headend.get(), form.lists().get(i).hops(), egress, pointer),
                    form.lists().get(i).weight(),
                    pointer));
        }
        duplicates(ways);
        return findings.clean() ? directions(ends, ways) : List.of();
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
        AtomPath path = new Hops(underlay, findings, firewalls).from(headend, hops, field);
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

    /** Exactly one thing decapsulates: what the hops end in, or the marker that the policy chooses. */
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

    private List<Direction> directions(List<End> ends, List<Way> ways) {
        Node headend = ways.get(0).path().headend();
        behind(ends, ways);
        List<Direction> directions = new ArrayList<>();
        for (Family family : Family.values()) {
            List<IpPrefix> steering = ends.stream()
                    .flatMap(end -> Ends.prefixes(end, family).stream())
                    .distinct()
                    .toList();
            boolean wanted = policy.family().isEmpty() || policy.family().get() == family;
            if (steering.isEmpty() || !wanted) {
                continue;
            }
            List<Branch> branches = new ArrayList<>();
            ways.forEach(way -> new Marking(policy.decap(), underlay, findings)
                    .close(way.path(), family, "/decap")
                    .ifPresent(atoms -> branches.add(new Branch(
                            way.weight(), atoms, way.pointer(), way.path().passings()))));
            String to = String.join(
                    ", ",
                    ends.stream()
                            .filter(end -> Ends.has(end, family))
                            .map(End::label)
                            .toList());
            directions.add(new Direction(
                    headend.name(),
                    to,
                    headend,
                    family,
                    0,
                    policy.reduced(),
                    steering,
                    Ends.probe(ends, family),
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

    private void behind(List<End> ends, List<Way> ways) {
        for (int i = 0; i < ends.size(); i++) {
            for (Way way : ways) {
                Ends.attached(
                        ends.get(i), "/steering/" + i, way.path().at(), way.pointer(), "end the list with ", findings);
            }
        }
    }
}
