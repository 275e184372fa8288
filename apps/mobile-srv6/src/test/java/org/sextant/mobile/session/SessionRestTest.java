// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.mobile.Mobile.anchored;
import static org.sextant.mobile.Mobile.between;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.intent.IntentState;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Entry;
import org.sextant.core.table.GtpRule;
import org.sextant.core.table.GtpTunnel;
import org.sextant.core.table.MySid;
import org.sextant.northbound.cli.Typed;
import org.sextant.northbound.rest.Client;

/** Sessions from REST and shell to table entries. */
@Timeout(120)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SessionRestTest {
    private final Sessions sessions = new Sessions();

    @AfterEach
    void close() {
        sessions.close();
    }

    private Client.Answer patch(String path, String json) {
        return sessions.client.call(
                "PATCH",
                path,
                "application/merge-patch+json",
                new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    private Typed typed(String command, String... words) {
        return Typed.run(Typed.command(sessions.app, command), "", words);
    }

    private List<String> log() {
        return sessions.dataPlane.log().stream()
                .map(FakeDataPlane.Done::toString)
                .toList();
    }

    @Test
    void a_session_is_posted_below_its_slice_and_shown_with_what_its_rows_counted() {
        sessions.slice(between(""));
        Client.Answer posted = sessions.client.post("slices/s/sessions", Sessions.json(1));
        assertThat(posted.status()).isEqualTo(201);
        assertThat(sessions.rows("l1")).hasSize(1);
        assertThat(sessions.rows("l3")).hasSize(1);
        JsonNode unread = sessions.client.get("slices/s/sessions/s1").json();
        assertThat(unread.at("/counters/uplink/read").booleanValue()).isFalse();
        sessions.dataPlane.count("l1", sessions.rows("l1").get(0).key(), new Counters(7, 700));
        sessions.dataPlane.count("l3", sessions.rows("l3").get(0).key(), new Counters(5, 500));
        JsonNode read = sessions.client.get("slices/s/sessions/s1").json();
        assertThat(read.get("counters").toString())
                .isEqualTo("{\"uplink\":{\"packets\":7,\"bytes\":700,\"read\":true},"
                        + "\"downlink\":{\"packets\":5,\"bytes\":500,\"read\":true}}");
        assertThat(read.get("session").has("slice")).isFalse();
        assertThat(typed("session", "s", "s1").out()).contains("7 packets, 700 bytes");
        sessions.dataPlane.disconnect("l3", "away");
        sessions.settle();
        assertThat(typed("session", "s", "s1").out()).contains("7 packets, 700 bytes", "unread");
        JsonNode plan = sessions.client.get("slices/s/sessions/s1/plan").json();
        assertThat(plan.at("/arguments/hex").textValue()).isEqualTo("2408000001");
    }

    @Test
    void a_slice_and_its_session_are_applied_as_one_list() {
        String slice = "{'kind':'slice','name':'s','spec':" + between("").replace("'name': 's', ", "") + "}";
        String session = "{'kind':'session','slice':'s','name':'s1','spec':"
                + Sessions.json(1).replace("'id': 's1', ", "") + "}";
        Client.Answer alone = sessions.client.post("apply", "[" + session + "]");
        assertThat(alone.status()).isEqualTo(422);
        assertThat(alone.json().at("/errors/0/field").textValue()).isEqualTo("/0/slice");
        Client.Answer endpoint = sessions.client.post(
                "apply", "[" + slice + "," + session.replace("'198.51.100.1'", "'198.51.100.9'") + "]");
        assertThat(endpoint.json().at("/errors/0/field").textValue()).isEqualTo("/1/spec/uplink/endpoint");
        assertThat(sessions.client.get("slices").json()).isEmpty();
        Client.Answer both = sessions.client.post("apply", "[" + session + "," + slice + "]");
        assertThat(both.json().findValuesAsText("state")).containsExactly("INSTALLED", "INSTALLED");
        assertThat(both.json().at("/items/0/slice").textValue()).isEqualTo("s");
        assertThat(sessions.rows("l1")).hasSize(1);
        Client.Answer again =
                sessions.client.post("apply", "[" + slice + "," + session.replace("'qfi': 9", "'qfi': 7") + "]");
        assertThat(again.json().at("/items/0/action").textValue()).isEqualTo("unchanged");
        assertThat(again.json().at("/items/1/changes").toString())
                .isEqualTo("[{\"field\":\"/spec/qfi\",\"old\":9,\"new\":7}]");
    }

    @Test
    void a_slice_is_shown_with_what_its_rules_took_and_its_gateways_dropped() {
        sessions.slice(between(", 'match': [{'qfi': 9}]"));
        for (Entry row : sessions.dataPlane.held("l1").values()) {
            if (row instanceof org.sextant.core.table.GtpRule) {
                sessions.dataPlane.count("l1", row.key(), new Counters(2, 200));
            }
        }
        JsonNode counters = sessions.client.get("slices/s").json().get("counters");
        assertThat(counters.at("/l1/read").booleanValue()).isTrue();
        assertThat(counters.at("/l1/packets").intValue()).isPositive().isEven();
        assertThat(counters.at("/l3/read").booleanValue()).isFalse();
        assertThat(Typed.run(Typed.command(sessions.slices, "slice"), "", new String[] {"s"})
                        .out())
                .contains("at l1", "at l3", "unread");
    }

    @Test
    void what_others_have_is_a_conflict_that_names_them() {
        sessions.slice(anchored(""));
        sessions.client.post("slices/s/sessions", Sessions.json(1));
        Client.Answer teid =
                sessions.client.post("slices/s/sessions", Sessions.json(2).replace("'teid': 4098", "'teid': 4097"));
        assertThat(teid.status()).isEqualTo(409);
        assertThat(teid.json().at("/errors/0/field").textValue()).isEqualTo("/uplink/teid");
        assertThat(teid.json().at("/errors/0/message").textValue()).endsWith("belongs to session \"s/s1\"");
        Client.Answer ue =
                sessions.client.post("slices/s/sessions", Sessions.json(2).replace("10.0.0.2", "10.0.0.1"));
        assertThat(ue.status()).isEqualTo(409);
        assertThat(ue.json().at("/errors/0/field").textValue()).isEqualTo("/ue/0");
    }

    @Test
    void bad_sessions_are_refused_and_name_the_field() {
        sessions.slice(between(""));
        String good = Sessions.json(1);
        for (String[] bad : new String[][] {
            {good.replace("'teid': 4097", "'teid': 0"), "/uplink/teid"},
            {good.replace("'teid': 4097", "'teid': 4294967296"), "/uplink/teid"},
            {good.replace("'qfi': 9", "'qfi': 64"), "/qfi"},
            {good.replace("'qfi': 9", "'qfi': -1"), "/qfi"},
            {good.replace("'id': 's1'", "'id': 'a/b'"), "/id"},
            {good.replace("'10.0.1'", "'x'").replace("10.0.0.1", "10.0.0.300"), "/ue/0"},
            {good.replace("'qfi'", "'qif'"), "/qif"},
        }) {
            Client.Answer answer = sessions.client.post("slices/s/sessions", bad[0]);
            assertThat(answer.status()).as(bad[0]).isEqualTo(400);
            assertThat(answer.json().at("/errors/0/field").textValue())
                    .as(bad[0])
                    .isEqualTo(bad[1]);
        }
        assertThat(sessions.client.post("slices/t/sessions", good).status()).isEqualTo(404);
        assertThat(sessions.client
                        .post("slices/s/sessions", good.replace("198.51.100.1", "198.51.100.9"))
                        .status())
                .isEqualTo(422);
        assertThat(sessions.all()).isEmpty();
    }

    @Test
    void a_handover_writes_the_new_before_the_old_goes() {
        sessions.slice(between(""));
        sessions.client.post("slices/s/sessions", Sessions.json(1));
        sessions.dataPlane.forgetLog();
        Client.Answer changed =
                patch("slices/s/sessions/s1", "{'downlink': {'endpoint': '192.0.2.9', 'teid': '0x77'}}");
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.json().at("/session/downlink/teid").intValue()).isEqualTo(0x77);
        assertThat(changed.json().at("/session/ue/0").textValue()).isEqualTo("10.0.0.1/32");
        assertThat(log()).hasSize(2);
        assertThat(log().get(0)).contains("INSERT", "192.0.2.9");
        assertThat(log().get(1)).contains("DELETE", "192.0.2.1");
        assertThat(patch("slices/s/sessions/s1", "{'downlink': null}").status()).isEqualTo(200);
        assertThat(sessions.rows("l3")).isEmpty();
    }

    @Test
    void a_handover_over_n2_forwards_until_it_is_complete() {
        sessions.slice(anchored(""));
        sessions.client.post("slices/s/sessions", Sessions.json(1));
        sessions.client.post("slices/s/sessions", Sessions.json(2));
        long slice = forwarding("l1");
        String forwards = "{'forwarding': {'from': {'endpoint': '198.51.100.1', 'teid': %d},"
                + " 'to': {'endpoint': '192.0.2.9', 'teid': 7}, 'qfis': [9, 5]}}";
        Client.Answer taken = patch("slices/s/sessions/s1", String.format(forwards, 0x1002));
        assertThat(taken.status()).isEqualTo(409);
        assertThat(taken.json().at("/errors/0/field").textValue()).isEqualTo("/forwarding/from/teid");
        Client.Answer changed = patch("slices/s/sessions/s1", String.format(forwards, 5000));
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.json().at("/session/forwarding/qfis").toString()).isEqualTo("[5,9]");
        assertThat(forwarding("l1") - slice).isEqualTo(3); // a rule for each flow, and one for the rest
        assertThat(forwarding("l3")).isEqualTo(4); // each flow with and without RQI
        GtpTunnel from = sessions.rows("l1").stream()
                .map(GtpTunnel.class::cast)
                .filter(row -> row.teid() == 5000)
                .findFirst()
                .orElseThrow();
        sessions.dataPlane.count("l1", from.key(), new Counters(3, 300));
        for (Entry row : sessions.rows("l1")) {
            if (!row.equals(from)) {
                sessions.dataPlane.count("l1", row.key(), new Counters(1, 100));
            }
        }
        assertThat(sessions.client
                        .get("slices/s/sessions/s1")
                        .json()
                        .at("/counters/uplink/packets")
                        .intValue())
                .isEqualTo(1);
        Client.Answer complete =
                patch("slices/s/sessions/s1", "{'downlink': {'endpoint': '192.0.2.9', 'teid': 6}, 'forwarding': null}");
        assertThat(complete.status()).isEqualTo(200);
        assertThat(forwarding("l1") - slice + forwarding("l3")).isZero();
        assertThat(patch("slices/s/sessions/s2", String.format(forwards, 5000)).status())
                .isEqualTo(200);
    }

    /** Rules, and SIDs of End.MAP. */
    private long forwarding(String node) {
        return sessions.dataPlane.held(node).values().stream()
                .filter(entry -> entry instanceof GtpRule
                        || entry instanceof MySid sid && sid.behavior() instanceof Behavior.Mapping)
                .count();
    }

    /** One entry has the whole state: packets go to one of the two gNBs, and none is lost. */
    @Test
    void a_handover_at_an_anchor_is_one_write() {
        sessions.slice(anchored(""));
        sessions.client.post("slices/s/sessions", Sessions.json(1));
        sessions.dataPlane.forgetLog();
        assertThat(patch("slices/s/sessions/s1", "{'downlink': {'endpoint': '192.0.2.9', 'teid': 119}}")
                        .status())
                .isEqualTo(200);
        assertThat(log()).hasSize(1);
        assertThat(log().get(0)).contains("MODIFY", "ue_v4", "10.0.0.1/32");
    }

    @Test
    void a_slice_with_sessions_stays() {
        sessions.slice(between(""));
        sessions.client.post(
                "slices/s/sessions",
                IntStream.range(0, 5).mapToObj(Sessions::json).collect(Collectors.joining(",", "[", "]")));
        Client.Answer refused = sessions.client.delete("slices/s");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().at("/detail").textValue())
                .contains("slice \"s\" is needed by 5 others: session \"s/s0\"")
                .contains("delete these first");
        assertThat(sessions.client.delete("slices/s/sessions?all=true").status())
                .isEqualTo(200);
        assertThat(sessions.client.delete("slices/s").status()).isEqualTo(204);
        for (String node : List.of("l1", "l3")) {
            assertThat(sessions.lists(node)).isEmpty();
        }
    }

    @Test
    void another_path_of_the_slice_is_one_row_at_each_gateway_whatever_the_number_of_sessions() {
        sessions.slice(between(", 'mode': 'enhanced', 'uplink': {'hops': [{'node': 'p7', 'loose': true}]}"));
        sessions.client.post(
                "slices/s/sessions",
                IntStream.range(0, 3000).mapToObj(Sessions::json).collect(Collectors.joining(",", "[", "]")));
        assertThat(sessions.all()).allMatch(one -> one.state() == IntentState.INSTALLED);
        sessions.dataPlane.forgetLog();
        sessions.slice(between(", 'mode': 'enhanced', 'uplink': {'hops': [{'node': 'v5', 'loose': true}]}"));
        assertThat(log()).isNotEmpty().allMatch(line -> line.contains("sid_list"));
        assertThat(log().size()).isLessThan(20);
    }

    @Test
    void a_slice_that_loses_its_path_and_gets_it_back_has_its_sessions_again() {
        sessions.slice(anchored(""));
        sessions.client.post(
                "slices/s/sessions",
                IntStream.range(0, 5000).mapToObj(Sessions::json).collect(Collectors.joining(",", "[", "]")));
        var whole = sessions.inventory.snapshot();
        sessions.inventory.set(new org.sextant.core.net.Network(
                whole.nodes().values(), List.of(), whole.hosts().values()));
        sessions.settle();
        assertThat(sessions.all()).allMatch(one -> one.state() == IntentState.FAILED);
        assertThat(sessions.rows("l3")).isEmpty();
        assertThat(sessions.client
                        .get("slices/s/sessions/s1")
                        .json()
                        .at("/errors/0/message")
                        .textValue())
                .isEqualTo("slice \"s\" has nothing to install now");
        sessions.inventory.set(whole);
        sessions.settle();
        assertThat(sessions.all()).hasSize(5000).allMatch(one -> one.state() == IntentState.INSTALLED);
        assertThat(sessions.rows("l3")).hasSize(5000);
    }

    @Test
    void the_shell_says_the_same() {
        sessions.slice(between(""));
        Typed added = typed(
                "session-add",
                "s",
                "a",
                "198.51.100.1",
                "0x1001",
                "192.0.2.1",
                "4098",
                "--ue",
                "10.60.0.1",
                "--qfi",
                "9");
        assertThat(added.err()).isEmpty();
        assertThat(added.out()).startsWith("a  INSTALLED").contains("198.51.100.1 0x1001", "192.0.2.1 0x1002");
        assertThat(typed("session-add", "s", "b", "198.51.100.1", "7").out()).contains("not known yet");
        assertThat(typed("sessions", "s").out()).contains("a ", "b ", "10.60.0.1/32");
        assertThat(typed("sessions", "s", "--ue", "10.60.0.0/24").out())
                .contains("a ")
                .doesNotContain("b ");
        assertThat(typed("sessions", "s", "--endpoint", "192.0.2.1").out())
                .contains("a ")
                .doesNotContain("b ");
        assertThat(typed("session-explain", "s", "a").out()).contains("class 1", "2400001002", "set_class 1");
        assertThat(typed("sessions", "t").err()).contains("there is no mobile slice \"t\"");
        assertThat(Typed.tab(Typed.command(sessions.app, "session"), List.of(), ""))
                .containsExactly("s");
        assertThat(Typed.tab(Typed.command(sessions.app, "session"), List.of("s"), ""))
                .containsExactly("a", "b");
        assertThat(typed("session-remove", "s", "a", "b").out()).isEqualTo("removed a, b\n");
    }

    /** A session's counters are read from its entries, by key. */
    @Test
    void a_node_that_does_not_answer_leaves_its_counters_unread_in_bounded_time() {
        sessions.slice(between(""));
        sessions.client.post("slices/s/sessions", Sessions.json(1));
        for (String node : List.of("l1", "l3")) {
            for (Entry row : sessions.rows(node)) {
                sessions.dataPlane.count(node, row.key(), new Counters(1, 100));
            }
        }
        sessions.dataPlane.hold("l3");
        try {
            JsonNode counters =
                    sessions.client.get("slices/s/sessions/s1").json().get("counters");
            assertThat(counters.at("/uplink/packets").intValue()).isEqualTo(1);
            assertThat(counters.at("/downlink/read").booleanValue()).isFalse();
        } finally {
            sessions.dataPlane.release("l3");
        }
    }
}
