// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.mobile.Mobile.FIG4;
import static org.sextant.mobile.Mobile.anchored;
import static org.sextant.mobile.Mobile.between;
import static org.sextant.mobile.Mobile.plan;
import static org.sextant.mobile.Mobile.six;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.EdgeSid;
import org.sextant.core.table.Entry;
import org.sextant.core.table.GtpRule;
import org.sextant.core.table.MySid;
import org.sextant.core.table.SidList;
import org.sextant.mobile.Mobile;

/** Golden bytes: l1 has uSID 0x0100 in block fcbb:bbbb::/32 (F3216), l3 0x0300; TEID 0x12345678, QFI 9. */
class SliceCompilerTest {
    private static final String BY_ALL = ",'uplink':{'hops':['l2','p7','p6','v5','v4']}";

    @Test
    void a_traditional_slice_has_one_sid_each_way() {
        Plan plan = plan(between(""));
        assertThat(lists(plan, "l1")).contains("[fcbb:bbbb:305::]");
        assertThat(lists(plan, "l3")).contains("[fcbb:bbbb:104::]");
        assertThat(sids(plan)).containsExactlyInAnyOrder("l3 fcbb:bbbb:305::/48", "l1 fcbb:bbbb:104::/48");
        assertThat(way(plan, 0).get("encapsulationBytes").intValue()).isEqualTo(40);
        assertThat(way(plan, 0).get("moreThanGtpBytes").intValue()).isEqualTo(-4);
    }

    /** RFC 9433, 6.7: the gNB's address in a source of l1, the UPF's address and the arguments in the last SID. */
    @Test
    void a_rule_says_where_addresses_and_arguments_go() {
        GtpRule rule = rules(plan(between(",'default':true")), "l1").stream()
                .filter(one -> one.priority() == 20)
                .findFirst()
                .orElseThrow();
        assertThat(rule.source()).hasToString("Optional[192.0.2.0/24]");
        assertThat(rule.destination()).hasToString("Optional[198.51.100.1/32]");
        assertThat(rule.does())
                .isEqualTo(new GtpRule.Does.Translate(
                        list(48), 80, 48, Ipv6.parse("fcbb:bbbb:104::"), 48, false, false, GtpRule.Containers.UPLINK));
    }

    /** RFC 9433, 6.1: the arguments have no bit for the PDU type, which the end of the direction writes. */
    @Test
    void each_direction_translates_the_containers_of_its_pdu_type() {
        for (String slice : List.of(between(",'default':true"), six(between("")))) {
            assertThat(containers(plan(slice), "l1")).containsOnly(GtpRule.Containers.UPLINK);
            assertThat(containers(plan(slice), "l3")).containsOnly(GtpRule.Containers.DOWNLINK);
        }
        assertThat(containers(plan(anchored("")), "l1")).containsOnly(GtpRule.Containers.UPLINK);
    }

    private static List<GtpRule.Containers> containers(Plan plan, String node) {
        return rules(plan, node).stream()
                .map(GtpRule::does)
                .filter(GtpRule.Does.Translate.class::isInstance)
                .map(GtpRule.Does.Translate.class::cast)
                .map(GtpRule.Does.Translate::containers)
                .toList();
    }

    @Test
    void what_cannot_be_translated_is_carried_below_every_rule_that_translates() {
        Map<Integer, GtpRule.Does> does = rules(plan(between(",'default':true,'match':[{'qfi':5}]")), "l1").stream()
                .collect(Collectors.toMap(GtpRule::priority, GtpRule::does));
        assertThat(does.keySet()).containsExactlyInAnyOrder(60, 50, 40, 30, 20, 10);
        assertThat(List.of(does.get(50), does.get(30), does.get(10)))
                .containsOnly(new GtpRule.Does.Carry(list(2 * 128)));
        assertThat(rules(plan(between(",'unrepresentable':'discard'")), "l1").stream()
                        .map(GtpRule::does))
                .contains(new GtpRule.Does.Discard());
    }

