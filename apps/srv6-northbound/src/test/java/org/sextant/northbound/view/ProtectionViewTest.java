// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.EntryState;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.SidList;

/** A triangle a-b-c, and d behind c by one link. Links a-b and a-c share risk 7. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProtectionViewTest {
    private static final String TRIANGLE = """
            {"protection": {"node": true, "srlg": true},
             "apps": {"org.sextant.srv6": {"srv6": {"block": "fcbb:bbbb::/32"}}},
             "devices": {
               "device:a": {"basic": {"name": "a"}, "srv6": {"uSid": "0100"}},
               "device:b": {"basic": {"name": "b"}, "srv6": {"uSid": "0200"}},
               "device:c": {"basic": {"name": "c"}, "srv6": {"uSid": "0300"}},
               "device:d": {"basic": {"name": "d"}, "srv6": {"uSid": "0400"}}},
             "links": {
               "device:a/1-device:b/1": {"srv6": {"srlg": [7]}},
               "device:a/2-device:c/1": {"srv6": {"srlg": [7]}},
               "device:b/2-device:c/2": {},
               "device:c/3-device:d/1": {}}}
            """;

    private static JsonNode node(String name, Map<String, Capabilities> capabilities) {
        CompileContext context = new CompileContext(NetworkFile.parse(TRIANGLE).orThrow(), capabilities);
        return ProtectionView.of(context, name).get("nodes").get(0);
    }

    @Test
    void a_shared_risk_that_leaves_no_way_is_told_and_the_link_protected_all_the_same() {
        JsonNode a = node("a", Map.of());
        assertThat(a.get("protectedFrom").toString()).isEqualTo("{\"link\":3,\"node\":0,\"srlg\":0}");
        assertThat(a.get("uncovered").toString())
                .contains("{\"destination\":\"b\",\"from\":\"node\",\"why\":\"it is the destination itself\"}")
                .contains("{\"destination\":\"b\",\"from\":\"srlg\",\"why\":\"no way is left without it\"}")
                .contains("{\"destination\":\"d\",\"from\":\"node\",\"why\":\"no way is left without it\"}");
        // To b around a-b: c is next to b, but a's packets to it take a-c by themselves.
        assertThat(a.get("repairs").toString())
                .contains("\"way\":\"to c\",\"release\":\"c\"")
                .contains("{\"node\":\"b\",\"usids\":3,\"bytes\":40,\"segments\":[\"fcbb:bbbb:dd00:de00:f00d::\"]}");
    }

    @Test
    void a_node_with_one_link_has_nothing_to_go_by() {
        JsonNode d = node("d", Map.of());
        assertThat(d.get("protectedFrom").toString()).isEqualTo("{\"link\":0,\"node\":0,\"srlg\":0}");
        assertThat(d.get("uncovered").toString())
                .contains("{\"destination\":\"a\",\"from\":\"link\",\"why\":\"no way is left without it\"}");
    }

    @Test
    void a_data_plane_without_standbys_protects_by_equal_links_only() {
        JsonNode a = node("a", Map.of("a", new Capabilities(Map.of("route_v6", Set.of("set_next_hop")), Map.of())));
        assertThat(a.get("offered").asBoolean()).isFalse();
        assertThat(a.get("protectedFrom").get("link").asInt()).isZero();
        assertThat(a.get("uncovered").toString()).contains("the node's data plane keeps no repairs");
    }

    @Test
    void a_repair_over_a_narrow_link_is_told() {
        String narrow = TRIANGLE.replace(
                "\"device:b/2-device:c/2\": {}", "\"device:b/2-device:c/2\": {\"srv6\": {\"mtuBytes\": 1560}}");
        CompileContext context = new CompileContext(NetworkFile.parse(narrow).orThrow(), Map.of());
        JsonNode a = ProtectionView.of(context, "a").get("nodes").get(0);
        assertThat(a.get("repairs").toString()).contains("\"roomBytes\":1520");
        assertThat(a.get("uncovered").toString())
                .contains(
                        "links of the repair take packets of 1520 bytes at most, and those of policies have up to 1540");
        String wide = narrow.replace("1560", "1580");
        JsonNode enough = ProtectionView.of(
                        new CompileContext(NetworkFile.parse(wide).orThrow(), Map.of()), "a")
                .get("nodes")
                .get(0);
        assertThat(enough.get("uncovered").toString()).doesNotContain("links of the repair");
    }

    @Test
    void an_outage_says_who_sends_what_elsewhere_and_which_lists_it_meets() {
        CompileContext context = new CompileContext(NetworkFile.parse(TRIANGLE).orThrow(), Map.of());
        List<EntryStatus> entries = List.of(
                list(1, "fcbb:bbbb:200:f00d::"), list(2, "fcbb:bbbb:300:f00d::"), list(3, "fcbb:bbbb:100:e001:f00d::"));
        JsonNode outage = OutageView.of(context, entries, "a/1-b/1");
        assertThat(outage.get("links").toString()).isEqualTo("[\"a/1-b/1\",\"b/1-a/1\"]");
        assertThat(outage.get("pairs").toString())
                .isEqualTo("{\"untouched\":10,\"equalLinks\":0,\"repaired\":2,\"dropped\":0,\"cutOff\":0}");
        assertThat(outage.get("moves").get(0).toString())
                .isEqualTo(
                        "{\"node\":\"a\",\"destination\":\"b\",\"becomes\":\"repaired\",\"metricBefore\":10,\"metricAfter\":20,"
                                + "\"way\":\"to c\",\"bytes\":40,\"segments\":[\"fcbb:bbbb:dd00:de00:f00d::\"],\"links\":[\"a/2-c/1\",\"c/2-b/2\"]}");
        assertThat(outage.get("lists").toString())
                .isEqualTo("[{\"node\":\"a\",\"sidList\":1,\"intents\":[],\"at\":\"a\",\"becomes\":\"repaired\"},"
                        + "{\"node\":\"a\",\"sidList\":3,\"intents\":[],\"at\":\"a\",\"becomes\":\"dropped\"}]");
        assertThat(OutageView.of(context, List.of(), "c")
                        .get("pairs")
                        .get("cutOff")
                        .asInt())
                .isEqualTo(4);
    }

    private static EntryStatus list(int id, String segment) {
        SidList list = new SidList(id, List.of(new SidList.Member(1, List.of(Ipv6.parse(segment)))));
        return new EntryStatus("a", list, EntryState.INSTALLED, Optional.empty(), List.of(), Optional.empty());
    }

    @Test
    void what_is_not_there_cannot_be_lost() {
        CompileContext context = new CompileContext(NetworkFile.parse(TRIANGLE).orThrow(), Map.of());
        assertThatThrownBy(() -> OutageView.of(context, List.of(), "a/1-c/9"))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("there is no node and no link \"a/1-c/9\"");
    }

    @Test
    void a_node_that_is_not_there_is_said_so() {
        assertThatThrownBy(() -> node("x", Map.of()))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("there is no node \"x\"");
    }
}
