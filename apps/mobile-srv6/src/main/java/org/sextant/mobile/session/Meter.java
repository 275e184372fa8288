// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.intent.Plan;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.table.Entry;
import org.sextant.core.table.GtpRule;
import org.sextant.core.table.GtpTunnel;
import org.sextant.core.table.MySid;
import org.sextant.mobile.Session;
import org.sextant.mobile.Slice;
import org.sextant.mobile.meter.Nodes;
import org.sextant.mobile.meter.Recent;

/** Reads the counters of sessions' entries. */
final class Meter {
    private final Nodes nodes;
    private final Recent<Traffic> recent = new Recent<>();

    Meter(Nodes nodes) {
        this.nodes = nodes;
    }

    Optional<Traffic> last(String session) {
        return recent.of(session);
    }

    /** @param plan of the session */
    void read(String session, Plan plan) {
        Traffic traffic = plan.explained() instanceof SessionSummary summary
                ? read(plan, summary.session(), summary.handle().slice())
                : Traffic.UNREAD;
        recent.keep(session, traffic);
    }

    private Traffic read(Plan plan, Session session, Slice slice) {
        Map<String, List<Entry>> rows = new HashMap<>();
        plan.entries().stream()
                .filter(placed -> !forwards(session, placed.entry()))
                .forEach(placed -> rows.computeIfAbsent(placed.node(), node -> new ArrayList<>())
                        .add(placed.entry()));
        Map<String, Optional<Counters>> counted =
                nodes.ask(rows.keySet(), node -> nodes.counted(node, rows.getOrDefault(node, List.of())));
        return new Traffic(
                counted.getOrDefault(slice.access().gateway(), Optional.empty()),
                counted.getOrDefault(slice.core().node(), Optional.empty()));
    }

    /** Packets that are forwarded in a handover were counted when they were first sent to the UE. */
    private static boolean forwards(Session session, Entry entry) {
        return entry instanceof GtpRule
                || entry instanceof MySid
                || entry instanceof GtpTunnel tunnel
                        && session.forwarding()
                                .filter(one -> one.from().equals(new Session.Tunnel(tunnel.endpoint(), tunnel.teid())))
                                .isPresent();
    }
}
