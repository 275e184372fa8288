// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.PathCost;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Container;
import org.sextant.core.sid.Encapsulation;
import org.sextant.core.sid.Packing;
import org.sextant.core.sid.Payload;
import org.sextant.core.sid.Trace;
import org.sextant.core.table.FlowMatch;
import org.sextant.core.table.FlowSteering;
import org.sextant.core.table.FlowSteering.Into;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.kit.HopLimit;
import org.sextant.kit.MtuCheck;
import org.sextant.kit.Reallocation;
import org.sextant.kit.SidLists;
import org.sextant.kit.path.Bindings;
import org.sextant.kit.path.FirewallHop;
import org.sextant.kit.path.Firewalls;
import org.sextant.kit.path.Resolver;
import org.sextant.usid.Candidate;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.Policy.WeightedHops;
import org.sextant.usid.WhenInvalid;
import org.sextant.usid.plan.Direction.Branch;

/**
 * Compiles a policy: per direction and family a segment list and the steering into it at the headend. Every plan is
 * traced from its headend to its decapsulation over the nodes' provisioned entries, on every equally short path.
 *
 * <p>Pure.
 */
public final class PolicyCompiler {
    /** The plan with a summary of its effects: containers and bytes per direction. */
    public Plan compile(NumberedIntent<Policy> policy, CompileContext context) {
        return compile(policy, context, true);
    }

    /** The plan of a submitted policy: without a valid path it has no fallback. */
    public Plan admit(NumberedIntent<Policy> policy, CompileContext context) {
        return compile(policy, context, false);
    }

    private static Plan compile(NumberedIntent<Policy> policy, CompileContext context, boolean fallsBack) {
        Findings findings = new Findings();
        if (!(policy.intent().path() instanceof Candidates form)) {
            return withoutCandidates(
                    policy,
                    context,
                    findings,
                    (planned, plan) ->
                            Summary.of(planned, Optional.empty(), Optional.empty(), Map.of(), Optional.empty()));
        }
        Fallback fallback = new Fallback(policy.intent(), form, context);
        Color.take(policy, form, context, findings);
        fallback.check(findings);
        LivenessPlan.check(form, context, findings);
        Optional<Binding> binding = Binding.of(policy, form, context, findings);
        if (!findings.clean()) {
            return plan(
                    policy,
                    List.of(),
                    binding,
                    Optional.empty(),
                    Optional.empty(),
                    findings,
                    plan -> Explained.NOTHING);
        }
        CandidatePaths candidates = CandidatePaths.wanted(policy, form, context, !fallsBack);
        Optional<Plan> instead =
                fallsBack && candidates.active().isEmpty() ? fallback.plan(candidates) : Optional.empty();
        if (instead.isPresent()) {
            return instead.get();
        }
        List<PlannedPath> planned = candidates.taken(findings);
        Optional<Candidate.Key> active = candidates
                .active()
                .filter(one -> form.terms().preferInstalled())
                .map(one -> one.candidate().key());
        Optional<LivenessPlan> watching = LivenessPlan.of(policy, form, candidates, context, findings);
        Optional<Member> member = form.terms().color().isEmpty()
                ? Optional.empty()
                : candidates.active().flatMap(one -> member(form, one.lists(), context));
        Plan whole = plan(
                policy,
                planned,
                binding,
                watching,
                member,
                findings,
                plan -> Summary.of(
                        planned,
                        active,
                        binding.map(Binding::address),
                        candidates.reserved(),
                        watching.map(PolicyCompiler::liveness)));
        return candidates.tried().get(0).valid()
                ? at(PathCosts.of(form, candidates, context.underlay()), whole)
                : whole.dependingOn(whole.dependsOn().orAnyLoss());
    }

    /** Its plan omits the costs of its paths: they take memory, and compiling again is cheap. */
    private static Plan withoutCandidates(
            NumberedIntent<Policy> policy,
            CompileContext context,
            Findings findings,
            BiFunction<List<PlannedPath>, Plan, Explained> explanation) {
        List<PlannedPath> planned = attempt(policy, "", context, findings);
        return plan(
                policy,
                planned,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                findings,
                plan -> explanation.apply(planned, plan));
    }

    private static Plan at(Optional<Set<PathCost>> costs, Plan plan) {
        return plan.feasible()
                ? costs.map(some -> plan.dependingOn(plan.dependsOn().withCosts(some)))
                        .orElse(plan)
                : plan;
    }

    /**
     * The ids of the links that packets may use; of candidate paths only the active one's. None without a valid path.
     */
    SortedSet<String> links(NumberedIntent<Policy> policy, CompileContext context) {
        Findings findings = new Findings();
        List<PlannedPath> planned = policy.intent().path() instanceof Candidates form
                ? CandidatePaths.wanted(policy, form, context, false).taken(findings)
                : attempt(policy, "", context, findings);
        SortedSet<String> links = new TreeSet<>();
        if (findings.clean()) {
            planned.forEach(one -> links.addAll(one.trace().links()));
        }
        return links;
    }

