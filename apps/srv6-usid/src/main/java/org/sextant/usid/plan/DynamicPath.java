// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.json.Suggestion;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.te.Constraint;
import org.sextant.core.te.Goal;
import org.sextant.core.te.PathSearch.Outcome;
import org.sextant.core.te.PathSearch.Outcome.Found;
import org.sextant.core.te.Step;
import org.sextant.core.te.Totals;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Findings;
import org.sextant.kit.Headend;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Resolver;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Candidate.Apart;
import org.sextant.usid.Candidate.Dynamic;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.plan.DisjointPeer.Beside;

/** Computes a candidate path, or reports the reason why none exists. */
final class DynamicPath {
    private final NumberedIntent<Policy> policy;
    private final Candidates form;
    private final Dynamic dynamic;
    private final CompileContext context;
    private final Underlay underlay;
    private final Findings findings;
    private final Resolver resolver;
    private final Trial trial;
    private final SearchBudget budget;

    /** @param budget for all searches for this candidate path */
    DynamicPath(Trial trial, Dynamic dynamic, SearchBudget budget, Findings findings) {
        this.trial = trial;
        this.policy = trial.policy();
        this.form = trial.form();
        this.dynamic = dynamic;
        this.context = trial.context();
        this.underlay = context.underlay();
        this.budget = budget;
        this.findings = findings;
        this.resolver = new Resolver(underlay.network(), findings);
    }

    /**
     * A computed path.
     *
     * @param totals of the worst of the paths that packets may take
     * @param reserved by link id, in kbit/s
     */
    record Way(List<Hop> hops, Totals totals, Goal goal, Underlay underlay, Map<String, Long> reserved) {

        /** Checks the trace against the constraints: the search only predicts the nodes' forwarding. */
        void prove(List<PlannedPath> planned, String at, Findings findings) {
            planned.stream()
                    .flatMap(one -> disagreement(one).stream())
                    .findFirst()
                    .ifPresent(what -> findings.unfeasible(
                            at,
                            "packets on the computed path would " + what,
                            "report this: the search and the walk of Sextant disagree"));
        }

        private Optional<String> disagreement(PlannedPath planned) {
            List<Link> links = planned.trace().links().stream()
                    .flatMap(id -> underlay.link(id).stream())
                    .toList();
            Optional<String> excluded = links.stream()
                    .filter(link -> goal.constraints().stream().anyMatch(one -> !one.allows(link)))
                    .findFirst()
                    .map(link -> "be on " + link.id() + ", which a constraint excludes");
            return excluded.or(() -> goal.constraints().stream()
                    .filter(one -> one instanceof Constraint.Stop stop
                            && links.stream()
                                    .noneMatch(link ->
                                            stop.over(link) || stop.at(link.to().node())))
                    .findFirst()
                    .map(one -> "not meet \"" + one.text() + "\""));
        }
    }

    /** Empty if there are problems, which are reported. */
    Optional<Way> find(String at, Optional<Beside> beside) {
        return query(at, beside).flatMap(query -> way(query, query.find(), at));
    }

    /** As {@link #find(String, Optional)}, preferring a path that leaves the other candidate a disjoint one. */
    Optional<Way> find(String at, DisjointPeer pairing, DynamicPath other) {
        return query(at, Optional.empty())
                .flatMap(query -> way(
                        query,
                        other.hasPath(Optional.empty())
                                ? query.leaving(
                                        links -> other.hasPath(Optional.of(pairing.beside(links))), findings::warn)
                                : query.find(),
                        at));
    }

    private boolean hasPath(Optional<Beside> beside) {
        return query("", beside).filter(query -> query.find() instanceof Found).isPresent();
    }

