// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import java.util.List;
import java.util.Optional;
import org.sextant.contract.Actions;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.port.Capabilities;
import org.sextant.core.sid.Trace;
import org.sextant.core.table.GtpRule;
import org.sextant.core.table.MySid;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Ue;
import org.sextant.kit.Findings;
import org.sextant.mobile.Slice;

/** Checks the requirements of a slice on the nodes' pipelines. A node that never connected passes. */
record Requirements(SliceEnds ends, CompileContext context, Findings findings) {

    void of(List<SlicePath> ways) {
        Slice slice = ends.slice();
        takes(ends.access().name(), "/access/gateway");
        if (!slice.core().anchor()) {
            takes(ends.core().name(), "/core/gateway");
            delivers();
        } else {
            offers(ends.core().name(), "/core/anchor", Ue.TABLE_V4, Actions.SEND_TO.name());
        }
        ways.forEach(this::way);
    }

    private void takes(String node, String field) {
        offers(node, field, GtpRule.TABLE, Actions.CARRY.name());
        offers(node, field, GtpRule.TABLE, Actions.GTP_D.name());
    }

    /** The core gateway routes the restored GTP-U. */
    private void delivers() {
        String core = ends.core().name();
        for (IpAddress upf : ends.slice().core().upfs()) {
            if (context.underlay().fib().route(core, 0, upf).isEmpty()) {
                findings.warn("core gateway " + core + " has no host " + upf
                        + " that the controller knows: it needs a route of its own to that UPF");
            }
        }
    }

    private void way(SlicePath way) {
        Direction direction = way.direction();
        String from = direction.from().name();
        Optional<Integer> most = context.capabilities(from).map(Capabilities::maxSegments);
        if (most.isPresent() && way.listed().size() > most.get()) {
            findings.unfeasible(
                    direction.field(),
                    "the " + direction.word() + " needs a list of "
                            + way.listed().size() + " segments, but the pipeline of " + from + " has lists of "
                            + most.get() + " at most in table " + SidList.TABLE,
                    "choose fewer hops");
        }
        way.sid().ifPresent(sid -> serves(direction.to().name(), direction, sid));
        List<Trace.Hop> hops = way.trace().hops();
        for (Trace.Hop hop : hops.subList(1, hops.size())) {
            context.underlay()
                    .fib()
                    .mySid(hop.node(), hop.destinationAddress())
                    .ifPresent(sid -> serves(hop.node(), direction, sid));
        }
    }

    private void serves(String node, Direction direction, MySid sid) {
        context.refusal(node, sid.key())
                .ifPresent(reason -> findings.unfeasible(
                        direction.field(),
                        "node " + node + " cannot serve its SID " + sid.sid() + ": " + reason,
                        "choose other hops, or another gateway"));
        offers(node, direction.field(), MySid.TABLE, sid.behavior().action());
    }

    private void offers(String node, String field, String table, String action) {
        if (context.capabilities(node).filter(can -> !can.offers(table, action)).isPresent()) {
            findings.unfeasible(
                    field,
                    "the pipeline of node " + node + " has no action " + action + " in table " + table
                            + ", which the slice needs there",
                    "choose another node");
        }
    }
}
