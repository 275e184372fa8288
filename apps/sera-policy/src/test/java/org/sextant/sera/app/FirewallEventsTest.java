// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.sera.Sera.firewall;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.FirewallTelemetry.Counted;
import org.sextant.core.port.FirewallTelemetry.Rule;
import org.sextant.core.port.Subscription;
import org.sextant.kit.app.EventSource.Told;
import org.sextant.northbound.rest.Client;

/** From the numbers in nodes' reports to events and logs that name firewalls and rules. */
@Timeout(120)
@DisplayNameGeneration(ReplaceUnderscores.class)
class FirewallEventsTest {
    private static final String LOUD =
            "{'name': 'dns', 'protocol': 'udp', 'destinationPorts': '53', 'action': 'drop', 'log': true}";
    private static final String QUIET =
            "{'name': 'ntp', 'protocol': 'udp', 'destinationPorts': '123', 'action': 'accept'}";
    private static final int FIRST = 0xffff;

    private final Firewalls firewalls = new Firewalls();
    private final AtomicInteger anew = new AtomicInteger();

    @AfterEach
    void close() {
        firewalls.close();
    }

    private void post(String... rules) {
        assertThat(firewalls.client.post("firewalls", firewall("", rules)).status())
                .isIn(200, 201);
        firewalls.settle();
    }

    private JsonNode log(String query) {
        return firewalls.client.get("firewalls/fw/log" + query).json();
    }

