// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.livelive.LabNetwork.FIG4;
import static org.sextant.livelive.LabNetwork.SIX;
import static org.sextant.livelive.LabNetwork.changed;
import static org.sextant.livelive.LabNetwork.joins;
import static org.sextant.livelive.LabNetwork.plan;
import static org.sextant.livelive.LabNetwork.problems;
import static org.sextant.livelive.LabNetwork.withLinks;
import static org.sextant.livelive.LabNetwork.without;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Network;
import org.sextant.core.net.Overload;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Copy;
import org.sextant.core.table.DedupFlow;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Epoch;
import org.sextant.core.table.Flow;
import org.sextant.core.table.MulticastGroup;
import org.sextant.core.table.MySid;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Ternary;

class LiveLiveCompilerTest {

    /** docs/reference/livelive.md, "A flow as entries", in the lab's network. */
    @Test
    void two_paths_become_the_entries_of_the_reference() {
        Plan plan = plan("{'from':'a','to':'b','paths':2,'family':'ipv6'}", SIX);
        int list1 = 0x80000000 | 5 << 4 | 1;
        int list2 = 0x80000000 | 5 << 4 | 2;
        assertThat(plan.problems()).isEmpty();
        assertThat(plan.entries())
                .containsExactly(
                        new Placed("e2", dedup("fcbb:bbbb:e20:f101::/64", 1)),
                        new Placed("e2", dedup("fcbb:bbbb:e20:f102::/64", 2)),
                        new Placed("e2", new DedupFlow(0x5_0c6c, 3)),
                        new Placed("e1", list(list1, "fcbb:bbbb:c10:e20:f101::")),
                        new Placed("e1", new Copy(5, 1, list1)),
                        new Placed("e1", list(list2, "fcbb:bbbb:c20:e20:f102::")),
                        new Placed("e1", new Copy(5, 2, list2)),
                        new Placed(
                                "e1",
                                new Flow(
                                        10,
                                        0,
                                        IpPrefix.parse("fd00:0:1::2/128"),
                                        IpPrefix.parse("fd00:0:2::2/128"),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        0x5_0c6c,
                                        5,
                                        2)));
        assertThat(plan.explanation()
                        .at("/directions/0/paths/0/encapsulationBytes")
                        .intValue())
                .isEqualTo(80);
    }

    private static MySid dedup(String prefix, int path) {
        return new MySid(IpPrefix.parse(prefix), new Behavior.Dedup(0, path));
    }

    private static SidList list(int id, String... segments) {
        return new SidList(
                id,
                List.of(new SidList.Member(
                        1, java.util.Arrays.stream(segments).map(Ipv6::parse).toList())));
    }

    private static List<Flow> flows(Plan plan) {
        return plan.entries().stream()
                .filter(placed -> placed.entry() instanceof Flow)
                .map(placed -> (Flow) placed.entry())
                .toList();
    }

    private static Map<Integer, String> segments(Plan plan) {
        Map<Integer, String> segments = new TreeMap<>();
        plan.explanation()
                .at("/directions/0/paths")
                .forEach(path -> segments.put(
                        path.get("path").intValue(), path.get("segments").toString()));
        return segments;
    }

    @Test
    void paths_avoid_overloaded_nodes_as_long_as_they_are_as_many() {
        Overload drained = new Overload(Instant.EPOCH, true);
        Network network = SIX.withOverloads(new TreeMap<>(Map.of("c1", drained, "c3", drained, "e2", drained)));
        assertThat(segments(plan("{'from':'a','to':'b','paths':4}", network)).toString())
                .doesNotContain(":c10:", ":c30:");
        assertThat(segments(plan("{'from':'a','to':'b','paths':5}", network)).toString())
                .contains(":c10:", ":c30:");
    }

    @Test
    void both_families_share_flow_id_and_group() {
        List<Flow> flows = flows(plan("{'from':'a','to':'b','paths':2,'protocol':'tcp','destinationPort':5201}", SIX));
        assertThat(flows)
                .extracting(flow -> flow.destination().toString())
                .containsExactly("fd00:0:2::2/128", "10.0.2.2/32");
        assertThat(flows).extracting(Flow::flowId).containsOnly(0x5_0c6c);
        assertThat(flows).extracting(Flow::group).containsOnly(5);
        assertThat(flows).extracting(Flow::ipProtocol).containsOnly(Optional.of(new Ternary(6, 0xff)));
        assertThat(flows).extracting(Flow::destinationPort).containsOnly(Optional.of(new Ternary(5201, 0xffff)));
    }

