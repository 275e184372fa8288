// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;

/** The policy of the uSID paper, section VI-C and VI-D, to the bit. */
class PaperPolicyTest {
    private static final String PAPER = "{'from':'h11','to':'h31','nodes':['l1','l2','p7','p6','v5','v4','l3']%s}";

    private final Plan plan = Fig4.plan(PAPER.formatted(""));

    private JsonNode direction(int index) {
        assertThat(plan.problems()).isEmpty();
        return plan.explanation().get("directions").get(index);
    }

    @Test
    void the_way_out_is_two_containers_of_64_bytes() {
        JsonNode forward = direction(0);
        assertThat(texts(forward.get("containers")))
                .containsExactly("fcbb:bbbb:200:700:600:500:400:0", "fcbb:bbbb:300:f00d::");
        assertThat(forward.get("encapsulationBytes").intValue()).isEqualTo(64);
        assertThat(forward.get("headend").textValue()).isEqualTo("l1");
        assertThat(forward.get("egress").textValue()).isEqualTo("l3");
        // Six plain SIDs, l2 to l3: 40 + 8 + 16 * 5.
        assertThat(forward.get("plainSrv6Bytes").intValue()).isEqualTo(128);
        assertThat(forward.get("savingPercent").doubleValue()).isEqualTo(50.0);
    }

    @Test
    void the_way_back_mirrors_it() {
        assertThat(texts(direction(1).get("containers")))
                .containsExactly("fcbb:bbbb:400:500:600:700:200:0", "fcbb:bbbb:100:f00d::");
        assertThat(direction(1).get("from").textValue()).isEqualTo("h31");
        assertThat(direction(1).get("headend").textValue()).isEqualTo("l3");
    }

    @Test
    void the_hops_begin_with_the_headend_and_end_where_the_packet_is_decapsulated() {
        List<String> hops = new ArrayList<>();
        direction(0)
                .get("hops")
                .forEach(hop -> hops.add(
                        hop.get("node").textValue() + " " + hop.get("behavior").textValue() + " "
                                + hop.get("destinationAddress").textValue() + " SL=" + hop.get("segmentsLeft")
                                + (hop.has("advancesSrh") ? " advances" : "")));
        assertThat(hops)
                .containsExactly(
                        "l1 H.Encaps.Red fcbb:bbbb:200:700:600:500:400:0 SL=1",
                        "l2 uN fcbb:bbbb:200:700:600:500:400:0 SL=1",
                        "p7 uN fcbb:bbbb:700:600:500:400:: SL=1",
                        "p6 uN fcbb:bbbb:600:500:400:: SL=1",
                        "v5 uN fcbb:bbbb:500:400:: SL=1",
                        "v4 uN fcbb:bbbb:400:: SL=1 advances",
                        "l3 uDT6 fcbb:bbbb:300:f00d:: SL=0");
    }

    @Test
    void the_srh_is_exactly_these_bytes() {
        JsonNode outer = direction(0).get("outerHeader");
        // Next header IPv6, 2 units, type 4, segments left 1, last entry 0, no flags, no tag; then the second
        // container.
        assertThat(outer.get("srhHex").textValue()).isEqualTo("2902040100000000" + "fcbbbbbb0300f00d0000000000000000");
        assertThat(outer.get("nextHeader").intValue()).isEqualTo(43);
        assertThat(outer.get("source").textValue()).isEqualTo("fcff:1::1");
    }

    @Test
    void crh_costs_what_the_paper_says() {
        // Six identifiers: 40 + ceil(16/8)*8 + 8 and 40 + ceil(28/8)*8 + 8.
        assertThat(direction(0).get("crh16").get("bytes").intValue()).isEqualTo(64);
        assertThat(direction(0).get("crh32").get("bytes").intValue()).isEqualTo(80);
    }