    private JsonNode taken(String kind) {
        return firewalls.news.take().stream()
                .filter(told -> told.kind().equals(kind))
                .map(Told::data)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void nodes_are_asked_for_lines_while_a_firewall_logs_and_for_counters_while_somebody_listens() {
        post(QUIET);
        assertThat(firewalls.told.logged).isEmpty();
        post(LOUD);
        assertThat(firewalls.told.logged).hasSize(1);
        assertThat(firewalls.told.counted).isEmpty();
        Subscription listening = firewalls.news.listen(anew::incrementAndGet);
        assertThat(firewalls.told.counted).hasSize(1);
        listening.close();
        assertThat(firewalls.told.counted).isEmpty();
        post(QUIET);
        assertThat(firewalls.told.logged).isEmpty();
    }

    @Test
    void a_line_names_the_firewall_and_the_rule_of_the_version_that_took_the_packet() {
        post(LOUD);
        post(QUIET, LOUD);
        Subscription listening = firewalls.news.listen(anew::incrementAndGet);
        firewalls.told.packet(1, FIRST, "fw_drop", 53, 0); // in flight while the rules were replaced
        firewalls.told.packet(2, FIRST - 1, "fw_drop", 53, 7);
        assertThat(anew).hasValue(2);
        JsonNode told = taken("firewallLog");
        assertThat(told.get("left").asLong()).isZero();
        assertThat(told.at("/lines/0/version").asInt()).isEqualTo(1);
        assertThat(told.at("/lines/1"))
                .hasToString(
                        "{\"firewall\":\"fw\",\"node\":\"l2\",\"at\":\"2026-11-23T08:00:00Z\",\"version\":2,\"rule\":1,"
                                + "\"name\":\"dns\",\"verdict\":\"drop\",\"sid\":\"fcbb:bbbb:200:f200::\",\"source\":\"2001:db8:1::1\","
                                + "\"destination\":\"2001:db8:2::1\",\"protocol\":17,\"sourcePort\":1000,\"destinationPort\":53,"
                                + "\"unlogged\":0,\"lost\":7}");
        listening.close();
        assertThat(firewalls.news.take()).isEmpty();
    }

    @Test
    void what_an_audit_would_drop_is_said_of_what_passes() {
        firewalls.client.post("firewalls", firewall(", 'enforcement': 'audit'", QUIET));
        firewalls.settle();
        firewalls.told.packet(1, 1, "fw_go_next", 53, 0);
        JsonNode line = log("").at("/lines/0");
        assertThat(line.get("verdict").asText()).isEqualTo("accept");
        assertThat(line.get("audit").asBoolean()).isTrue();
        assertThat(line.get("name").asText()).isEqualTo("default");
        assertThat(line.get("rule").asInt()).isEqualTo(-1);
    }

    @Test
    void a_flood_is_told_in_part_and_what_was_left_out_is_counted() {
        post(LOUD);
        Subscription listening = firewalls.news.listen(anew::incrementAndGet);
        for (int i = 0; i < 10_000; i++) {
            firewalls.told.packet(1, FIRST, "fw_drop", i % 0x10000, i == 0 ? 3 : 0);
        }
        JsonNode told = taken("firewallLog");
        assertThat(told.get("lines")).hasSize(LogBook.MOST_TOLD);
        assertThat(told.get("left").asLong()).isEqualTo(10_000 - LogBook.MOST_TOLD);
        assertThat(told.at("/lines/49/destinationPort").asInt()).isEqualTo(9_999);
        listening.close();
        JsonNode kept = log("?limit=200");
        assertThat(kept.get("lines")).hasSize(LogBook.MOST_LINES);
        assertThat(kept.at("/lines/0/destinationPort").asInt()).isEqualTo(9_999);
        assertThat(kept.get("seen").asLong()).isEqualTo(10_000);
        assertThat(kept.get("lost").asLong()).isEqualTo(3);
        assertThat(log("?limit=1").get("lines")).hasSize(1);
    }

    @Test
    void what_is_told_of_nothing_that_is_there_is_passed_over() {
        post(LOUD);
        firewalls.told.packet(9, FIRST, "fw_drop", 53, 0); // a version that never existed
        firewalls.told.packet(1, FIRST - 7, "fw_drop", 53, 0); // a rule that never existed
        assertThat(log("").get("lines")).isEmpty();
    }

    @Test
    void the_log_of_a_firewall_that_is_gone_is_not_that_of_the_next_under_its_name() {
        post(LOUD);
        firewalls.told.packet(1, FIRST, "fw_drop", 53, 0);
        assertThat(log("").get("seen").asLong()).isEqualTo(1);
        assertThat(firewalls.client.delete("firewalls/fw").status()).isIn(200, 202, 204);
        firewalls.settle();
        post(LOUD);
        assertThat(log("").get("seen").asLong()).isZero();
        assertThat(log("").get("lines")).isEmpty();
    }

    @Test
    void a_limit_that_is_none_is_refused_with_its_field() {
        post(LOUD);
        for (String limit : List.of("0", "201", "-1", "many", "")) {
            Client.Answer answer = firewalls.client.get("firewalls/fw/log?limit=" + limit);
            assertThat(answer.status()).as(limit).isEqualTo(400);
            assertThat(answer.json().at("/errors/0/field").asText()).isEqualTo("/limit");
        }
        assertThat(firewalls.client.get("firewalls/none/log").status()).isEqualTo(404);
    }

    @Test
    void rules_that_counted_are_told_with_their_latest_counters_some_at_a_time() {
        post(LOUD, QUIET);
        Subscription listening = firewalls.news.listen(anew::incrementAndGet);
        count(new Rule(1, FIRST, new Counters(1, 100)), new Rule(1, 1, new Counters(5, 500)));
        count(new Rule(1, FIRST, new Counters(2, 200)));
        assertThat(taken("firewallCounters"))
                .hasToString(
                        "{\"firewalls\":[{\"id\":\"fw\",\"version\":1,\"rules\":[{\"rule\":-1,\"hits\":5,\"bytes\":500},"
                                + "{\"rule\":0,\"hits\":2,\"bytes\":200}]}]}");
        assertThat(firewalls.news.take()).isEmpty();
        assertThat(live()).isTrue();
        listening.close();
        assertThat(live()).isFalse();
    }

    private boolean live() {
        return firewalls.client.get("firewalls/fw/counters").json().get("live").asBoolean();
    }

    private void count(Rule... rules) {
        firewalls.told.counted.forEach(listener -> listener.accept(new Counted("l2", 0, List.of(rules))));
    }

    @Test
    void a_host_that_hears_nothing_says_so() {
        post(LOUD);
        firewalls.news.telemetry = null;
        assertThat(log("").get("heard").asBoolean()).isFalse();
        firewalls.news.listen(anew::incrementAndGet).close();
    }
}
