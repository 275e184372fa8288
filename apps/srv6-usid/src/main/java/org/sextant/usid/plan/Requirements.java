// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.Optional;
import java.util.stream.Stream;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.port.Capabilities;
import org.sextant.core.sid.Encapsulation;
import org.sextant.core.sid.Fib;
import org.sextant.core.sid.Trace;
import org.sextant.core.table.MySid;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.kit.Headend;
import org.sextant.usid.plan.Direction.Branch;

/** Checks the requirements of a direction on headers and pipelines. A node that never connected passes. */
record Requirements(Direction direction, CompileContext context, Underlay underlay, Findings findings) {

    /** Is true if the headend can push this many segments; otherwise the path cannot be traced. */
    boolean headend(Branch branch, int segments) {
        String headend = direction.headend().name();
        int most = Encapsulation.maxSegments(direction.reduced());
        if (segments > most) {
            findings.unfeasible(
                    branch.pointer(),
                    "the path needs " + segments + " segments of 128 bits, but an SRH holds " + most + " (RFC 8754, 2)",
                    "shorten the path");
            return false;
        }
        Optional<Capabilities> capabilities = context.capabilities(headend);
        if (capabilities.isPresent()) {
            if (capabilities.get().stackless()) {
                steersOnlyItsOwn(branch, headend);
            }
            pipeline(branch, segments, headend, capabilities.get());
        }
        return true;
    }

    /**
     * Is true if H.Encaps of a single segment pushes no SRH (RFC 8754, 4.1 allows both), as pipelines without
     * H.Encaps.Red do: VPP's (docs/reference/conformance.md).
     */
    boolean leavesOutSrh() {
        return Headend.leavesOutSrh(context, direction.headend().name(), direction.family());
    }

    boolean copiesHopLimit() {
        return Headend.copiesHopLimit(context, direction.headend().name(), direction.family());
    }

    /**
     * A P4 pipeline looks up steering before routes, whatever their lengths (docs/reference/conformance.md). A steered
     * prefix that covers a route would take that route's packets into the policy, in particular those of other
     * policies.
     */
    private void steersOnlyItsOwn(Branch branch, String headend) {
        for (IpPrefix steered : direction.steering()) {
            underlay.routedWithin(headend, steered)
                    .ifPresent(route -> findings.unfeasible(
                            branch.pointer(),
                            steered + " covers " + route + ", and headend " + headend
                                    + " is a P4 node: it steers before it routes, so what goes there would enter the policy, too",
                            "steer a longer prefix, or enter at a node that is not P4"));
        }
    }

    private void pipeline(Branch branch, int segments, String headend, Capabilities capabilities) {
        if (segments > capabilities.maxSegments()) {
            findings.unfeasible(
                    branch.pointer(),
                    "the path needs " + segments + " segments, but the pipeline of headend " + headend
                            + " pushes at most " + capabilities.maxSegments() + ": it has no action segments_"
                            + segments + " in table " + SidList.TABLE,
                    "shorten the path, or enter at another node");
        }
        String table = direction.family() == Family.IPV6 ? Steering.TABLE_V6 : Steering.TABLE_V4;
        String action = direction.reduced() ? "h_encaps_red" : "h_encaps";
        if (!direction.flows().isEmpty() && !Flows.steeredBy(capabilities, direction.family())) {
            findings.unfeasible(
                    "/steering",
                    "headend " + headend + " steers by destinations alone: its pipeline has no table "
                            + Flows.table(direction.family()),
                    "enter at a Linux node, or steer prefixes");
        }
        if (!capabilities.offers(table, action)) {
            findings.unfeasible(
                    branch.pointer(),
                    "the pipeline of headend " + headend + " has no action " + action + " in table " + table,
                    remedy(capabilities, table));
        }
    }

    /** The other behavior if the headend has it, as VPP has H.Encaps alone. */
    private String remedy(Capabilities capabilities, String table) {
        String other = direction.reduced() ? "h_encaps" : "h_encaps_red";
        return capabilities.offers(table, other)
                ? "choose \"encapsulation\": \"" + (direction.reduced() ? "full" : "reduced")
                        + "\", or enter at another node"
                : "enter at another node";
    }

    /**
     * Checks that every node of the trace has the behaviors that it uses, and that the egress has a route to the
     * steered prefixes.
     */
    void nodes(Branch branch, Trace trace) {
        behaviors(branch, trace);
        String egress = trace.arrival().orElseThrow().node();
        Optional<Integer> vrf = trace.arrival().orElseThrow().vrf();
        for (IpPrefix prefix : direction.steering()) {
            if (vrf.isPresent()
                    && underlay.fib().route(egress, vrf.get(), prefix.address()).isEmpty()) {
                findings.warn("egress " + egress + " has no host in " + prefix
                        + " that the controller knows: it needs a route of its own to that prefix");
            }
        }
    }

    /** Checks that every node of the trace has the behaviors that it uses. */
    void behaviors(Branch branch, Trace trace) {
        Fib fib = branch.fib(underlay);
        Stream<Trace.Hop> behind = trace.branches().stream().flatMap(one -> one.hops().stream());
        Stream.concat(trace.hops().stream(), behind).distinct().forEach(hop -> {
            Optional<MySid> own = hop.behavior().startsWith("H.Encaps")
                    ? Optional.empty()
                    : fib.mySid(hop.node(), hop.destinationAddress());
            own.ifPresent(sid -> behavior(branch, hop.node(), sid));
        });
    }

    private void behavior(Branch branch, String node, MySid sid) {
        context.refusal(node, sid.key())
                .ifPresent(reason -> findings.unfeasible(
                        branch.pointer(),
                        "node " + node + " cannot serve its SID " + sid.sid() + ": " + reason,
                        "go around that SID"));
        String action = sid.behavior().action();
        if (context.capabilities(node)
                .filter(can -> !can.offers(MySid.TABLE, action))
                .isPresent()) {
            findings.unfeasible(
                    branch.pointer(),
                    "the pipeline of node " + node + " has no action " + action + " in table " + MySid.TABLE
                            + ", which the path needs there",
                    "go around " + node + ", or choose another \"decap\"");
        }
    }
}
