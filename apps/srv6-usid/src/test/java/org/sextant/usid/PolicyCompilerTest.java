// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;

/** The effects of strict and loose hops, link failures, MTUs and long headers on a plan. */
class PolicyCompilerTest {

    private static List<String> containers(String policy, Network network) {
        Plan plan = Fig4.plan(policy, network, Map.of());
        assertThat(plan.problems()).isEmpty();
        return PaperPolicyTest.texts(plan.explanation().get("directions").get(0).get("containers"));
    }

    @Test
    void a_strict_hop_is_just_the_node_where_the_underlay_takes_the_link_anyway() {
        assertThat(containers(
                        "{'headend':'l1','hops':['l2','p7','p6','v4'],'egress':'l3','steering':['h31']}", Fig4.NETWORK))
                .containsExactly("fcbb:bbbb:200:700:600:400:300:f00d");
    }

    @Test
    void a_strict_hop_pins_its_link_where_the_underlay_would_not_take_it() {
        Network detour = Fig4.withLinks(link -> Fig4.joins(link, "p7", "p6") ? Fig4.metric(link, 1000) : link);
        assertThat(containers("{'headend':'l1','hops':['l2','p7','p6','v4'],'egress':'l3','steering':['h31']}", detour))
                .containsExactly("fcbb:bbbb:200:700:e002:600:400:0", "fcbb:bbbb:300:f00d::");
        assertThat(containers(
                        "{'headend':'l1','hops':['l2','p7',{'node':'p6','loose':true},'v4'],'egress':'l3','steering':['h31']}",
                        detour))
                .containsExactly("fcbb:bbbb:200:700:600:400:300:f00d");
    }

    @Test
    void a_loose_policy_walks_another_way_after_a_link_failure() {
        String loose = "{'headend':'l1','hops':[{'node':'v5','loose':true}],'steering':['h51']}";
        assertThat(nodes(loose, Fig4.NETWORK)).containsExactly("l1", "l2", "l3", "v4", "v5");
        Network cut = Fig4.withLinks(link -> Fig4.joins(link, "l3", "v4") ? Fig4.down(link) : link);
        assertThat(nodes(loose, cut)).containsExactly("l1", "l2", "p7", "p6", "v5");
    }

    /** On a thousand nodes their names took 414 KiB, and a partition makes many such plans. */
    @Test
    void a_plan_that_is_not_feasible_leans_on_everything_and_names_nothing() {
        Network cut = Fig4.withLinks(link -> Fig4.joins(link, "p7", "p6") ? Fig4.down(link) : link);
        Plan plan = Fig4.plan(
                "{'headend':'l1','hops':['l2','p7','p6','v4'],'egress':'l3','steering':['h31']}", cut, Map.of());
        assertThat(plan.feasible()).isFalse();
        assertThat(plan.dependsOn()).isSameAs(Dependence.EVERYTHING);
    }

    private static List<String> nodes(String policy, Network network) {
        return Fig4.plan(policy, network, Map.of())
                .explanation()
                .get("directions")
                .get(0)
                .get("hops")
                .findValuesAsText("node");
    }

    @Test
    void a_link_that_is_too_small_is_named_with_what_it_lacks() {
        Network small = Fig4.withLinks(link -> Fig4.joins(link, "p7", "p6") ? Fig4.mtu(link, 1500) : link);
        Plan plan = Fig4.plan(
                "{'from':'h11','to':'h31','nodes':['l1','l2','p7','p6','v5','v4','l3'],'symmetry':'one-way','family':'ipv6'}",
                small,
                Map.of());
        assertThat(plan.warnings())
                .containsExactly(
                        "link p7/2-p6/3 takes packets of 1500 bytes, but an inner packet of 1500 bytes needs 1564:"
                                + " raise its MTU, or let hosts send at most 1436 bytes");
        JsonNode mtu = plan.explanation().get("directions").get(0).get("mtu");
        assertThat(mtu.toString())
                .isEqualTo("{\"innerBytes\":1500,\"neededForInnerBytes\":1564,\"smallest\":1500,"
                        + "\"lackingLinks\":[{\"link\":\"p7/2-p6/3\",\"mtuBytes\":1500,\"neededBytes\":1564}]}");
    }

