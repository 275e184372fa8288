// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Arguments;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.GtpRule;
import org.sextant.core.table.GtpRule.Containers;
import org.sextant.core.table.GtpRule.Does;
import org.sextant.core.table.GtpTunnel;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Ternary;
import org.sextant.core.table.Ue;
import org.sextant.core.underlay.GtpSids;
import org.sextant.kit.Metadata;
import org.sextant.mobile.Mode;
import org.sextant.mobile.Session;
import org.sextant.mobile.Session.IndirectForwarding;
import org.sextant.mobile.Session.Tunnel;
import org.sextant.mobile.Slice;

/**
 * The exports of a slice to its sessions. While it is equal, so are their entries: another path of the slice is another
 * list with the same id.
 *
 * @param sessionClass the class of their tunnels
 * @param downlink the entry of packets to UEs at the slice's anchor; empty at a gateway, where GTP-U comes from the UPF
 * @param forward the path of a handover's packets to the anchor and from there to another gNB; empty if there is none
 */
public record SliceHandle(Slice slice, int sessionClass, Optional<Downlink> downlink, Optional<Forward> forward) {
    private static final int MAIN = 0;
    private static final int QFI_MASK = 0x3f;
    private static final int TEID_MASK = -1;

    /** Above the priorities of {@link SliceRules}. */
    private static final int FORWARDED = 70;

    /**
     * Packets of a forwarding tunnel that belong to other flows, or cannot be translated, are dropped: they would
     * return to the source gNB.
     */
    private static final int NOT_FORWARDED = 69;

    /**
     * @param sidList the slice's list at the anchor; 0: none
     * @param argumentsAt the bit of the last SID where Args.Mob.Session begins, after the gNB's address if
     *     {@code behind} is present
     * @param behind the template of the last SID, to complete with the gNB's address and the arguments; empty: the gNB
     *     is the last
     * @param source prefix of the outer source, which the UPF's address completes; empty: the node's own
     * @param sourceAt the bit of the source where the UPF's address begins
     */
    public record Downlink(int sidList, int argumentsAt, Optional<Ipv6> behind, Optional<Ipv6> source, int sourceAt) {}

    /**
     * @param sidList the list at the access gateway, whose last SID is {@code end}
     * @param end the SID at the anchor; the arguments of a session follow it
     * @param source prefix of the outer source, which the source gNB's address completes; empty: the node's own
     * @param sourceAt the bit of the source where that address begins
     * @param dropsSequence true if GTP-U may lose its numbers
     */
    public record Forward(int sidList, IpPrefix end, Optional<Ipv6> source, int sourceAt, boolean dropsSequence) {}

    /** A handle whose slice has only the fields on which its sessions depend, and no hops. */
    SliceHandle withoutPaths() {
        Slice ends = new Slice(
                slice.name(),
                Optional.empty(),
                List.of(),
                Mode.TRADITIONAL,
                slice.access(),
                slice.core(),
                List.of(),
                Optional.empty(),
                List.of(),
                false,
                GtpSids.Container.ALWAYS,
                true,
                false,
                Metadata.NONE);
        return new SliceHandle(ends, sessionClass, downlink, forward);
    }

    /** The entries of a session. */
    public List<Placed> entries(Session session) {
        List<Placed> entries = new ArrayList<>();
        entries.add(new Placed(slice.access().gateway(), tunnel(session.uplink())));
        session.downlink().ifPresent(tunnel -> {
            if (downlink.isEmpty()) {
                entries.add(new Placed(slice.core().node(), tunnel(tunnel)));
            } else {
                session.ues()
                        .forEach(ue ->
                                entries.add(new Placed(slice.core().node(), ue(downlink.get(), ue, session, tunnel))));
            }
        });
        session.forwarding().ifPresent(forwarding -> forward.ifPresent(way -> forwarding(way, forwarding, entries)));
        return entries;
    }

    /**
     * The source gNB's tunnel belongs to its session like any other, so that no other session has it; rules of its own
     * steer its packets to the anchor with its arguments, and End.MAP at the anchor replaces these by the target gNB's.
     */
    private void forwarding(Forward way, IndirectForwarding forwarding, List<Placed> entries) {
        String access = slice.access().gateway();
        entries.add(new Placed(access, tunnel(forwarding.from())));
        Does translate = new Does.Translate(
                way.sidList(),
                way.end().length(),
                0,
                way.source().orElse(Ipv6.ZERO),
                way.sourceAt(),
                false,
                way.dropsSequence(),
                Containers.ANY);
        for (int qfi : forwarding.qfis()) {
            entries.add(new Placed(
                    access, rule(FORWARDED, forwarding.from(), Optional.of(new Ternary(qfi, QFI_MASK)), translate)));
            for (boolean rqi : new boolean[] {false, true}) {
                entries.add(new Placed(slice.core().node(), map(way, forwarding, qfi, rqi)));
            }
        }
        entries.add(new Placed(access, rule(NOT_FORWARDED, forwarding.from(), Optional.empty(), new Does.Discard())));
    }

    private static GtpRule rule(int priority, Tunnel from, Optional<Ternary> qfi, Does does) {
        IpAddress endpoint = from.endpoint();
        return new GtpRule(
                priority,
                MAIN,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new IpPrefix(endpoint, endpoint.bits())),
                Optional.of(new Ternary(from.teid(), TEID_MASK)),
                qfi,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                does);
    }

    private MySid map(Forward way, IndirectForwarding forwarding, int qfi, boolean rqi) {
        Downlink to = downlink.orElseThrow();
        Ipv6 end = (Ipv6) way.end().address();
        int at = way.end().length();
        long from40 = Session.arguments(qfi, rqi, forwarding.from().teid());
        Ipv6 sid = Arguments.of(from40, GtpSids.SESSION_BITS).in(end, at);
        long to40 = Session.arguments(qfi, rqi, forwarding.to().teid());
        Arguments arguments = Arguments.of(to40, GtpSids.SESSION_BITS)
                .behind(address(forwarding.to().endpoint()));
        return new MySid(
                new IpPrefix(sid, at + GtpSids.SESSION_BITS),
                new Behavior.Mapping(arguments.in(to.behind().orElseThrow(), to.argumentsAt())));
    }

    private GtpTunnel tunnel(Tunnel tunnel) {
        return new GtpTunnel(MAIN, tunnel.endpoint(), tunnel.teid(), sessionClass);
    }

    private static Ue ue(Downlink way, IpPrefix ue, Session session, Tunnel gnb) {
        long session40 = Session.arguments(session.qfi(), session.rqi(), gnb.teid());
        if (way.behind().isEmpty()) {
            return new Ue(MAIN, ue, way.sidList(), way.argumentsAt(), session40, (Ipv6) gnb.endpoint(), Ipv6.ZERO);
        }
        Arguments arguments = Arguments.of(session40, GtpSids.SESSION_BITS).behind(address(gnb.endpoint()));
        Ipv6 source = way.source()
                .map(prefix -> address(session.uplink().endpoint()).in(prefix, way.sourceAt()))
                .orElse(Ipv6.ZERO);
        return new Ue(MAIN, ue, way.sidList(), 0, 0, arguments.in(way.behind().get(), way.argumentsAt()), source);
    }

    private static Arguments address(IpAddress address) {
        return Arguments.of(Integer.toUnsignedLong(((Ipv4) address).value()), Integer.SIZE);
    }
}