    @Test
    void hosts_with_both_families_steer_both_and_ipv4_has_its_own_marker() {
        List<String> directions = new ArrayList<>();
        plan.explanation()
                .get("directions")
                .forEach(one -> directions.add(
                        one.get("from").textValue() + " " + one.get("family").textValue() + " "
                                + one.get("containers").get(1).textValue() + " "
                                + one.get("steering").get(0).textValue()));
        assertThat(directions)
                .containsExactly(
                        "h11 ipv6 fcbb:bbbb:300:f00d:: fd00:0:31::2/128",
                        "h31 ipv6 fcbb:bbbb:100:f00d:: fd00:0:11::2/128",
                        "h11 ipv4 fcbb:bbbb:300:f004:: 10.0.31.2/32",
                        "h31 ipv4 fcbb:bbbb:100:f004:: 10.0.11.2/32");
    }

    @Test
    void each_headend_gets_a_list_and_the_steering_into_it() {
        List<Ipv6> out = List.of(Ipv6.parse("fcbb:bbbb:200:700:600:500:400::"), Ipv6.parse("fcbb:bbbb:300:f00d::"));
        assertThat(plan.entries())
                .hasSize(8)
                .contains(
                        new Placed("l1", new SidList(28, List.of(new SidList.Member(1, out)))),
                        new Placed("l1", new Steering(0, IpPrefix.parse("fd00:0:31::2"), 28, true)));
        assertThat(plan.entries().stream().map(Placed::node)).containsOnly("l1", "l3");
        assertThat(plan.entries().stream()
                        .map(Placed::entry)
                        .filter(SidList.class::isInstance)
                        .map(entry -> ((SidList) entry).id()))
                .doesNotHaveDuplicates();
    }

    @Test
    void the_44_numbering_needs_one_container_and_24_bytes_less() {
        ObjectNode json = Fig4.plan(PAPER.formatted(",'decap':'numbering','family':'ipv6'"))
                .explanation();
        assertThat(texts(json.get("directions").get(0).get("containers")))
                .containsExactly("fcbb:bbbb:200:700:600:500:400:301");
        assertThat(json.get("directions").get(0).get("encapsulationBytes").intValue())
                .isEqualTo(64 - 24);
        assertThat(json.get("directions")
                        .get(0)
                        .get("outerHeader")
                        .get("srhHex")
                        .textValue())
                .isEmpty();
        assertThat(json.get("directions")
                        .get(0)
                        .get("outerHeader")
                        .get("nextHeader")
                        .intValue())
                .isEqualTo(41);
    }

    @Test
    void four_sids_save_58_percent() {
        ObjectNode json = Fig4.plan(
                        "{'from':'h11','to':'h31','nodes':['l1','l2','p7','p6','l3'],'decap':'numbering','family':'ipv6'}")
                .explanation();
        JsonNode forward = json.get("directions").get(0);
        assertThat(forward.get("plainSrv6Bytes").intValue()).isEqualTo(96);
        assertThat(forward.get("encapsulationBytes").intValue()).isEqualTo(40);
        assertThat(forward.get("savingPercent").doubleValue()).isEqualTo(58.3);
    }

    @Test
    void full_encapsulation_lists_every_segment() {
        JsonNode forward = Fig4.plan(PAPER.formatted(",'encapsulation':'full','family':'ipv6'"))
                .explanation()
                .get("directions")
                .get(0);
        assertThat(forward.get("encapsulationBytes").intValue()).isEqualTo(40 + 8 + 32);
        assertThat(forward.get("outerHeader").get("srhHex").textValue())
                .isEqualTo(
                        "2904040101000000" + "fcbbbbbb0300f00d0000000000000000" + "fcbbbbbb020007000600050004000000");
        assertThat(forward.get("hops").get(0).get("behavior").textValue()).isEqualTo("H.Encaps");
    }

    @Test
    void a_plan_depends_on_the_nodes_and_links_it_visits() {
        assertThat(List.of("l1", "l2", "p7", "p6", "v5", "v4", "l3", "l1/1-l2/1"))
                .allMatch(one -> plan.dependsOn().leansOn(Set.of(one)));
        assertThat(plan.dependsOn().leansOn(Set.of("v8"))).isFalse();
    }

    static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(node -> texts.add(node.textValue()));
        return texts;
    }
}