    /** docs/reference/livelive.md, Flow ID: sequence numbers of another ingress are unrelated to those before. */
    @Test
    void a_flow_that_begins_at_another_node_is_another_one_to_the_egress() {
        String flow = "{'from':'2001:db8:9::/64','to':'h31','paths':2,'ingress':'%s'}";
        Flow before = flows(plan(flow.formatted("l1"), FIG4)).get(0);
        Flow after = flows(plan(flow.formatted("l2"), FIG4)).get(0);
        assertThat(after.group()).isEqualTo(before.group());
        assertThat(after.flowId()).isNotEqualTo(before.flowId());
    }

    @Test
    void a_symmetric_flow_comes_back_over_the_same_paths_with_ports_swapped() {
        Plan plan = plan(
                "{'from':'a','to':'b','paths':2,'symmetry':'symmetric','protocol':'tcp','destinationPort':5201}", SIX);
        assertThat(flows(plan)).extracting(Flow::flowId).containsExactly(0x5_0c6c, 0x5_0c6c, 0x6_0c6d, 0x6_0c6d);
        assertThat(flows(plan).get(2).sourcePort()).contains(new Ternary(5201, 0xffff));
        assertThat(plan.explanation().at("/directions/1/paths/0/nodes").toString())
                .isEqualTo("[\"e2\",\"c1\",\"e1\"]");
        assertThat(plan.explanation().at("/directions/1/window").intValue()).isEqualTo(4);
    }

    @Test
    void a_path_that_the_underlay_would_leave_is_pinned_at_every_such_node_the_ingress_included() {
        Network detour = withLinks(SIX, link -> joins(link, "e1", "c2") ? changed(link, 100, true) : link);
        assertThat(segments(plan("{'from':'a','to':'b','paths':'disjoint'}", detour)))
                .containsEntry(1, "[\"fcbb:bbbb:c10:e20:f101::\"]")
                .containsEntry(2, "[\"fcbb:bbbb:e10:e002:c20:e20:f102:0\"]");
    }

    @Test
    void paths_keep_their_numbers_when_another_fails() {
        Plan before = plan("{'from':'a','to':'b','paths':3}", SIX);
        Plan after = plan("{'from':'a','to':'b','paths':3}", without(SIX, "e1", "c2"));
        assertThat(segments(before).keySet()).containsExactly(1, 2, 3);
        assertThat(segments(after).keySet()).containsExactly(1, 3, 4);
        assertThat(segments(after))
                .containsEntry(1, segments(before).get(1))
                .containsEntry(3, segments(before).get(3));
        assertThat(flows(after)).extracting(Flow::copies).containsOnly(4);
    }

    @Test
    void what_fails_later_makes_a_flow_fall_short_and_not_fail() {
        Network one = SIX;
        for (String middle : List.of("c1", "c2", "c3", "c4", "c5")) {
            one = without(one, "e1", middle);
        }
        Plan plan = plan("{'from':'a','to':'b','paths':3,'shortfall':'refuse'}", one);
        assertThat(plan.problems()).isEmpty();
        assertThat(segments(plan).keySet()).containsExactly(6);
        assertThat(plan.warnings().get(0)).contains("only one path leads from e1 to e2, not 3");
        assertThat(plan("{'from':'a','to':'b','paths':3}", without(one, "e2", "c6"))
                        .dependsOn())
                .isSameAs(Dependence.EVERYTHING);
        assertThat(plan("{'from':'a','to':'b','paths':3}", without(one, "e2", "c6"))
                        .problems()
                        .get(0)
                        .message())
                .isEqualTo("no path of links that are up leads from e1 to e2");
    }