    /** The plan of {@link #admit} with the whole explanation: every hop, the header's bytes, the MTU, the entries. */
    public Plan explain(NumberedIntent<Policy> policy, CompileContext context) {
        Findings findings = new Findings();
        if (!(policy.intent().path() instanceof Candidates form)) {
            return withoutCandidates(policy, context, findings, (planned, plan) -> Explained.of(whole(planned, plan)));
        }
        new Fallback(policy.intent(), form, context).check(findings);
        LivenessPlan.check(form, context, findings);
        Optional<Binding> binding = Binding.of(policy, form, context, findings);
        CandidatePaths candidates = CandidatePaths.all(policy, form, context, true);
        List<PlannedPath> planned = candidates.taken(findings);
        Optional<LivenessPlan> watching = LivenessPlan.of(policy, form, candidates, context, findings);
        return plan(policy, planned, binding, watching, Optional.empty(), findings, plan -> {
            ObjectNode json = whole(planned, plan);
            binding.ifPresent(one -> json.put("bindingSid", one.address().toString()));
            json.set("candidatePaths", candidates.json(context.underlay()));
            return Explained.of(json);
        });
    }

    /** The explanation of a compiled policy: of the fallback if the plan has one instead of a valid path. */
    public Plan explain(NumberedIntent<Policy> policy, Plan plan, CompileContext context) {
        Optional<WhenInvalid> fallback = Summary.fallback(plan);
        if (fallback.isEmpty() || !(policy.intent().path() instanceof Candidates form)) {
            return explain(policy, context);
        }
        ObjectNode json = whole(List.of(), plan);
        json.put("fallback", fallback.get().spelling());
        json.set(
                "candidatePaths",
                CandidatePaths.all(policy, form, context, false).json(context.underlay()));
        return new Plan(
                plan.entries(), Explained.of(json), List.of(), plan.warnings(), plan.dependsOn(), plan.passages());
    }

    /** Both nodes exist, as the path between them does. */
    private static Optional<Member> member(Candidates form, List<WeightedHops> lists, CompileContext context) {
        Resolver resolver = new Resolver(context.network(), new Findings());
        return resolver.node(form.headend(), "")
                .flatMap(headend ->
                        resolver.node(form.endpoint(), "").map(endpoint -> Member.of(headend, endpoint, form, lists)));
    }

    private static ObjectNode whole(List<PlannedPath> planned, Plan plan) {
        return Explanation.whole(planned, plan.entries(), plan.warnings());
    }

    /**
     * The planned paths of a policy without candidate paths.
     *
     * @param at the JSON pointer of a candidate path in the policy, else empty
     */
    static List<PlannedPath> attempt(
            NumberedIntent<Policy> policy, String at, CompileContext context, Findings findings) {
        Underlay underlay = context.underlay();
        List<PlannedPath> planned = new ArrayList<>();
        Bindings bindings = Bindings.of(context);
        for (Direction direction :
                Directions.of(policy.intent(), underlay, findings, Firewalls.of(context), bindings, at)) {
            Requirements requirements = new Requirements(direction, context, underlay, findings);
            direction
                    .branches()
                    .forEach(branch -> plan(direction, branch, requirements, underlay, findings)
                            .ifPresent(planned::add));
        }
        SteeringEffect.refuseCircles(planned, underlay.hosts(), findings);
        return planned;
    }

    private static Plan plan(
            NumberedIntent<Policy> policy,
            List<PlannedPath> planned,
            Optional<Binding> binding,
            Optional<LivenessPlan> watching,
            Optional<Member> member,
            Findings findings,
            Function<Plan, Explained> explanation) {
        if (!findings.clean()) {
            // Losing a link may also make a policy feasible: a detour that the underlay preferred to a strict hop.
            return new Plan(
                    List.of(), Explained.NOTHING, findings.problems(), findings.warnings(), Dependence.EVERYTHING);
        }
        List<PlannedPath> ways = watching.map(LivenessPlan::ways).orElse(planned);
        Plan plan = new Plan(
                entries(policy, planned, binding, watching),
                Explained.NOTHING,
                List.of(),
                findings.warnings(),
                dependencies(ways, watching),
                SteeringEffect.passages(ways));
        Plan explained = new Plan(
                plan.entries(), explanation.apply(plan), List.of(), plan.warnings(), plan.dependsOn(), plan.passages());
        return new PolicyExports(
                        binding.map(one -> BindingExports.handle(policy.id(), one, planned, ways, plan.entries())),
                        member)
                .with(explained);
    }

