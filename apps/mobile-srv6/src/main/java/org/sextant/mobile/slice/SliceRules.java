// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.GtpRule;
import org.sextant.core.table.GtpRule.Containers;
import org.sextant.core.table.GtpRule.Does;
import org.sextant.core.table.Ternary;
import org.sextant.core.underlay.GtpSids.Taking;
import org.sextant.kit.Family;
import org.sextant.mobile.Match;
import org.sextant.mobile.Slice;
import org.sextant.mobile.TeidRange;

/**
 * The rules of a slice at a gateway: the GTP-U that they match, and its treatment. The second rule of each pair matches
 * packets that cannot be translated.
 *
 * <pre>
 *   60  translate   the slice's sessions        50  carry or drop
 *   40  translate   its matches                 30  carry or drop
 *   20  translate   all packets, by default     10  carry or drop
 * </pre>
 *
 * A rule for inner IPv4 only has a priority one higher.
 *
 * @param sessionClass of its sessions
 * @param source the prefix of outer source addresses, if these contain the endpoint's address
 */
record SliceRules(
        Slice slice,
        int sessionClass,
        Direction direction,
        List<SlicePath> ways,
        Lists lists,
        Optional<Taking> source) {
    private static final int SESSIONS = 60;
    private static final int MATCHES = 40;
    private static final int DEFAULT = 20;
    private static final int REST = 10;
    private static final int QFI_MASK = 0x3f;
    private static final int DSCP_MASK = 0x3f;
    private static final int CLASS_MASK = 0xffff;
    private static final IpPrefix IPV4_INSIDE = new IpPrefix(new Ipv4(0), 0);

    /** The ids of the slice's lists. */
    interface Lists {
        int of(SlicePath way);
    }

    /** The match of a rule. */
    private record Asking(
            Optional<Ternary> sessionClass,
            Optional<IpPrefix> source,
            Optional<IpPrefix> destination,
            Optional<Ternary> teid,
            Optional<Ternary> qfi,
            Optional<Ternary> dscp,
            Optional<IpPrefix> innerSource,
            Optional<IpPrefix> innerDestination) {

        Asking withoutInside() {
            return new Asking(sessionClass, source, destination, teid, qfi, dscp, Optional.empty(), Optional.empty());
        }

        Optional<IpPrefix> inside() {
            return innerSource.or(() -> innerDestination);
        }

        /** The same match, restricted to inner IPv4. */
        Asking ipv4() {
            return new Asking(
                    sessionClass, source, destination, teid, qfi, dscp, Optional.of(IPV4_INSIDE), innerDestination);
        }

        GtpRule rule(int priority, Does does) {
            return new GtpRule(
                    priority,
                    0,
                    sessionClass,
                    source,
                    destination,
                    teid,
                    qfi,
                    dscp,
                    innerSource,
                    innerDestination,
                    does);
        }
    }

    List<GtpRule> all() {
        List<GtpRule> rules = new ArrayList<>();
        rules(sessions(), SESSIONS, rules);
        for (Match match : slice.matches()) {
            asking(match).forEach(asking -> rules(asking, MATCHES, rules));
        }
        if (slice.isDefault()) {
            asking(Match.ALL).forEach(asking -> rules(asking, DEFAULT, rules));
        }
        return rules.stream().distinct().toList();
    }

    private Asking sessions() {
        return new Asking(
                Optional.of(new Ternary(sessionClass, CLASS_MASK)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private Stream<Asking> asking(Match match) {
        List<Asking> all = new ArrayList<>();
        for (IpPrefix gnb : gnbs(match)) {
            for (IpAddress upf : slice.core().upfs()) {
                for (Optional<Ternary> teid : teids(match)) {
                    for (Optional<Ternary> qfi : qfis(match)) {
                        all.add(asking(match, gnb, new IpPrefix(upf, upf.bits()), teid, qfi));
                    }
                }
            }
        }
        return all.stream();
    }

    private Asking asking(Match match, IpPrefix gnb, IpPrefix upf, Optional<Ternary> teid, Optional<Ternary> qfi) {
        boolean up = direction.up();
        return new Asking(
                Optional.empty(),
                Optional.of(up ? gnb : upf),
                Optional.of(up ? upf : gnb),
                teid,
                qfi,
                match.dscp().map(dscp -> new Ternary(dscp, DSCP_MASK)),
                up ? match.ue() : Optional.empty(),
                up ? Optional.empty() : match.ue());
    }

    /** The slice's gNBs that the match includes. */
    private List<IpPrefix> gnbs(Match match) {
        if (match.gnb().isEmpty()) {
            return slice.access().gnbs();
        }
        IpPrefix wanted = match.gnb().get();
        return slice.access().gnbs().stream()
                .filter(gnb -> gnb.contains(wanted.address()) || wanted.contains(gnb.address()))
                .map(gnb -> gnb.length() > wanted.length() ? gnb : wanted)
                .distinct()
                .toList();
    }

    private static List<Optional<Ternary>> teids(Match match) {
        return match.teids()
                .map(TeidRange::masks)
                .map(masks -> masks.stream().map(Optional::of).toList())
                .orElse(List.of(Optional.empty()));
    }

    private static List<Optional<Ternary>> qfis(Match match) {
        return match.qfis().isEmpty()
                ? List.of(Optional.empty())
                : match.qfis().stream()
                        .map(qfi -> Optional.of(new Ternary(qfi, QFI_MASK)))
                        .toList();
    }

    private void rules(Asking asking, int priority, List<GtpRule> rules) {
        boolean translates = false;
        for (SlicePath way : ways) {
            switch (way.ending()) {
                case GTP -> rules.add(asking.rule(priority, translate(way)));
                case IPV4 -> inside(asking, Family.IPV4, priority, way, rules);
                case IPV6 -> inside(asking, Family.IPV6, priority, way, rules);
                default -> {}
            }
            translates |= way.ending() != EndTreatment.WHOLE;
        }
        Does rest = ways.stream()
                .filter(way -> way.ending() == EndTreatment.WHOLE)
                .findFirst()
                .<Does>map(way -> new Does.Carry(lists.of(way)))
                .orElse(new Does.Discard());
        rules.add((translates ? asking.withoutInside() : asking).rule(translates ? priority - REST : priority, rest));
    }

    /**
     * The rules for packets that a SID of one family decapsulates; that of IPv6 has no prefix and matches all packets,
     * so its priority is lower.
     */
    private void inside(Asking asking, Family family, int priority, SlicePath way, List<GtpRule> rules) {
        Optional<Family> wanted = asking.inside().map(Family::of);
        if (wanted.filter(one -> one != family).isPresent()) {
            return;
        }
        if (family == Family.IPV4 && wanted.isEmpty()) {
            rules.add(asking.ipv4().rule(priority + 1, translate(way)));
        } else {
            rules.add(asking.rule(priority + (family == Family.IPV4 ? 1 : 0), translate(way)));
        }
    }

    private Does translate(SlicePath way) {
        boolean four = slice.family() == Family.IPV4;
        boolean addressed = four && way.ending() == EndTreatment.GTP;
        int at = way.argumentsAt();
        return new Does.Translate(
                lists.of(way),
                addressed ? at + Integer.SIZE : at,
                addressed ? at : 0,
                source.map(taking -> (Ipv6) taking.sid().sid().address()).orElse(Ipv6.ZERO),
                source.map(Taking::at).orElse(0),
                !four && way.ending() == EndTreatment.GTP,
                slice.dropsSequence(),
                direction.up() ? Containers.UPLINK : Containers.DOWNLINK);
    }
}