    /** The query; empty if its ends or its goal have problems. */
    private Optional<PathQuery> query(String at, Optional<Beside> beside) {
        Optional<Node> headend = resolver.node(form.headend(), "/headend");
        Optional<Node> endpoint = resolver.node(form.endpoint(), "/endpoint");
        Goal goal = goal(at, headend, endpoint);
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
        Optional<ResidualCapacity> room = dynamic.demand().map(demand -> ResidualCapacity.of(policy, demand, context));
        Goal apart =
                beside.map(one -> goal.and(one.constraint(Set.of(from, to)))).orElse(goal);
        return Optional.of(new PathQuery(from, to, goal(apart.and(depth(from)), room), trial.search(), budget, room));
    }

    private Constraint depth(String from) {
        boolean reduced = policy.intent().reduced();
        int most = Headend.maxSegments(context, from, reduced);
        return new Constraint.SidDepth(
                from, Math.max(1, most), policy.intent().decap().usids());
    }

    private Optional<Way> way(PathQuery query, Outcome outcome, String at) {
        if (outcome instanceof Found found) {
            query.preempted(found).ifPresent(findings::warn);
            return Optional.of(new Way(hops(found), found.totals(), query.goal(), underlay, query.reserved(found)));
        }
        findings.unfeasible(
                at,
                outcome instanceof Outcome.GaveUp gaveUp ? query.gaveUp(gaveUp) : query.why(),
                "take a constraint back, or give a candidate path of a lower preference without it");
        return Optional.empty();
    }

    private static Goal goal(Goal goal, Optional<ResidualCapacity> room) {
        return room.map(some -> goal.and(some.constraint())).orElse(goal);
    }

    private Goal goal(String at, Optional<Node> headend, Optional<Node> endpoint) {
        List<Constraint> constraints = new ArrayList<>();
        if (!dynamic.affinity().includeAny().isEmpty()) {
            constraints.add(
                    new Constraint.IncludeAny(Set.copyOf(dynamic.affinity().includeAny())));
        }
        dynamic.affinity().includeAll().forEach(color -> constraints.add(new Constraint.IncludeAll(color)));
        dynamic.affinity().excludeAny().forEach(color -> constraints.add(new Constraint.ExcludeAny(color)));
        for (Waypoint node : dynamic.exclude().nodes()) {
            String field = at + "/exclude/nodes";
            resolver.avoided(node, field, (message, remedy) -> gone(field, message, remedy))
                    .ifPresent(name -> constraints.add(new Constraint.ExcludeNode(name)));
        }
        for (String link : dynamic.exclude().links()) {
            Constraint excluded = new Constraint.ExcludeLink(link);
            known(link, excluded, at + "/exclude/links");
            constraints.add(excluded);
        }
        dynamic.exclude().srlgs().forEach(group -> constraints.add(new Constraint.ExcludeSrlg(group)));
        Set<String> ends = Stream.of(headend, endpoint)
                .flatMap(Optional::stream)
                .map(Node::name)
                .collect(Collectors.toSet());
        for (Apart apart : dynamic.disjointFrom()) {
            new Neighbor(apart, context)
                    .constraint(ends, at + "/disjointFrom", findings)
                    .ifPresent(constraints::add);
        }
        constraints.addAll(new Visits(underlay.network(), List.copyOf(constraints), findings)
                .of(dynamic.include(), ends, at + "/include"));
        dynamic.bounds().forEach((metric, most) -> constraints.add(new Constraint.Bound(metric, most)));
        return new Goal(dynamic.metric(), constraints);
    }

    private void known(String link, Constraint excluded, String at) {
        Network network = underlay.network();
        if (network.links().stream().allMatch(excluded::allows)) {
            gone(
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

    /**
     * A node that does not exist is avoided anyway: a policy keeps its path when an excluded node leaves the inventory.
     * In a new policy, however, the name is more likely mistyped.
     */
    private void gone(String at, String message, String remedy) {
        if (trial.isNew()) {
            findings.unknown(at, message, remedy);
        } else {
            findings.warn(message + ", so nothing is excluded by that name");
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
}
