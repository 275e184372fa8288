// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import java.util.List;
import java.util.Optional;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.port.Capabilities;
import org.sextant.core.sid.Fib;
import org.sextant.core.sid.Trace;
import org.sextant.core.table.Epoch;
import org.sextant.core.table.Flow;
import org.sextant.core.table.MulticastGroup;
import org.sextant.core.table.MySid;
import org.sextant.core.table.SidList;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;

/** Checks the requirements of a direction on the nodes' pipelines. A node that never connected passes. */
record Requirements(FlowEnds ends, CompileContext context, Findings findings) {

    void bothEnds() {
        String ingress = ends.ingress().name();
        if (isSwitch(ingress)) {
            offers(
                    ingress,
                    "/from",
                    MulticastGroup.TABLE,
                    MulticastGroup.ACTION,
                    "copies no packets",
                    "let the flow enter elsewhere");
        }
        for (Family family : ends.families()) {
            String table = family == Family.IPV6 ? Flow.TABLE_V6 : Flow.TABLE_V4;
            offers(
                    ingress,
                    "/from",
                    table,
                    Actions.REPLICATE.name(),
                    "copies no packets",
                    "let the flow enter elsewhere");
        }
        fragments(ingress);
        offers(
                ingress,
                "/from",
                Tables.COPY.name(),
                Actions.SEND_COPY.name(),
                "copies no packets",
                "let the flow enter elsewhere");
        String egress = ends.egress().name();
        offers(
                egress,
                "/to",
                MySid.TABLE,
                Actions.DEDUP.name(),
                "de-duplicates no packets",
                "let the flow leave elsewhere");
        offers(
                egress,
                "/to",
                Tables.DEDUP_FLOW.name(),
                Actions.DEDUPLICATE.name(),
                "de-duplicates no packets",
                "let the flow leave elsewhere");
    }

    /** Only a switch has an epoch, and it keeps no state of datagrams (docs/reference/livelive.md, "Tables"). */
    private void fragments(String ingress) {
        boolean ports = ends.traffic().sourcePort().isPresent()
                || ends.traffic().destinationPort().isPresent();
        boolean protocol =
                ends.traffic().protocol().isPresent() && ends.families().contains(Family.IPV6);
        if (isSwitch(ingress) && (ports || protocol)) {
            findings.warn("packets of the flow that are sent in fragments are not copied: " + ingress
                    + " cannot assign fragments to flows; let hosts send what fits, or leave "
                    + (ports ? "the ports" : "the protocol") + " out");
        }
    }

    private boolean isSwitch(String node) {
        return context.capabilities(node)
                .filter(can -> can.offers(Epoch.TABLE, Actions.SET_EPOCH.name()))
                .isPresent();
    }

    private void offers(String node, String field, String table, String action, String consequence, String remedy) {
        if (context.capabilities(node).filter(can -> !can.offers(table, action)).isPresent()) {
            findings.unfeasible(
                    field,
                    "node " + node + " " + consequence + ": its pipeline has no action " + action + " in table "
                            + table,
                    remedy);
        }
    }

    /** Is true if the ingress can push that many. */
    boolean segments(NumberedPath path, int segments) {
        String ingress = ends.ingress().name();
        Optional<Integer> most = context.capabilities(ingress).map(Capabilities::maxSegments);
        if (most.isPresent() && segments > most.get()) {
            findings.unfeasible(
                    path.pointer(),
                    "path " + path.number() + " needs " + segments + " segments, but the pipeline of " + ingress
                            + " pushes at most " + most.get() + ": it has no action segments_" + segments
                            + " in table " + SidList.TABLE,
                    "choose a shorter path");
            return false;
        }
        return true;
    }

    /** Checks that every node has the behaviors that a copy uses. */
    void onTheWay(NumberedPath path, Trace trace, Fib fib) {
        List<Trace.Hop> hops = trace.hops();
        for (Trace.Hop hop : hops.subList(1, hops.size() - 1)) {
            fib.mySid(hop.node(), hop.destinationAddress())
                    .map(sid -> sid.behavior().action())
                    .ifPresent(action -> offers(
                            hop.node(),
                            path.pointer(),
                            MySid.TABLE,
                            action,
                            "is on path " + path.number() + " and cannot be",
                            "choose a path around " + hop.node()));
        }
    }
}