    @Test
    void links_that_are_too_small_are_named_together_and_ipv6_has_a_floor() {
        String policy = "{'from':'h11','to':'h31','nodes':['l1','l2','l3'],'symmetry':'one-way'}";
        assertThat(Fig4.plan(policy, Fig4.withLinks(link -> Fig4.mtu(link, 1500)), Map.of())
                        .warnings())
                .containsExactly(
                        "links l1/1-l2/1, l2/2-l3/1 take packets of 1500 bytes, but an inner packet of 1500 bytes"
                                + " needs 1540: raise their MTU, or let hosts send at most 1460 bytes");
        assertThat(Fig4.plan(
                                policy,
                                Fig4.withLinks(link -> Fig4.mtu(link, Fig4.joins(link, "l1", "l2") ? 1300 : 1500)),
                                Map.of())
                        .warnings())
                .containsExactly(
                        "link l1/1-l2/1 takes packets of 1300 bytes, but an inner packet of 1500 bytes needs 1540: raise its"
                                + " MTU (1260 bytes are left, and IPv6 hosts send 1280 at least)",
                        "link l2/2-l3/1 takes packets of 1500 bytes, but an inner packet of 1500 bytes needs 1540: raise its"
                                + " MTU, or let hosts send at most 1460 bytes");
    }

    @Test
    void a_headend_that_never_reduces_sends_one_container_without_an_srh() {
        Capabilities vpp = new Capabilities(
                Map.of(
                        "sid_list",
                        Set.of("segments_16"),
                        "steering_v6",
                        Set.of("h_encaps"),
                        "my_sid",
                        Set.of("un", "udt6")),
                Map.of());
        String one =
                "{'headend':'l1','hops':['l2'],'egress':'l3','steering':['h31'],'family':'ipv6','encapsulation':'full'}";
        for (boolean never : new boolean[] {true, false}) {
            JsonNode direction = Fig4.plan(one, Fig4.NETWORK, never ? Map.of("l1", vpp) : Map.of())
                    .explanation()
                    .get("directions")
                    .get(0);
            assertThat(direction.get("encapsulationBytes").asInt()).isEqualTo(never ? 40 : 64);
            assertThat(direction.get("outerHeader").get("srhBytes").asInt()).isEqualTo(never ? 0 : 24);
        }
        JsonNode two = Fig4.plan(
                        "{'headend':'l1','hops':['l2','p7','p6','v5','v4'],'egress':'l3','steering':['h31'],'family':'ipv6','encapsulation':'full'}",
                        Fig4.NETWORK,
                        Map.of("l1", vpp))
                .explanation()
                .get("directions")
                .get(0);
        assertThat(two.get("encapsulationBytes").asInt()).isEqualTo(80);
    }

    @Test
    void a_header_that_is_pushed_in_two_moves_is_reported_with_the_way_around() {
        // 41 atoms of two uSIDs, three to a container: 14 segments, reduced 40 + 8 + 16 * 13 = 256 bytes as in the
        // paper's Table 1.
        String bounce = IntStream.range(0, 20)
                .mapToObj(i -> "{'link':'l2-p7'},{'link':'p7-l2'}")
                .collect(Collectors.joining(","));
        String policy =
                "{'headend':'l1','hops':['l2'," + bounce + "],'egress':'l3','steering':['h31'],'family':'ipv6'%s}";
        Plan plan = Fig4.plan(policy.formatted(""));
        JsonNode verdict = plan.explanation().get("directions").get(0).get("doubleReallocation");
        assertThat(verdict.toString())
                .isEqualTo("{\"node\":\"l1\",\"headerBytes\":256,\"twice\":true,\"avoidedBy\":\"\\\"encapsulation\\\":"
                        + " \\\"full\\\"\"}");
        assertThat(plan.warnings())
                .singleElement()
                .asString()
                .startsWith("headend l1 would move every packet twice in memory to push 256 bytes");
        assertThat(Fig4.plan(policy.formatted(",'encapsulation':'full'")).warnings())
                .isEmpty();
    }

    @Test
    void a_prefix_without_a_known_host_is_feasible_with_a_warning() {
        Plan plan = Fig4.plan("{'headend':'l1','hops':['l2'],'steering':['2001:db8:5::/64']}");
        assertThat(plan.problems()).isEmpty();
        assertThat(plan.warnings())
                .containsExactly(
                        "egress l2 has no host in 2001:db8:5::/64 that the controller knows: it needs a route of its"
                                + " own to that prefix");
    }

    @Test
    void the_summary_has_the_same_plan_and_the_bytes() {
        Policy policy = Fig4.policy("{'from':'h11','to':'h31','nodes':['l1','l2','l3']}");
        CompileContext context = new CompileContext(Fig4.NETWORK, Map.of());
        Plan summary = Fig4.kind().compile(new NumberedIntent<>("x", 1, policy), context);
        Plan whole = Fig4.kind().explain(new NumberedIntent<>("x", 1, policy), context);
        assertThat(summary.entries()).isEqualTo(whole.entries());
        assertThat(summary.explanation()
                        .get("directions")
                        .get(0)
                        .get("encapsulationBytes")
                        .intValue())
                .isEqualTo(40);
    }
}
