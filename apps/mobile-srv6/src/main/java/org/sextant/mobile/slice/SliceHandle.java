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
import org.sextant.core.table.GtpTunnel;
import org.sextant.core.table.Ue;
import org.sextant.core.underlay.GtpSids;
import org.sextant.mobile.Mode;
import org.sextant.mobile.Session;
import org.sextant.mobile.Session.Tunnel;
import org.sextant.mobile.Slice;

/**
 * What the sessions of a slice have to know of it. As long as this is equal, so are their entries: another path of the
 * slice is another list under the same id.
 *
 * @param sessionClass that their tunnels have
 * @param downlink how packets to UEs enter the slice at its anchor; empty at a gateway, where GTP-U comes from the UPF
 */
public record SliceHandle(Slice slice, int sessionClass, Optional<Downlink> downlink) {
    private static final int MAIN = 0;

    /**
     * @param sidList the slice's list at the anchor; 0: none
     * @param argumentsAt the bit of the last SID where Args.Mob.Session goes, behind the gNB's address if {@code behind}
     * @param behind what completed with the gNB's address and the arguments is the last SID; empty: the gNB is
     * @param source prefix of the outer source, which the UPF's address completes; empty: the node's own
     * @param sourceAt the bit of the source where the UPF's address goes
     */
    public record Downlink(int sidList, int argumentsAt, Optional<Ipv6> behind, Optional<Ipv6> source, int sourceAt) {}

    /** The same of a slice about which only that is said which its sessions depend on: other hops are no news to them. */
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
                false);
        return new SliceHandle(ends, sessionClass, downlink);
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
        return entries;
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
