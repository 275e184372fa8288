// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.Numbered;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Container;
import org.sextant.core.sid.Encapsulation;
import org.sextant.core.sid.Packing;
import org.sextant.core.sid.Payload;
import org.sextant.core.sid.Trace;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.kit.HopLimit;
import org.sextant.kit.MtuCheck;
import org.sextant.kit.Reallocation;
import org.sextant.kit.SidLists;
import org.sextant.kit.path.Firewalls;
import org.sextant.kit.path.Passing;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.plan.Direction.Branch;

/**
 * Compiles a policy: per direction and family a segment list and the steering into it at the headend. No plan leaves
 * here that was not walked from its headend to its decapsulation over what the nodes are provisioned with, on every
 * equally short path.
 *
 * <p>Pure.
 */
public final class PolicyCompiler {
    /** The plan with a summary of what it does: containers and bytes per direction. */
    public Plan compile(Numbered<Policy> policy, CompileContext context) {
        Findings findings = new Findings();
        List<Planned> planned = policy.intent().path() instanceof Candidates form
                ? CandidatePaths.of(policy.intent(), form, context).best().taken(findings)
                : attempt(policy.intent(), "", context, findings);
        return plan(policy, planned, findings, plan -> Summary.of(planned));
    }

    /** The same plan with the whole explanation: every hop, the header's bytes, the MTU, the entries. */
    public Plan explain(Numbered<Policy> policy, CompileContext context) {
        Findings findings = new Findings();
        if (!(policy.intent().path() instanceof Candidates form)) {
            List<Planned> planned = attempt(policy.intent(), "", context, findings);
            return plan(policy, planned, findings, plan -> Explained.of(whole(planned, plan)));
        }
        CandidatePaths candidates =
                CandidatePaths.of(policy.intent(), form, context).all();
        List<Planned> planned = candidates.taken(findings);
        return plan(policy, planned, findings, plan -> {
            ObjectNode json = whole(planned, plan);
            json.set("candidatePaths", candidates.json(context.underlay()));
            return Explained.of(json);
        });
    }

    private static ObjectNode whole(List<Planned> planned, Plan plan) {
        return Explanation.whole(planned, plan.entries(), plan.warnings());
    }

    /**
     * What comes of one form of a policy, which has no candidate paths.
     *
     * @param at of a candidate path its place in the policy, else nothing
     */
    static List<Planned> attempt(Policy policy, String at, CompileContext context, Findings findings) {
        Underlay underlay = context.underlay();
        List<Planned> planned = new ArrayList<>();
        for (Direction direction : Directions.of(policy, underlay, findings, Firewalls.of(context), at)) {
            Requirements requirements = new Requirements(direction, context, underlay, findings);
            direction
                    .branches()
                    .forEach(branch -> plan(direction, branch, requirements, underlay, findings)
                            .ifPresent(planned::add));
        }
        Steered.refuseCircles(planned, underlay.hosts(), findings);
        return planned;
    }

    private static Plan plan(
            Numbered<Policy> policy, List<Planned> planned, Findings findings, Function<Plan, Explained> explanation) {
        if (!findings.clean()) {
            // Even a loss may make a policy feasible: that of the detour which the underlay preferred to a strict hop.
            return new Plan(
                    List.of(), Explained.NOTHING, findings.problems(), findings.warnings(), Dependence.EVERYTHING);
        }
        Plan plan = new Plan(
                entries(policy, planned),
                Explained.NOTHING,
                List.of(),
                findings.warnings(),
                dependencies(planned),
                Steered.passages(planned));
        return new Plan(
                plan.entries(), explanation.apply(plan), List.of(), plan.warnings(), plan.dependsOn(), plan.passages());
    }

    private static Optional<Planned> plan(
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
        MtuCheck mtu = MtuCheck.of(encapsulation.bytes(), trace.links(), underlay);
        mtu.warn(findings);
        Reallocation reallocation = Reallocation.of(direction.headend().name(), direction.reduced(), segments.size());
        reallocation.warn(findings);
        return Optional.of(new Planned(direction, branch, segments, encapsulation, trace, mtu, reallocation));
    }

    /** The hop whose firewall leads astray, or the whole path. */
    private static String pointer(Branch branch, Trace trace) {
        return branch.passings().stream()
                .filter(passing -> trace.branches().stream()
                        .anyMatch(one -> passing.concerns(one)
                                && !one.drops()
                                && one.arrival().isEmpty()))
                .reduce((one, later) -> later)
                .map(Passing::pointer)
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

    private static List<Placed> entries(Numbered<Policy> policy, List<Planned> planned) {
        List<Placed> entries = new ArrayList<>();
        for (Direction direction :
                planned.stream().map(Planned::direction).distinct().toList()) {
            String headend = direction.headend().name();
            int id = (int) SidLists.IDS.own(policy, use(direction));
            List<SidList.Member> members = planned.stream()
                    .filter(one -> one.direction() == direction)
                    .map(one -> new SidList.Member(one.branch().weight(), one.segments()))
                    .toList();
            entries.add(new Placed(headend, new SidList(id, members)));
            for (IpPrefix prefix : direction.steering()) {
                entries.add(new Placed(headend, new Steering(0, prefix, id, direction.reduced())));
            }
        }
        return entries;
    }

    private static int use(Direction direction) {
        return 2 * (direction.family() == Family.IPV6 ? 0 : 1) + direction.index();
    }

    /** Whether an entry of a policy steers the way back. */
    public static boolean isReturn(Steering steering) {
        return SidLists.IDS.useOf(Integer.toUnsignedLong(steering.sidList())) % 2 != 0;
    }

    private static Dependence dependencies(List<Planned> planned) {
        Set<String> dependencies = new TreeSet<>();
        planned.forEach(one -> {
            dependencies.addAll(one.trace().nodes());
            dependencies.addAll(one.trace().links());
        });
        return Dependence.on(dependencies);
    }
}
