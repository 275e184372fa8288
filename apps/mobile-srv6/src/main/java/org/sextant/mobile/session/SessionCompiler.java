// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.session;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.sextant.contract.Actions;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.Plan;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.Entry;
import org.sextant.core.table.GtpRule;
import org.sextant.core.table.GtpTunnel;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Ue;
import org.sextant.kit.Findings;
import org.sextant.mobile.Session;
import org.sextant.mobile.Session.Tunnel;
import org.sextant.mobile.Slice;
import org.sextant.mobile.slice.SliceHandle;

/**
 * Compiles a session: the tunnels that set its slice's class at gateways, and at an anchor the entries of the UE's
 * addresses. The treatment of packets is the slice's; there may be a hundred thousand sessions, and none contains a
 * path.
 *
 * <p>Pure.
 */
final class SessionCompiler {
    private SessionCompiler() {}

    static Plan compile(Session session, CompileContext context) {
        SliceHandle handle = context.offered(SessionKind.slice(session), SliceHandle.class, "/slice");
        Slice slice = handle.slice();
        Findings findings = new Findings();
        endpoints(session, slice, findings);
        addresses(session, slice, findings);
        forwarding(session, handle, findings);
        if (!findings.clean()) {
            return refused(findings, nodes(slice));
        }
        List<Plan.Placed> entries = handle.entries(session);
        entries.forEach(placed -> require(placed, slice, context, findings));
        return findings.clean()
                ? new Plan(
                        entries,
                        new SessionSummary(handle, session),
                        List.of(),
                        findings.warnings(),
                        Dependence.only(nodes(slice)))
                : refused(findings, nodes(slice));
    }

    private static Set<String> nodes(Slice slice) {
        return Set.of(slice.access().gateway(), slice.core().node());
    }

    private static Plan refused(Findings findings, Set<String> nodes) {
        return new Plan(List.of(), Explained.NOTHING, findings.problems(), findings.warnings(), Dependence.only(nodes));
    }

    /** GTP-U between other endpoints never matches the slice's rules: such a session would carry no packets. */
    private static void endpoints(Session session, Slice slice, Findings findings) {
        upf("/uplink/endpoint", session.uplink(), slice, findings);
        session.downlink().ifPresent(tunnel -> gnb("/downlink/endpoint", tunnel, slice, findings));
        session.forwarding().ifPresent(forwarding -> {
            upf("/forwarding/from/endpoint", forwarding.from(), slice, findings);
            gnb("/forwarding/to/endpoint", forwarding.to(), slice, findings);
            if (forwarding.from().equals(session.uplink())) {
                findings.invalid(
                        "/forwarding/from",
                        forwarding.from() + " is the session's uplink",
                        "give what is forwarded a tunnel of its own");
            }
        });
    }

    private static void upf(String field, Tunnel tunnel, Slice slice, Findings findings) {
        IpAddress upf = tunnel.endpoint();
        if (!slice.core().upfs().contains(upf)) {
            findings.unfeasible(
                    field,
                    upf + " is none of the UPFs of slice " + slice.name() + " ("
                            + some(slice.core().upfs()) + ")",
                    "give the address that the gNB sends to, or add it to core.upfs of the slice");
        }
    }

    private static void gnb(String field, Tunnel tunnel, Slice slice, Findings findings) {
        IpAddress gnb = tunnel.endpoint();
        if (slice.access().gnbs().stream().noneMatch(prefix -> within(gnb, prefix))) {
            findings.unfeasible(
                    field,
                    gnb + " is none of the gNBs of slice " + slice.name() + " ("
                            + some(slice.access().gnbs()) + ")",
                    "give the gNB's address, or add its prefix to access.gnbs of the slice");
        }
    }

    /**
     * Without an anchor the UPF forwards; over IPv6 the target gNB would be a further segment, which End.MAP cannot
     * add.
     */
    private static void forwarding(Session session, SliceHandle handle, Findings findings) {
        if (session.forwarding().isPresent() && handle.forward().isEmpty()) {
            findings.unfeasible(
                    "/forwarding",
                    "slice " + handle.slice().name() + " does not forward from gNB to gNB: "
                            + (handle.slice().core().anchor()
                                    ? "its GTP-U goes over IPv6"
                                    : "its GTP-U goes on to a UPF"),
                    "leave forwarding out, or use a slice over IPv4 that ends at an anchor");
        }
    }

    private static boolean within(IpAddress address, IpPrefix prefix) {
        return address.bits() == prefix.address().bits() && prefix.contains(address);
    }

    private static String some(List<?> all) {
        return all.stream().limit(3).map(Object::toString).collect(Collectors.joining(", "))
                + (all.size() > 3 ? ", …" : "");
    }

    /** An anchor finds a session by the destination of packets; a gateway receives GTP-U, and needs no address. */
    private static void addresses(Session session, Slice slice, Findings findings) {
        if (slice.core().anchor() && session.ues().isEmpty()) {
            findings.unfeasible(
                    "/ue",
                    "slice " + slice.name() + " ends at the anchor "
                            + slice.core().node() + ", which knows a session by the addresses of its UE",
                    "give the UE's address, such as [\"10.60.0.1/32\"]");
        }
        Set<IpPrefix> seen = new HashSet<>();
        for (int i = 0; i < session.ues().size(); i++) {
            if (!seen.add(session.ues().get(i))) {
                findings.invalid("/ue/" + i, session.ues().get(i) + " is given twice", "give it once");
            }
        }
    }

    private static String action(Entry entry) {
        if (entry instanceof GtpTunnel) {
            return Actions.SET_CLASS.name();
        }
        if (entry instanceof GtpRule rule) {
            return rule.does() instanceof GtpRule.Does.Discard ? Actions.GTP_DISCARD.name() : Actions.GTP_D.name();
        }
        return entry instanceof MySid ? Actions.MAP.name() : Actions.SEND_TO.name();
    }

    private static void require(Plan.Placed placed, Slice slice, CompileContext context, Findings findings) {
        Entry entry = placed.entry();
        String action = action(entry);
        String table = entry.key().table();
        boolean lacks = context.capabilities(placed.node())
                .filter(can -> !can.offers(table, action))
                .isPresent();
        if (lacks) {
            String field = entry instanceof GtpRule || entry instanceof MySid
                    ? "/forwarding"
                    : !(entry instanceof Ue)
                                    && placed.node().equals(slice.access().gateway())
                            ? "/uplink"
                            : entry instanceof Ue ? "/ue" : "/downlink";
            findings.unfeasible(
                    field,
                    "the pipeline of node " + placed.node() + " has no action " + action + " in table " + table
                            + ", which a session needs there",
                    "choose another gateway for the slice, or match its packets without sessions");
        }
    }
}
