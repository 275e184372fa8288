// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sextant.core.json.Suggestion;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.te.Constraint;
import org.sextant.core.te.Goal;
import org.sextant.core.te.Obstacle;
import org.sextant.core.te.PathSearch;
import org.sextant.core.te.PathSearch.Outcome;
import org.sextant.core.te.PathSearch.Outcome.Found;
import org.sextant.core.te.Step;
import org.sextant.core.te.Totals;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Findings;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Resolver;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Candidate.Dynamic;
import org.sextant.usid.Policy.Candidates;

/** Computes a candidate path, or says why there is none. */
final class DynamicPath {
    /** Sets of constraints that are left out to find what stands in the way. */
    private static final int TRIES = 200;

    private final Candidates form;
    private final Dynamic dynamic;
    private final Underlay underlay;
    private final Findings findings;
    private final Resolver resolver;

    DynamicPath(Candidates form, Dynamic dynamic, Underlay underlay, Findings findings) {
        this.form = form;
        this.dynamic = dynamic;
        this.underlay = underlay;
        this.findings = findings;
        this.resolver = new Resolver(underlay.network(), findings);
    }

    /**
     * What was found.
     *
     * @param totals of the worst of the ways that packets may take
     */
    record Way(List<Hop> hops, Totals totals, Goal goal, Underlay underlay) {

        /** Holds the walk against the constraints: the search has only said what nodes will do. */
        void prove(List<Planned> planned, String at, Findings findings) {
            planned.stream()
                    .flatMap(one -> one.trace().links().stream())
                    .flatMap(id -> underlay.link(id).stream())
                    .filter(link -> goal.constraints().stream().anyMatch(one -> !one.allows(link)))
                    .findFirst()
                    .ifPresent(link -> findings.unfeasible(
                            at,
                            "packets on the computed path would be on " + link.id() + ", which a constraint excludes",
                            "report this: the search and the walk of Sextant disagree"));
        }
    }

    /** Empty if there are problems, which were told. */
    Optional<Way> find(String at) {
        Optional<Node> headend = resolver.node(form.headend(), "/headend");
        Optional<Node> endpoint = resolver.node(form.endpoint(), "/endpoint");
        Goal goal = goal(at);
        if (headend.isEmpty() || endpoint.isEmpty() || !findings.clean()) {
            return Optional.empty();
        }
        String from = headend.get().name();
        String to = endpoint.get().name();
        if (from.equals(to)) {
            findings.invalid(
                    "/endpoint", "the endpoint " + to + " is the headend", "name the node where the traffic leaves");
            return Optional.empty();
        }
        PathSearch search = new PathSearch(
                underlay.network(),
                underlay.paths(),
                name -> underlay.network().node(name).flatMap(SidPlan::of).isPresent(),
                PathSearch.STEPS);
        Outcome outcome = search.find(from, to, goal);
        if (outcome instanceof Found found) {
            return Optional.of(new Way(hops(found), found.totals(), goal, underlay));
        }
        findings.unfeasible(
                at,
                outcome instanceof Outcome.GaveUp gaveUp ? gaveUp(gaveUp, from, to) : why(from, to, goal, search),
                "take a constraint back, or give a candidate path of a lower preference without it");
        return Optional.empty();
    }

    private Goal goal(String at) {
        List<Constraint> constraints = new ArrayList<>();
        if (!dynamic.affinity().includeAny().isEmpty()) {
            constraints.add(
                    new Constraint.IncludeAny(Set.copyOf(dynamic.affinity().includeAny())));
        }
        dynamic.affinity().includeAll().forEach(color -> constraints.add(new Constraint.IncludeAll(color)));
        dynamic.affinity().excludeAny().forEach(color -> constraints.add(new Constraint.ExcludeAny(color)));
        for (Waypoint node : dynamic.exclude().nodes()) {
            resolver.node(node, at + "/exclude/nodes")
                    .ifPresent(found -> constraints.add(new Constraint.ExcludeNode(found.name())));
        }
        for (String link : dynamic.exclude().links()) {
            Constraint excluded = new Constraint.ExcludeLink(link);
            known(link, excluded, at + "/exclude/links");
            constraints.add(excluded);
        }
        dynamic.exclude().srlgs().forEach(group -> constraints.add(new Constraint.ExcludeSrlg(group)));
        dynamic.bounds().forEach((metric, most) -> constraints.add(new Constraint.Bound(metric, most)));
        return new Goal(dynamic.metric(), constraints);
    }

    private void known(String link, Constraint excluded, String at) {
        Network network = underlay.network();
        if (network.links().stream().allMatch(excluded::allows)) {
            findings.unknown(
                    at,
                    "there is no link " + link,
                    Suggestion.of(
                            link,
                            network.links().stream()
                                    .map(one ->
                                            one.from().node() + "-" + one.to().node())
                                    .distinct()
                                    .toList(),
                            "links"));
        }
    }

    private static List<Hop> hops(Found found) {
        return found.steps().stream().map(DynamicPath::hop).toList();
    }

    private static Hop hop(Step step) {
        return step instanceof Step.OverLink over
                ? new Hop.OverLink(over.link().id(), false)
                : new Hop.ToNode(new Waypoint(step.node()), true);
    }

    private static String gaveUp(Outcome.GaveUp gaveUp, String from, String to) {
        return "no path from " + from + " to " + to + " was found in " + gaveUp.steps()
                + " steps, and not all were looked at: bounds on several metrics make the search hard";
    }

    private static String why(String from, String to, Goal goal, PathSearch search) {
        String nothing = "no path from " + from + " to " + to + " meets all constraints";
        Optional<Obstacle> obstacle = Obstacle.between(from, to, goal, search, TRIES);
        if (obstacle.isEmpty()) {
            return nothing + ", and taking back no three of them helps";
        }
        List<Constraint> blamed = obstacle.get().constraints();
        if (blamed.isEmpty()) {
            return "no path of links that are up"
                    + (goal.metric() == Metric.DELAY ? " and of known delay" : "")
                    + " leads from " + from + " to " + to;
        }
        Found instead = obstacle.get().instead().orElseThrow();
        String over = Stream.concat(Stream.of(from), instead.steps().stream().map(Step::node))
                .distinct()
                .collect(Collectors.joining(", "));
        StringBuilder text = new StringBuilder(nothing)
                .append(": ")
                .append(blamed.stream().map(Constraint::text).collect(Collectors.joining(" and ")))
                .append(blamed.size() == 1 ? " stands" : " stand")
                .append(" in the way; without ")
                .append(blamed.size() == 1 ? "it" : "them")
                .append(" there is one of ")
                .append(sums(goal, instead.totals()))
                .append(" over ")
                .append(over);
        obstacle.get()
                .least()
                .forEach(least -> text.append("; the least that can be is ")
                        .append(Totals.text(least.bound().metric(), least.sum())));
        return text.toString();
    }

    /** What is asked about, in the order of the metrics. */
    private static String sums(Goal goal, Totals totals) {
        return Stream.concat(
                        Stream.of(goal.metric()),
                        goal.constraints().stream()
                                .filter(Constraint.Bound.class::isInstance)
                                .map(one -> ((Constraint.Bound) one).metric()))
                .distinct()
                .sorted()
                .map(metric -> Totals.text(metric, totals.of(metric)))
                .collect(Collectors.joining(", "));
    }
}