    @Test
    void figure_4_has_two_paths_and_says_what_a_third_would_share() {
        String three = "{'from':'h11','to':'h31','paths':3,'shortfall':'%s'}";
        assertThat(problems(three.formatted("refuse"), FIG4)).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo("/paths");
            assertThat(problem.message())
                    .contains("only one path leads from l1 to l3, not 3; one more would share link l1/1-l2/1");
        });
        Plan relaxed = plan("{'from':'h11','to':'h31','paths':2,'shortfall':'relax'}", FIG4);
        assertThat(relaxed.explanation().get("relaxed").findValuesAsText("shared"))
                .contains("l1/1-l2/1", "l2");
        assertThat(relaxed.explanation().get("found").intValue()).isEqualTo(2);
        assertThat(relaxed.warnings()).contains("paths 1 and 2 share link l1/1-l2/1");
        Network two = SIX;
        for (String middle : List.of("c3", "c4", "c5", "c6")) {
            two = without(two, "e1", middle);
        }
        assertThat(plan("{'from':'a','to':'b','paths':3}", two).warnings())
                .containsExactly("only 2 different paths lead from e1 to e2, not 3");
    }

    @Test
    void given_paths_are_numbered_as_listed_and_one_that_is_down_leaves_a_gap() {
        String given = "{'from':'a','to':'b','paths':[['e1','c4','e2'],['e1','e1/2-c2/1','c2','e2'],['e1','c1','e2']]}";
        assertThat(segments(plan(given, SIX)))
                .containsEntry(1, "[\"fcbb:bbbb:c40:e20:f101::\"]")
                .containsEntry(2, "[\"fcbb:bbbb:c20:e20:f102::\"]")
                .containsEntry(3, "[\"fcbb:bbbb:c10:e20:f103::\"]");
        Plan gap = plan(given, without(SIX, "c2", "e2"));
        assertThat(segments(gap).keySet()).containsExactly(1, 3);
        assertThat(gap.warnings())
                .anyMatch(warning -> warning.contains("/paths/1 is out of use: link c2/2-e2/2 is down"));
    }

    @Test
    void what_this_network_cannot_do_is_said_at_its_field() {
        assertProblem("{'from':'a','to':'x','paths':2}", "/to", "there is no host \"x\"");
        assertProblem("{'from':'a','to':'fd00:0:1::7','paths':2}", "/to", "no host of fd00:0:1::7 is known");
        assertProblem("{'from':'a','to':'fd00:0:9::/64','paths':2,'egress':'e1'}", "/to", "are both at e1");
        assertProblem("{'from':'a','to':'b','paths':2,'ingress':'e2'}", "/ingress", "a is attached to e1, not to e2");
        assertProblem("{'from':'a','to':'b','paths':2,'egress':'x'}", "/egress", "there is no node \"x\"");
        assertProblem(
                "{'from':'fd00::/16','ingress':'e1','to':'fd00:0:2::/48','egress':'e2','paths':2,'symmetry':'symmetric'}",
                "/symmetry",
                "also ones of the way back");
        assertProblem(
                "{'from':'a','to':'10.0.2.2','family':'ipv6','paths':2}", "/family", "no addresses of family ipv6");
        assertProblem(
                "{'from':'a','to':'b','paths':[['e1','c1','e2'],['e1','c2']]}", "/paths/1", "does not lead from e1");
        assertProblem("{'from':'a','to':'b','paths':[['e1','c1','e2'],['e1','e2']]}", "/paths/1/1", "not neighbours");
        assertProblem(
                "{'from':'a','to':'b','paths':[['e1','c1','e2'],['e1','x','e2']]}", "/paths/1/1", "no node \"x\"");
        assertProblem(
                "{'from':'a','to':'b','paths':[['e1','c1','e2'],['e1','e1/9-c2/1','c2','e2']]}",
                "/paths/1/2",
                "no link e1/9-c2/1");
    }

    private static void assertProblem(String flow, String field, String message) {
        assertThat(problems(flow, SIX)).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo(field);
            assertThat(problem.message()).contains(message);
        });
    }

    @Test
    void nodes_that_cannot_copy_or_deduplicate_are_named() {
        Capabilities plain =
                new Capabilities(Map.of("my_sid", Set.of("un", "ua"), "sid_list", Set.of("segments_1")), Map.of());
        Plan plan =
                plan("{'from':'a','to':'b','paths':2,'family':'ipv6'}", SIX, Map.of("e1", plain, "e2", plain), true);
        assertThat(plan.problems())
                .extracting(problem -> problem.field() + " " + problem.message())
                .containsExactly(
                        "/from node e1 copies no packets: its pipeline has no action replicate in table flow_v6",
                        "/from node e1 copies no packets: its pipeline has no action send_copy in table copy",
                        "/to node e2 de-duplicates no packets: its pipeline has no action dedup in table my_sid",
                        "/to node e2 de-duplicates no packets: its pipeline has no action deduplicate in table dedup_flow");
    }

    @Test
    void a_switch_whose_multicast_groups_cannot_be_written_is_named_with_what_it_lacks() {
        Capabilities bare = new Capabilities(
                Map.of(
                        "flow_v6", Set.of("replicate"),
                        "flow_v4", Set.of("replicate"),
                        "epoch", Set.of("set_epoch"),
                        "copy", Set.of("send_copy"),
                        "sid_list", Set.of("segments_6")),
                Map.of());
        assertThat(plan("{'from':'a','to':'b','paths':2}", SIX, Map.of("e1", bare), true)
                        .problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.field()).isEqualTo("/from");
                    assertThat(problem.message())
                            .isEqualTo(
                                    "node e1 copies no packets: its pipeline has no action copies in table multicast_group");
                });
        assertThat(plan(
                                "{'from':'a','to':'b','paths':2}",
                                SIX,
                                Map.of("e1", bare.with("multicast_group", "copies")),
                                true)
                        .feasible())
                .isTrue();
    }

    @Test
    void a_switch_gets_its_epoch_and_a_group_for_every_number_of_copies_and_other_nodes_nothing() {
        CopyingKind kind = new CopyingKind();
        CompileContext context = new CompileContext(
                SIX,
                Map.of(
                        "e1",
                        new Capabilities(Map.of("epoch", Set.of("set_epoch")), Map.of())
                                .with("multicast_group", "copies"),
                        "e2",
                        new Capabilities(Map.of("flow_v6", Set.of("replicate")), Map.of())));
        assertThat(kind.derive(context.underlay())).containsKeys("e1", "e2", "c1");
        List<Entry> entries = kind.compile(new NumberedIntent<>("e1", 0, "e1"), context).entries().stream()
                .map(Plan.Placed::entry)
                .toList();
        assertThat(entries)
                .hasSize(16)
                .contains(new Epoch(1), new MulticastGroup(1, 1, 1), new MulticastGroup(15, 1, 15));
        for (String other : List.of("e2", "c1")) {
            assertThat(kind.compile(new NumberedIntent<>(other, 0, other), context)
                            .entries())
                    .isEmpty();
        }
    }

    @Test
    void a_node_without_un_is_gone_around() {
        Capabilities none = new Capabilities(Map.of(), Map.of());
        Plan plan = plan("{'from':'a','to':'b','paths':2}", SIX, Map.of("c1", none), true);
        assertThat(segments(plan).keySet()).containsExactly(2, 3);
    }

    @Test
    void a_link_too_small_for_the_copies_is_a_warning() {
        Network small = withLinks(
                SIX,
                link -> link.from().node().equals("c1") && link.to().node().equals("e2")
                        ? new org.sextant.core.net.Link(link.from(), link.to(), 1, 1, 0, 1500, Set.of(), Set.of(), true)
                        : link);
        assertThat(plan("{'from':'a','to':'b','paths':2}", small).warnings())
                .containsExactly("link c1/2-e2/1 takes packets of 1500 bytes, but an inner packet of 1500 bytes needs"
                        + " 1580: raise its MTU, or let hosts send at most 1420 bytes");
    }

    /** A Linux node keeps the datagram of each fragment. */
    @Test
    void that_a_switch_does_not_copy_fragments_of_ports_is_a_warning() {
        String flow = "{'from':'a','to':'b','paths':2%s}";
        assertThat(warnings(flow.formatted(",'protocol':'udp','destinationPort':5004"), true))
                .containsExactly(
                        "packets of the flow that are sent in fragments are not copied: e1 cannot assign fragments"
                                + " to flows; let hosts send what fits, or leave the ports out");
        assertThat(warnings(flow.formatted(",'protocol':'udp','family':'ipv6'"), true))
                .hasSize(1);
        assertThat(warnings(flow.formatted(",'protocol':'udp','family':'ipv4'"), true))
                .isEmpty();
        assertThat(warnings(flow.formatted(""), true)).isEmpty();
        assertThat(warnings(flow.formatted(",'protocol':'udp','destinationPort':5004"), false))
                .isEmpty();
    }

    private static List<String> warnings(String flow, boolean epoch) {
        Map<String, Set<String>> actions = new TreeMap<>(Map.of(
                "flow_v6",
                Set.of("replicate"),
                "flow_v4",
                Set.of("replicate"),
                "copy",
                Set.of("send_copy"),
                "sid_list",
                Set.of("segments_1", "segments_6"),
                "my_sid",
                Set.of("un", "ua", "dedup"),
                "dedup_flow",
                Set.of("deduplicate")));
        if (epoch) {
            actions.put("epoch", Set.of("set_epoch"));
            actions.put("multicast_group", Set.of("copies"));
        }
        return plan(flow, SIX, Map.of("e1", new Capabilities(actions, Map.of())), true)
                .warnings();
    }

    @Test
    void the_spread_of_delays_is_that_of_the_longest_and_the_shortest_path() {
        Map<String, Long> delays = Map.of("c1", 300L, "c2", 900L);
        Network slow = withLinks(
                SIX,
                link -> new org.sextant.core.net.Link(
                        link.from(),
                        link.to(),
                        10,
                        10,
                        delays.getOrDefault(link.to().node(), 0L),
                        0,
                        Set.of(),
                        Set.of(),
                        true));
        assertThat(plan("{'from':'a','to':'b','paths':2}", slow)
                        .explanation()
                        .get("delaySpreadMicros")
                        .intValue())
                .isEqualTo(600);
    }

    @Test
    void taps_say_where_a_plan_is_counted() {
        List<Taps> taps = Taps.of(plan("{'from':'a','to':'b','paths':2,'symmetry':'symmetric'}", SIX));
        assertThat(taps).hasSize(2);
        assertThat(taps.get(0))
                .isEqualTo(new Taps("e1", "e2", 0x5_0c6c, 5, 3, new java.util.TreeSet<>(Set.of(1, 2)), 0));
        assertThat(taps.get(1).egress()).isEqualTo("e1");
    }
}
