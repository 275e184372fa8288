// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.sextant.core.Problem;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Node;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.DropSteered;
import org.sextant.core.table.FlowSteering;
import org.sextant.core.table.Steering;
import org.sextant.core.underlay.SidPlan;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.kit.path.Resolver;
import org.sextant.kit.path.Resolver.End;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.SteeredFlow;
import org.sextant.usid.WhenInvalid;

/** The plan of a policy while none of its candidate paths is valid. */
record Fallback(Policy policy, Candidates form, CompileContext context) {

    /** Reports obstacles to dropping, whether or not a path is valid now. */
    void check(Findings findings) {
        if (form.terms().whenInvalid() != WhenInvalid.DROP) {
            return;
        }
        headend().ifPresent(node -> able(node, findings));
        for (int i = 0; i < form.steering().size(); i++) {
            String at = "/steering/" + SteeredFlow.place(i, form.flows());
            end(i).ifPresent(end -> end.prefixes().forEach(prefix -> sparesSids(prefix, at, findings)));
        }
    }

    private void able(Node headend, Findings findings) {
        Optional<Capabilities> capabilities = context.capabilities(headend.name());
        for (Family family : families()) {
            String table = family == Family.IPV6 ? Steering.TABLE_V6 : Steering.TABLE_V4;
            if (capabilities
                    .filter(can -> !can.offers(table, DropSteered.ACTION))
                    .isPresent()) {
                findings.unfeasible(
                        "/whenInvalid",
                        "the pipeline of headend " + headend.name() + " has no action " + DropSteered.ACTION
                                + " in table " + table,
                        "choose \"underlay\" or \"keep\", or enter at another node");
            }
        }
    }

    /** A drop entry that covers SIDs also drops other policies' packets to SIDs without a more specific route. */
    private void sparesSids(IpPrefix prefix, String at, Findings findings) {
        context.network().nodes().values().stream()
                .filter(node -> SidPlan.of(node)
                        .map(SidPlan::routed)
                        .filter(sids -> prefix.length() < sids.length() && covers(prefix, sids))
                        .isPresent())
                .findFirst()
                .ifPresent(node -> findings.unfeasible(
                        at,
                        prefix + " lies around the SIDs of node " + node.name()
                                + ": with \"whenInvalid\": \"drop\" packets to SIDs without a route of their own would be"
                                + " dropped, too",
                        "steer prefixes beside them, or choose \"underlay\" or \"keep\""));
    }

    private static boolean covers(IpPrefix prefix, IpPrefix sids) {
        return prefix.isIpv6() && prefix.contains((Ipv6) sids.address());
    }

    /**
     * Empty if the underlay carries the traffic, the headend no longer exists, or no path was valid yet.
     *
     * @param tried the candidate paths, none of which is valid
     */
    Optional<Plan> plan(CandidatePaths tried) {
        return switch (form.terms().whenInvalid()) {
            case UNDERLAY -> Optional.empty();
            case DROP -> headend().map(node -> dropping(node, tried));
            case KEEP -> headend().flatMap(node -> context.before()).map(before -> kept(before, tried));
        };
    }

    private Plan dropping(Node headend, CandidatePaths tried) {
        List<Placed> entries =
                new ArrayList<>(IntStream.range(0, form.steering().size())
                        .mapToObj(this::end)
                        .flatMap(Optional::stream)
                        .flatMap(end -> families().stream().flatMap(family -> Ends.prefixes(end, family).stream()))
                        .distinct()
                        .filter(prefix -> dropsOnlyItsOwn(headend, prefix))
                        .map(prefix -> new Placed(headend.name(), new DropSteered(0, prefix)))
                        .toList());
        entries.addAll(flows(headend));
        List<String> warnings = List.of(why("what it steers is dropped at " + headend.name(), tried));
        Summary summary = new Summary(List.of(), Optional.empty(), Optional.of(WhenInvalid.DROP), Optional.empty());
        return new Plan(entries, summary, List.of(), warnings, Dependence.EVERYTHING);
    }

    private List<Placed> flows(Node headend) {
        Resolver resolver = new Resolver(context.network(), new Findings());
        return form.flows().stream()
                .map(flow -> Flows.of(flow, resolver))
                .flatMap(flow -> families().stream().flatMap(family -> flow.matches(family).stream()))
                .distinct()
                .map(flow -> new Placed(headend.name(), new FlowSteering(0, flow, Optional.empty())))
                .toList();
    }

    /** A P4 pipeline looks up steering before routes: it would drop packets that match more specific routes. */
    private boolean dropsOnlyItsOwn(Node headend, IpPrefix prefix) {
        boolean steersFirst = context.capabilities(headend.name())
                .filter(Capabilities::stackless)
                .isPresent();
        return !steersFirst
                || context.underlay().routedWithin(headend.name(), prefix).isEmpty();
    }

    private Plan kept(Plan before, CandidatePaths tried) {
        Summary summary = before.explained() instanceof Summary one
                ? new Summary(
                        one.ways(),
                        one.active(),
                        Optional.of(WhenInvalid.KEEP),
                        one.binding(),
                        Map.of(),
                        one.liveness())
                : new Summary(List.of(), Optional.empty(), Optional.of(WhenInvalid.KEEP), Optional.empty());
        return new Plan(
                before.entries(),
                summary,
                List.of(),
                List.of(why("what was installed last stays", tried)),
                Dependence.EVERYTHING,
                before.passages(),
                before.offer());
    }

    private static String why(String consequence, CandidatePaths tried) {
        Problem first = tried.tried().get(0).findings().problems().get(0);
        return ("no candidate path is valid, " + consequence + ": " + first.message()).intern();
    }

    private Optional<Node> headend() {
        return new Resolver(context.network(), new Findings()).node(form.headend(), "");
    }

    private Optional<End> end(int index) {
        return new Resolver(context.network(), new Findings())
                .end(form.steering().get(index), "");
    }

    private List<Family> families() {
        return policy.family().map(List::of).orElseGet(() -> List.of(Family.values()));
    }
}
