// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.Facts;
import org.sextant.core.filter.KeyField;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.filter.RuleSet.Row;
import org.sextant.core.filter.Verdict;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib.Adjacency;
import org.sextant.core.sid.Trace.Branch;
import org.sextant.core.sid.Trace.Reason;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.Sera;

/** A firewall at f, functions at i and d in a row: every verdict that the traffic can get is walked to its end. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FirewallWalkTest {
    private static final String FUNCTION = "f:f230::";
    private static final Box WEB = Box.within(KeyField.DST, IpPrefix.parse("fd00:d::/64"));
    private final TestFib fib = row();

    private static TestFib row() {
        TestFib fib = new TestFib();
        List<String> nodes = List.of("a", "f", "1", "d");
        for (int i = 0; i < nodes.size(); i++) {
            String node = nodes.get(i);
            fib.sid(node, "fcbb:bbbb:" + node + "::/48", new Behavior.Un(32, 16));
            fib.sid(node, "fcbb:bbbb:" + node + ":f00d::/64", new Behavior.Udt(Family.IPV6, 0));
            for (int j = 0; j < nodes.size(); j++) {
                if (i != j) {
                    String next = nodes.get(i < j ? i + 1 : i - 1);
                    fib.route(
                            node,
                            0,
                            "fcbb:bbbb:" + nodes.get(j) + "::/48",
                            new Adjacency(node + "-" + next, next, false));
                }
            }
        }
        return fib.sid("f", "fcbb:bbbb:f:f230::/60", new Sera(7, 3, 32, 32, 16, 4, 0xe000));
    }

    private static Row rule(int priority, String name, Box box, Verdict verdict) {
        return new Row(priority, box, verdict, false, name);
    }

    private static Box port(int port) {
        return Box.equal(KeyField.DST_PORT, port);
    }

    private Trace walk(String container, Row... rows) {
        return walk(List.of(container), List.of(WEB), rows);
    }

    private Trace walk(List<String> containers, List<Box> traffic, Row... rows) {
        fib.firewall("f", new RuleSet(7, List.of(rows)));
        List<Ipv6> segments =
                containers.stream().map(text -> Ipv6.parse("fcbb:bbbb:" + text)).toList();
        return Walk.encapsulate(fib, "a", true, segments, Payload.of(Family.IPV6), 64, traffic);
    }

    @Test
    void every_verdict_is_a_branch_and_a_drop_ends_well() {
        Trace trace = walk(
                "f:f230:1:d:f00d::",
                rule(9, "ssh", port(22), Verdict.DROP),
                rule(8, "dns-past-ids", port(53), Verdict.SKIP_NEXT),
                rule(7, "web", port(80), Verdict.GO_NEXT),
                rule(6, "tls", port(443), Verdict.GO_NEXT),
                rule(1, "default", Box.ALL, Verdict.DROP));
        assertThat(trace.arrives()).isTrue();
        assertThat(trace.hops()).extracting(Trace.Hop::node).containsExactly("a", "f", "1", "d");
        assertThat(trace.branches())
                .extracting(Branch::verdict)
                .containsExactly(Verdict.DROP, Verdict.GO_NEXT, Verdict.SKIP_NEXT);
        assertThat(trace.branches())
                .extracting(Branch::rules)
                .containsExactly(List.of("ssh", "default"), List.of("web", "tls"), List.of("dns-past-ids"));
        assertThat(trace.branches().get(0).hops()).hasSize(1);
        assertThat(trace.branches().get(2).hops())
                .extracting(Trace.Hop::behavior)
                .as("node 1 only routes: its uSID is skipped")
                .containsExactly("End.AN", "forward", "uDT6");
        assertThat(trace.arrivals())
                .singleElement()
                .satisfies(end -> assertThat(end.node()).isEqualTo("d"));
    }

    @Test
    void what_the_traffic_cannot_get_is_no_branch() {
        Box elsewhere = Box.within(KeyField.DST, IpPrefix.parse("fd00:e::/64"));
        Trace trace = walk(
                "f:f230:d:f00d::",
                rule(9, "others", elsewhere, Verdict.SKIP_NEXT),
                rule(8, "four", Box.equal(KeyField.IP_VERSION, 4), Verdict.SKIP_NEXT),
                rule(7, "listed", Box.having(KeyField.HAS_SRH), Verdict.SKIP_NEXT),
                rule(6, "called", Box.equal(KeyField.ARGS, 1), Verdict.SKIP_NEXT),
                rule(5, "web", WEB, Verdict.GO_NEXT),
                rule(4, "shadowed", port(53), Verdict.SKIP_NEXT));
        assertThat(trace.arrives()).isTrue();
        assertThat(trace.branches()).extracting(Branch::rules).containsExactly(List.of("web"));
        assertThat(walk(List.of("f:f230:d:f00d::"), List.of(WEB, elsewhere), rule(9, "o", elsewhere, Verdict.SKIP_NEXT))
                        .failure())
                .as("traffic of two prefixes is traffic of each")
                .isPresent();
    }

    @Test
    void next_and_last_segments_are_known() {
        Trace trace = walk(
                "f:f230:1:d:f00d::",
                rule(
                        9,
                        "to-the-ids",
                        Box.within(KeyField.NEXT_SID, IpPrefix.parse("fcbb:bbbb:1::/48")),
                        Verdict.GO_LAST),
                rule(1, "default", Box.ALL, Verdict.DROP));
        assertThat(trace.branches()).extracting(Branch::verdict).containsExactly(Verdict.GO_LAST);
        assertThat(trace.hops())
                .extracting(Trace.Hop::behavior)
                .containsExactly("H.Encaps.Red", "End.AN", "forward", "uDT6");
    }

    @Test
    void the_arguments_of_the_sid_choose() {
        Row eval = rule(1, "default", Box.ALL, Verdict.EVAL_ARGS);
        assertThat(walk("f:f231:1:d:f00d::", eval).hops())
                .extracting(Trace.Hop::behavior)
                .containsExactly("H.Encaps.Red", "End.AN", "forward", "uDT6");
        assertThat(walk("f:f230:1:d:f00d::", eval).hops())
                .extracting(Trace.Hop::behavior)
                .containsExactly("H.Encaps.Red", "End.AN", "uN", "uDT6");
        refused(
                walk("f:f235:1:d:f00d::", eval),
                Reason.UNKNOWN_ARGUMENTS,
                "node f finds the arguments 5 in fcbb:bbbb:f:f235:1:d:f00d:0, which say neither goNext (0) nor skipNext (1)"
                        + " nor goLast (2); rule \"default\" of the firewall at fcbb:bbbb:f:f230::/60 on node f says evalArgs");
    }

    @Test
    void a_verdict_that_leads_nowhere_is_refused_with_its_rule() {
        refused(
                walk(
                        "f:f230:d:f00d::",
                        rule(2, "dns", port(53), Verdict.SKIP_NEXT),
                        rule(1, "all", Box.ALL, Verdict.GO_NEXT)),
                Reason.NOWHERE_TO_GO,
                "node f finds nothing behind fcbb:bbbb:f:f230:d:f00d:: that skipNext could lead to; rule \"dns\" of the"
                        + " firewall at fcbb:bbbb:f:f230::/60 on node f says skipNext");
        refused(
                walk(
                        List.of("f:f230:1:f00d::", "d::"),
                        List.of(WEB),
                        rule(2, "dns", port(53), Verdict.GO_LAST),
                        rule(1, "all", Box.ALL, Verdict.DROP)),
                Reason.NOT_DECAPSULATED,
                "node d is the end of the segment list, but its SID fcbb:bbbb:d:: does not decapsulate; rule \"dns\" of the"
                        + " firewall at fcbb:bbbb:f:f230::/60 on node f says goLast");
    }

    @Test
    void where_all_is_dropped_the_path_is_what_it_would_be() {
        Trace trace = walk("f:f230:1:d:f00d::", rule(1, "default", Box.ALL, Verdict.DROP));
        assertThat(trace.arrives()).isTrue();
        assertThat(trace.hops()).extracting(Trace.Hop::node).containsExactly("a", "f", "1", "d");
        assertThat(trace.branches()).extracting(Branch::drops).containsExactly(true);
        assertThat(walk("f:f230:1:d:f00d::").branches()).as("no rule matches").isEmpty();
    }

    @Test
    void what_carries_another_outer_header_is_judged_by_that() {
        fib.sid("a", "fcbb:bbbb:a:eb06::/64", new Behavior.B6EncapsRed(6));
        fib.list("a", 6, List.of(List.of(Ipv6.parse("fcbb:bbbb:f:f230:1:f00d::"))));
        fib.firewall(
                "f",
                new RuleSet(
                        7,
                        List.of(
                                rule(2, "web", WEB, Verdict.SKIP_NEXT),
                                rule(1, "default", Box.equal(KeyField.IP_PROTOCOL, 41), Verdict.GO_NEXT))));
        Header header = Header.encapsulated(
                List.of(Ipv6.parse("fcbb:bbbb:a:eb06::"), Ipv6.parse("fcbb:bbbb:d:f00d::")),
                true,
                64,
                new Payload(Family.IPV6, Optional.empty()));
        Trace trace = Walk.from(fib, "a", header, List.of(WEB));
        assertThat(trace.failure()).isEmpty();
        assertThat(trace.branches()).extracting(Branch::rules).containsExactly(List.of("default"));
    }

    @Test
    void a_firewall_takes_a_hop_and_needs_its_rules() {
        fib.firewall("f", new RuleSet(7, List.of(rule(1, "all", Box.ALL, Verdict.GO_NEXT))));
        List<Ipv6> segments = List.of(Ipv6.parse("fcbb:bbbb:" + FUNCTION), Ipv6.parse("fcbb:bbbb:d:f00d::"));
        Trace two = Walk.encapsulate(fib, "a", true, segments, Payload.of(Family.IPV6), 2, List.of(WEB));
        assertThat(two.failure()).get().extracting(Trace.Failure::reason).isEqualTo(Reason.HOP_LIMIT);
        assertThat(Walk.encapsulate(row(), "a", true, segments, Payload.of(Family.IPV6))
                        .failure())
                .get()
                .satisfies(failure -> assertThat(failure.message())
                        .isEqualTo("node f has no rules for the firewall at fcbb:bbbb:f:f230::/60"));
    }

    @Test
    void one_packet_gets_one_verdict_and_where_that_is_drop_it_does_not_arrive() {
        fib.firewall(
                "f",
                new RuleSet(
                        7,
                        List.of(
                                rule(9, "ssh", port(22), Verdict.DROP),
                                rule(8, "dns", port(53), Verdict.SKIP_NEXT),
                                rule(7, "listed", Box.having(KeyField.HAS_SRH), Verdict.DROP),
                                rule(1, "default", Box.ALL, Verdict.GO_NEXT))));
        List<Ipv6> segments = List.of(Ipv6.parse("fcbb:bbbb:f:f230:1:d:f00d:0"));
        Facts packet = Facts.NONE.with(KeyField.IP_VERSION, 6).with(KeyField.SRC_PORT, 1);
        Trace web = follow(segments, packet.with(KeyField.DST_PORT, 80));
        assertThat(web.hops()).extracting(Trace.Hop::node).containsExactly("a", "f", "1", "d");
        assertThat(web.branches()).extracting(Branch::rules).containsExactly(List.of("default"));
        assertThat(web.hops().get(1).departing().orElseThrow().destination())
                .isEqualTo(Ipv6.parse("fcbb:bbbb:1:d:f00d::"));
        Trace dns = follow(segments, packet.with(KeyField.DST_PORT, 53));
        assertThat(dns.hops())
                .extracting(Trace.Hop::behavior)
                .contains("forward")
                .doesNotContain("uN");
        refused(
                follow(segments, packet.with(KeyField.DST_PORT, 22)),
                Reason.DROPPED,
                "node f drops it: rule \"ssh\" of the firewall at fcbb:bbbb:f:f230::/60 on node f says drop");
        List<Ipv6> listed = List.of(Ipv6.parse("fcbb:bbbb:f:f230::"), Ipv6.parse("fcbb:bbbb:d:f00d::"));
        assertThat(follow(listed, packet.with(KeyField.DST_PORT, 80)).failure())
                .get()
                .extracting(Trace.Failure::reason)
                .as("what the outer header says counts, too")
                .isEqualTo(Reason.DROPPED);
    }

    private Trace follow(List<Ipv6> segments, Facts packet) {
        return Walk.follow(fib, "a", true, segments, Payload.of(Family.IPV6), 64, packet);
    }

    private static void refused(Trace trace, Reason reason, String message) {
        assertThat(trace.failure()).get().satisfies(failure -> {
            assertThat(failure.message()).isEqualTo(message);
            assertThat(failure.reason()).isEqualTo(reason);
        });
    }
}