    private static Optional<PlannedPath> plan(
            Direction direction, Branch branch, Requirements requirements, Underlay underlay, Findings findings) {
        List<Container> containers = Packing.pack(branch.atoms());
        if (!requirements.headend(branch, containers.size())) {
            return Optional.empty();
        }
        Payload payload = direction
                .probe()
                .map(Payload::to)
                .orElseGet(() -> Payload.of(direction.family().inside()));
        List<Ipv6> segments = containers.stream().map(Container::sid).toList();
        HopLimit hopLimit = new HopLimit(requirements.copiesHopLimit(), findings);
        Trace trace = hopLimit.walk(
                branch.fib(underlay),
                direction.headend().name(),
                direction.reduced(),
                segments,
                payload,
                direction.traffic());
        if (!trace.arrives()) {
            String remedy = HopLimit.expires(trace) ? hopLimit.remedy() : remedy(trace);
            findings.unfeasible(
                    pointer(branch, trace), trace.failure().orElseThrow().message(), remedy);
            return Optional.empty();
        }
        branch.passings().forEach(passing -> passing.check(direction.packets(), trace, containers, findings));
        requirements.nodes(branch, trace);
        boolean bare = direction.reduced() || segments.size() == 1 && requirements.leavesOutSrh();
        Encapsulation encapsulation =
                new Encapsulation(bare, segments.size(), branch.atoms().size());
        int bytes = encapsulation.bytes() + branch.nestedBytes();
        MtuCheck mtu = MtuCheck.of(bytes, trace.links(), underlay);
        mtu.warn(findings);
        Reallocation reallocation = Reallocation.of(direction.headend(), direction.reduced(), segments.size());
        reallocation.warn(findings);
        return Optional.of(new PlannedPath(direction, branch, segments, encapsulation, trace, mtu, reallocation));
    }

    /** The hop with the firewall that causes the failure, or the whole path. */
    private static String pointer(Branch branch, Trace trace) {
        return branch.passings().stream()
                .filter(passing -> trace.branches().stream()
                        .anyMatch(one -> passing.concerns(one)
                                && !one.drops()
                                && one.arrival().isEmpty()))
                .reduce((one, later) -> later)
                .map(FirewallHop::pointer)
                .orElse(branch.pointer());
    }

    private static String remedy(Trace trace) {
        if (trace.failure().orElseThrow().reason() == Trace.Reason.UNKNOWN_ARGUMENTS) {
            return "give the hop arguments that say where to: goNext, skipNext or goLast";
        }
        if (trace.branches().stream()
                .anyMatch(one -> !one.drops() && one.arrival().isEmpty())) {
            return "change that rule, or the hops behind the firewall, so that every verdict leads to the egress";
        }
        return "choose hops that lead to the egress; the packet came by "
                + String.join(
                        ", ",
                        trace.hops().stream().map(Trace.Hop::node).distinct().toList());
    }

    private static List<Placed> entries(
            NumberedIntent<Policy> policy,
            List<PlannedPath> planned,
            Optional<Binding> binding,
            Optional<LivenessPlan> watching) {
        List<Placed> entries =
                new ArrayList<>(watching.map(LivenessPlan::entries).orElse(List.of()));
        for (Direction direction :
                planned.stream().map(PlannedPath::direction).distinct().toList()) {
            String headend = direction.headend().name();
            int id = watching.map(one -> one.active(direction))
                    .orElseGet(() -> (int) SidLists.IDS.own(policy, use(direction)));
            if (watching.isEmpty()) {
                entries.add(new Placed(headend, new SidList(id, members(planned, direction))));
            }
            if (direction.bound() && binding.isPresent()) {
                entries.add(new Placed(headend, binding.get().entry(id)));
            }
            for (IpPrefix prefix : direction.steering()) {
                entries.add(new Placed(headend, new Steering(0, prefix, id, direction.reduced())));
            }
            for (FlowMatch flow : direction.flows()) {
                Into into = new Into(id, direction.reduced());
                entries.add(new Placed(headend, new FlowSteering(0, flow, Optional.of(into))));
            }
        }
        return entries;
    }

    private static List<SidList.Member> members(List<PlannedPath> planned, Direction direction) {
        return planned.stream()
                .filter(one -> one.direction() == direction)
                .map(one -> new SidList.Member(one.branch().weight(), one.segments()))
                .toList();
    }

    private static int use(Direction direction) {
        return 2 * (direction.family() == Family.IPV6 ? 0 : 1) + direction.index();
    }

    /** Is true if an entry of a policy steers packets of the reverse path. */
    public static boolean isReturn(Steering steering) {
        return SidLists.IDS.useOf(Integer.toUnsignedLong(steering.sidList())) % 2 != 0;
    }

    private static Summary.Liveness liveness(LivenessPlan watching) {
        return new Summary.Liveness(
                watching.shown(), dependencies(watching.ways().stream().map(PlannedPath::trace)), watching.probeLoad());
    }

    private static Dependence dependencies(List<PlannedPath> ways, Optional<LivenessPlan> watching) {
        return dependencies(Stream.concat(
                ways.stream().map(PlannedPath::trace), watching.stream().flatMap(LivenessPlan::loops)));
    }

    private static Dependence dependencies(Stream<Trace> traces) {
        Set<String> dependencies = new TreeSet<>();
        traces.forEach(trace -> {
            dependencies.addAll(trace.nodes());
            dependencies.addAll(trace.links());
        });
        return Dependence.on(dependencies);
    }
}