    /** The f00d corner of the uSID paper, with End.M.GTP4.E in its place. */
    @Test
    void an_enhanced_slice_packs_its_hops_and_ends_in_a_sid_that_stands_alone() {
        Plan plan = plan(between(BY_ALL));
        assertThat(lists(plan, "l1")).contains("[fcbb:bbbb:200:700:600:500:400:0, fcbb:bbbb:305::]");
        assertThat(lists(plan, "l3")).contains("[fcbb:bbbb:400:500:600:700:200:0, fcbb:bbbb:104::]");
        assertThat(texts(way(plan, 0).at("/sample/segments")))
                .containsExactly("fcbb:bbbb:200:700:600:500:400:0", "fcbb:bbbb:305:c633:6401:2412:3456:7800");
        assertThat(way(plan, 0).get("encapsulationBytes").intValue()).isEqualTo(64);
    }

    /** A link is used from its other end, and a node at the end of the uplink is the beginning of the downlink. */
    @Test
    void the_way_back_is_the_way_up_in_reverse() {
        Plan plan = plan(between(",'uplink':{'hops':['l2','p7',{'link':'p7-p6'},'v4','l3']}"));
        assertThat(lists(plan, "l3")).contains("[fcbb:bbbb:400:600:e003:200::, fcbb:bbbb:104::]");
    }

    /** RFC 9433, 6.4 with the arguments that 6.5 requires: one transit, the node and its function fit before them. */
    @Test
    void gtp_over_ipv6_keeps_the_upf_as_the_last_segment() {
        Plan plan = plan(six(between(",'uplink':{'hops':['l2']}")));
        assertThat(texts(way(plan, 0).at("/sample/segments")))
                .containsExactly("fcbb:bbbb:200:300:f611:2412:3456:7800", "2001:db8:f::1");
        assertThat(way(plan, 0).at("/sample/srhHex").asText())
                .isEqualTo("0402040100000000" + "20010db8000f00000000000000000001");
        assertThat(way(plan, 0).get("argumentsAt").intValue()).isEqualTo(80);
        assertThat(sids(plan)).contains("l1 2001:db8:f::1/128", "l3 2001:db8:b::/48", "l3 fcbb:bbbb:300:f611::/64");
        GtpRule rule = rules(plan, "l1").get(0);
        assertThat(((GtpRule.Does.Translate) rule.does()).keepDestination()).isTrue();
    }

    /** The exception at the edge exists before the SID, and is removed after it. */
    @Test
    void who_is_outside_may_send_to_where_gtp_over_ipv6_is_taken() {
        String slice = six(between(",'uplink':{'hops':['l2']}"));
        assertThat(plan(slice).entries())
                .contains(
                        new Plan.Placed("l1", new EdgeSid(IpPrefix.parse("2001:db8:f::1/128"), true)),
                        new Plan.Placed("l3", new EdgeSid(IpPrefix.parse("2001:db8:b::/48"), true)))
                .filteredOn(placed -> placed.entry() instanceof EdgeSid)
                .hasSize(2)
                .allSatisfy(placed -> assertThat(placed.entry().stage()).isLessThan(Entry.Stage.BEHAVIORS));
        assertThat(plan(between("")).entries()).noneMatch(placed -> placed.entry() instanceof EdgeSid);
    }

    /** RFC 9433, 6.3: one decapsulation per inner family, which GTP-U does not indicate. */
    @Test
    void an_anchor_has_a_list_for_each_family_inside() {
        Plan plan = plan(six(anchored(",'uplink':{'hops':['l2']}")));
        assertThat(lists(plan, "l1")).contains("[fcbb:bbbb:200:300:f004::]", "[fcbb:bbbb:200:300:f00d::]");
        assertThat(texts(way(plan, 0).at("/sample/segments"))).containsExactly("fcbb:bbbb:200:300:f004:2412:3456:7800");
        List<GtpRule> rules = rules(plan, "l1");
        assertThat(rules.stream().map(GtpRule::priority)).containsExactly(61, 60, 50);
        assertThat(rules.get(0).innerSource()).hasToString("Optional[0.0.0.0/0]");
        assertThat(rules.get(1).innerSource()).isEmpty();
        assertThat(rules(plan, "l3")).isEmpty();
    }

