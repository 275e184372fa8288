// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.Facts;
import org.sextant.core.filter.KeyField;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.filter.Verdict;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.Sera;

/** Computes the verdicts that packets with one header can get at a firewall. */
final class FirewallVerdicts {
    private static final int IPV6_INSIDE = 41;
    private static final int IPV4_INSIDE = 4;

    private FirewallVerdicts() {}

    /**
     * The verdicts that packets with this header can get, and by which rules.
     *
     * @param traffic of users: all packets that the header may contain
     */
    static Map<Verdict, Set<String>> verdicts(RuleSet rules, Sera sera, Header header, List<Box> traffic) {
        Box outer = outer(sera, header);
        Set<RuleSet.Row> reachable = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Box users : header.inner() instanceof Header inner ? List.of(inside(inner)) : traffic) {
            users.intersect(outer).ifPresent(box -> reachable.addAll(rules.reachable(box)));
        }
        Map<Verdict, Set<String>> verdicts = new EnumMap<>(Verdict.class);
        rules.rows().stream()
                .filter(reachable::contains)
                .forEach(row -> verdicts.computeIfAbsent(row.verdict(), none -> new LinkedHashSet<>())
                        .add(row.rule()));
        return verdicts;
    }

    /** The verdict that one packet gets with this header, and by which rule; where none takes it, it is dropped. */
    static Map<Verdict, Set<String>> verdict(RuleSet rules, Sera sera, Header header, Facts packet) {
        Facts inside = header.inner() instanceof Header inner ? facts(inner) : packet;
        return rules.judge(Seen.pushed(inside, sera, header))
                .map(row -> Map.of(row.verdict(), Set.of(row.rule())))
                .orElse(Map.of(Verdict.DROP, Set.of("none")));
    }

    /** A second outer header is the packet inside of the first; its source is not checked. */
    private static Facts facts(Header inner) {
        return Facts.NONE
                .with(KeyField.IP_VERSION, 6)
                .with(KeyField.DST, inner.destination())
                .with(KeyField.IP_PROTOCOL, inner.inner().family() == Family.IPV6 ? IPV6_INSIDE : IPV4_INSIDE);
    }

    /** The facts that hold of all packets with this header. */
    private static Box outer(Sera sera, Header header) {
        boolean six = header.inner().family() == Family.IPV6;
        Optional<Header.Srh> srh = header.srh();
        Optional<Ipv6> previous = srh.filter(list -> list.segmentsLeft() < list.lastEntry())
                .map(list -> list.segments().get(list.segmentsLeft() + 1));
        Optional<Ipv6> next = Program.after(Verdict.GO_NEXT, sera, header).map(Header::destination);
        Ipv6 last = srh.map(list -> list.segments().get(0)).orElse(header.destination());
        return Box.equal(KeyField.IP_VERSION, six ? 6 : 4)
                .and(Box.equal(KeyField.LAST_SID, last))
                .and(Box.equal(KeyField.ARGS, Program.arguments(sera, header.destination())))
                .and(previous.map(sid -> Box.equal(KeyField.PREVIOUS_SID, sid))
                        .orElse(Box.lacking(KeyField.HAS_PREVIOUS_SID)))
                .and(next.map(sid -> Box.equal(KeyField.NEXT_SID, sid)).orElse(Box.lacking(KeyField.HAS_NEXT_SID)))
                .and(srh.map(list -> Box.equal(KeyField.SRH_NEXT_HDR, six ? IPV6_INSIDE : IPV4_INSIDE)
                                .and(Box.equal(KeyField.SEGMENTS_LEFT, list.segmentsLeft()))
                                .and(Box.equal(KeyField.LAST_ENTRY, list.lastEntry())))
                        .orElse(Box.lacking(KeyField.HAS_SRH)));
    }

    /** A second outer header is the packet inside of the first. */
    private static Box inside(Header inner) {
        boolean six = inner.inner().family() == Family.IPV6;
        return Box.equal(KeyField.DST, inner.destination())
                .and(Box.equal(KeyField.IP_PROTOCOL, six ? IPV6_INSIDE : IPV4_INSIDE));
    }
}