    @Test
    void a_slice_whose_ues_have_one_family_needs_no_rule_for_the_other() {
        List<GtpRule> rules = rules(plan(anchored(",'match':[{'ue':'10.60.0.0/16'}]")), "l1");
        assertThat(rules.stream().filter(rule -> rule.priority() > 30 && rule.priority() < 50))
                .singleElement()
                .satisfies(rule -> assertThat(rule.innerSource()).hasToString("Optional[10.60.0.0/16]"));
    }

    @Test
    void transport_carries_gtp_whole() {
        Plan plan = plan(between(",'mode':'transport','default':true"));
        assertThat(lists(plan, "l1")).containsExactly("[fcbb:bbbb:300:f004::]");
        assertThat(rules(plan, "l1").stream().map(GtpRule::does)).allMatch(GtpRule.Does.Carry.class::isInstance);
        assertThat(sids(plan)).isEmpty();
        assertThat(plan(anchored(",'mode':'transport'")).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("an anchor ends it"));
    }

    /** A range that is no power of two becomes several masks; together they are the range. */
    @Test
    void a_range_of_teids_becomes_masks() {
        List<GtpRule> rules = rules(plan(between(",'match':[{'teid':'5-10'}]")), "l1");
        assertThat(rules.stream()
                        .filter(rule -> rule.priority() == 40)
                        .map(rule -> rule.teid().orElseThrow().toString()))
                .containsExactly("5&ffffffff", "6&fffffffe", "8&fffffffe", "a&ffffffff");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'gateway': 'l1', 'gnbs'    | 'gateway': 'x1', 'gnbs'   | /access/gateway | there is no node",
                "'gateway': 'l3'            | 'gateway': 'l1'           | /core/gateway   | begin and end at l1",
                "}}                         | },'uplink':{'hops':['nix']}} | /uplink/hops/0 | there is no node",
                "}}                         | },'uplink':{'hops':['p7']}}  | /uplink/hops/0 | are not neighbours",
                "}}                         | },'uplink':{'hops':[{'sid':'fcbb:bbbb:200:f00d::'}]}} | /uplink/hops | decapsulates",
                "}}                         | },'uplink':{'hops':[{'sid':'fcbb:bbbb:200::'}]}} | /downlink | is a SID",
            })
    void what_a_network_does_not_have_is_a_problem_of_a_field(String from, String to, String field, String message) {
        String text = between("").replace("'}}", "'}}").replace("]}}", "]}}");
        Plan plan = plan(text.replace(from.equals("}}") ? "]}}" : from, from.equals("}}") ? "]" + to : to));
        assertThat(plan.problems()).anySatisfy(problem -> {
            assertThat(problem.field()).isEqualTo(field);
            assertThat(problem.message()).contains(message);
        });
    }

    @Test
    void a_format_without_room_asks_for_a_locator() {
        assertThat(plan(between(""), tight("")).problems()).anySatisfy(problem -> {
            assertThat(problem.message()).contains("no SID with room for 72 bits", "F4816");
            assertThat(problem.remedy()).contains("gtpLocator");
        });
        Plan plan = plan(between(""), tight(", 'gtpLocator': 'fd00:e:%s::/48'"));
        assertThat(plan.problems()).isEmpty();
        assertThat(lists(plan, "l1")).contains("[fd00:e:3:500::]");
        GtpRule.Does.Translate does =
                (GtpRule.Does.Translate) rules(plan, "l1").get(0).does();
        assertThat(does.addressAt()).isEqualTo(56);
        assertThat(does.source()).hasToString("fd00:e:1:400::");
    }

    /** Figure 4 with a block of 48 bits; {@code more} fields of srv6, with the last digit of the node's uSID. */
    private static Network tight(String more) {
        ObjectNode json = NetworkFile.write(FIG4).deepCopy();
        ObjectNode devices = (ObjectNode) json.get("devices");
        devices.forEach(device -> {
            ObjectNode srv6 = (ObjectNode) device.get("srv6");
            if (srv6 != null) {
                srv6.put("block", "fcbb:bbbb:1::/48").put("format", "F4816").remove("encapSource");
                JsonNode added = Mobile.json("{"
                        + more.replaceFirst("^, ", "")
                                .formatted(srv6.get("uSid").asText().substring(1, 2)) + "}");
                srv6.setAll((ObjectNode) added);
            }
        });
        return NetworkFile.read(json).orThrow();
    }

    @Test
    void a_gateway_without_the_tables_is_named() {
        Plan plan = new SliceKind()
                .compile(
                        new NumberedIntent<>("s", 7, Mobile.slice(between(""))),
                        new CompileContext(FIG4, Map.of("l1", new Capabilities(Map.of(), Map.of()))));
        assertThat(plan.problems()).anySatisfy(problem -> {
            assertThat(problem.field()).isEqualTo("/access/gateway");
            assertThat(problem.message()).contains("node l1 has no action carry in table gtp_rule");
        });
    }

    /** One more transit moves the arguments: packets in one list must not meet the rules of the other. */
    @Test
    void a_list_with_arguments_elsewhere_is_another_list() {
        Map<Integer, Integer> one = argumentsByList(plan(anchored(",'uplink':{'hops':['l2']}")));
        Map<Integer, Integer> other =
                argumentsByList(plan(anchored(",'uplink':{'hops':['l2',{'node':'p7','loose':true}]}")));
        assertThat(one.values()).containsOnly(80);
        assertThat(other.values()).containsOnly(64);
        assertThat(one.keySet()).doesNotContainAnyElementsOf(other.keySet());
    }

    /** 100,000 sessions name the list of the downlink. */
    @Test
    void another_path_is_nothing_to_sessions() {
        for (String text : List.of(anchored(""), six(anchored("")))) {
            SliceHandle.Downlink direct = downlink(plan(text.replaceAll("}}$", "},'uplink':{'hops':['l2']}}")));
            SliceHandle.Downlink around =
                    downlink(plan(text.replaceAll("}}$", "},'uplink':{'hops':['l2',{'node':'p7','loose':true}]}}")));
            assertThat(direct).isEqualTo(around);
            assertThat(direct.sidList()).isNotZero();
        }
    }

    private static SliceHandle.Downlink downlink(Plan plan) {
        assertThat(plan.problems()).isEmpty();
        return ((SliceSummary) plan.explained()).handle().downlink().orElseThrow();
    }

    private static Map<Integer, Integer> argumentsByList(Plan plan) {
        return rules(plan, "l1").stream()
                .flatMap(rule -> rule.does() instanceof GtpRule.Does.Translate does
                        ? java.util.stream.Stream.of(does)
                        : java.util.stream.Stream.of())
                .collect(
                        Collectors.toMap(GtpRule.Does.Translate::sidList, GtpRule.Does.Translate::argsAt, (a, b) -> a));
    }

    /** The id that the only intent gets. */
    private static int list(int use) {
        return 4 * (1 << 27) + 4 + use;
    }

    private static List<String> lists(Plan plan, String node) {
        assertThat(plan.problems()).isEmpty();
        return plan.entries().stream()
                .filter(placed -> placed.node().equals(node) && placed.entry() instanceof SidList)
                .map(placed ->
                        ((SidList) placed.entry()).members().get(0).segments().toString())
                .toList();
    }

    private static List<String> sids(Plan plan) {
        return plan.entries().stream()
                .filter(placed -> placed.entry() instanceof MySid)
                .map(placed -> placed.node() + " " + ((MySid) placed.entry()).sid())
                .toList();
    }

    private static List<GtpRule> rules(Plan plan, String node) {
        assertThat(plan.problems()).isEmpty();
        return plan.entries().stream()
                .filter(placed -> placed.node().equals(node) && placed.entry() instanceof GtpRule)
                .map(placed -> (GtpRule) placed.entry())
                .toList();
    }

    private static JsonNode way(Plan plan, int index) {
        assertThat(plan.problems()).isEmpty();
        return plan.explanation().get("ways").get(index);
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new java.util.ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
