// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.sera.Sera.firewall;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.table.FirewallRule;
import org.sextant.northbound.cli.Typed;
import org.sextant.northbound.rest.Client;

/** Firewalls from REST and shell to table entries. */
@Timeout(120)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FirewallRestTest {
    private static final String WEB =
            "{'name': 'web', 'destination': ['2001:db8:2::/64'], 'protocol': 'tcp', 'destinationPorts': '80,443', 'action': 'accept'}";
    private static final String PING = "{'name': 'ping', 'protocol': 'icmpv6', 'icmpType': '128', 'action': 'accept'}";

    private static final String SAVED = """
            *filter
            :FORWARD DROP [0:0]
            -A FORWARD -d 2001:db8:2::/64 -p tcp -m tcp --dport 443 -j ACCEPT
            COMMIT
            """;

    private final Firewalls firewalls = new Firewalls();

    @AfterEach
    void close() {
        firewalls.close();
    }

    private int logged;

    /** The writes since {@code logged}. */
    private List<String> log() {
        return firewalls.dataPlane.log().stream()
                .skip(logged)
                .map(FakeDataPlane.Done::toString)
                .toList();
    }

    @Test
    void a_firewall_is_posted_and_shown_with_its_sid_rows_and_findings() {
        Client.Answer posted =
                firewalls.client.post("firewalls", firewall("", WEB, PING, "{'protocol': 'tcp', 'action': 'drop'}"));
        assertThat(posted.status()).isEqualTo(201);
        assertThat(posted.location()).endsWith("/firewalls/fw");
        JsonNode view = firewalls.client.get("firewalls/fw").json();
        assertThat(view.at("/sid").textValue()).isEqualTo("fcbb:bbbb:200:f200::/60");
        assertThat(view.at("/version").intValue()).isEqualTo(1);
        assertThat(view.at("/rows").intValue()).isEqualTo(5);
        assertThat(view.at("/findings/0/code").textValue()).isEqualTo("REDUNDANT");
        assertThat(view.at("/findings/0/field").textValue()).isEqualTo("/rules/2");
        assertThat(firewalls.rows("l2")).hasSize(5);
        assertThat(firewalls.named("l2")).containsExactly(1);
        JsonNode second = firewalls
                .client
                .post("firewalls", firewall("", WEB).replace("'fw'", "'fw2'"))
                .json();
        assertThat(second.at("/sid").textValue()).isEqualTo("fcbb:bbbb:200:f210::/60");
        assertThat(firewalls.client.get("firewalls?node=l1").json()).isEmpty();
        assertThat(firewalls.client.get("firewalls?node=l2").json()).hasSize(2);
    }

    @Test
    void another_version_is_written_under_a_number_of_its_own_before_the_sid_names_it() {
        firewalls.client.post("firewalls", firewall("", WEB));
        List<String> before = firewalls.rows("l2");
        logged = firewalls.dataPlane.log().size();
        Client.Answer put = firewalls.put("firewalls/fw", firewall("", PING));
        assertThat(put.status()).isEqualTo(200);
        assertThat(put.json().get("version").intValue()).isEqualTo(2);
        assertThat(firewalls.named("l2")).containsExactly(2);
        assertThat(firewalls.rows("l2")).hasSize(2).doesNotContainAnyElementsOf(before);
        List<String> log = log();
        int named = indexOf(log, "MODIFY");
        assertThat(log.subList(0, named))
                .isNotEmpty()
                .allSatisfy(done -> assertThat(done).contains("INSERT"));
        assertThat(log.subList(named + 1, log.size()))
                .isNotEmpty()
                .allSatisfy(done -> assertThat(done).contains("DELETE"));
        assertThat(firewalls
                        .put("firewalls/fw", firewall("", PING))
                        .json()
                        .get("version")
                        .intValue())
                .as("nothing is another")
                .isEqualTo(2);
        assertThat(firewalls
                        .client
                        .post("firewalls", firewall("", WEB))
                        .json()
                        .get("version")
                        .intValue())
                .isEqualTo(3);
        assertThat(firewalls
                        .put("firewalls/fw", firewall("", WEB).replace("'fw'", "'other'"))
                        .status())
                .isEqualTo(400);
        assertThat(firewalls.put("firewalls/none", firewall("", WEB)).status()).isEqualTo(404);
    }

    private static Typed typed(org.sextant.northbound.cli.ShellCommand command, String... words) {
        return Typed.run(command, "", words);
    }

    private static int indexOf(List<String> log, String word) {
        for (int i = 0; i < log.size(); i++) {
            if (log.get(i).contains(word)) {
                return i;
            }
        }
        throw new AssertionError(log.toString());
    }

    @Test
    void a_document_that_differs_is_the_next_version_with_its_time() {
        for (String rule : List.of(WEB, WEB, PING)) {
            String spec = firewall("", rule);
            String document =
                    "[{'kind':'firewall','name':'fw','spec':" + spec.replaceFirst("'name': ?'fw', ?", "") + "}]";
            assertThat(firewalls.client.post("apply?dryRun=true", document).status())
                    .isEqualTo(200);
            assertThat(firewalls.client.post("apply", document).status()).isEqualTo(200);
        }
        JsonNode versions = firewalls.client.get("firewalls/fw/versions").json();
        assertThat(versions.findValuesAsText("version")).containsExactly("2", "1");
        assertThat(versions.findValuesAsText("at")).hasSize(2).allMatch(at -> at.endsWith("Z"));
    }

    @Test
    void versions_are_kept_over_a_restart_and_rolled_back_to_as_the_next_one() {
        firewalls.client.post("firewalls", firewall("", WEB));
        firewalls.put("firewalls/fw", firewall("", PING));
        firewalls.restart();
        JsonNode versions = firewalls.client.get("firewalls/fw/versions").json();
        assertThat(versions.findValuesAsText("version")).containsExactly("2", "1");
        assertThat(versions.at("/1/firewall/rules/0/name").textValue()).isEqualTo("web");
        assertThat(versions.at("/0/at").textValue()).endsWith("Z");
        Client.Answer back = firewalls.client.post("firewalls/fw/rollback?version=1", "");
        assertThat(back.status()).isEqualTo(200);
        assertThat(back.json().get("version").intValue()).isEqualTo(3);
        assertThat(back.json().at("/firewall/rules/0/name").textValue()).isEqualTo("web");
        assertThat(firewalls.named("l2")).containsExactly(3);
        assertThat(firewalls.client.post("firewalls/fw/rollback?version=9", "").status())
                .isEqualTo(422);
        assertThat(firewalls.client.post("firewalls/none/rollback", "").status())
                .isEqualTo(404);
        assertThat(firewalls.client.post("firewalls/fw/rollback?version=x", "").status())
                .isEqualTo(400);
        assertThat(firewalls
                        .client
                        .post("firewalls/fw/rollback", "")
                        .json()
                        .get("version")
                        .intValue())
                .isEqualTo(4);
    }

    @Test
    void counters_are_those_of_rules_whatever_rows_they_have() {
        firewalls.client.post("firewalls", firewall("", WEB, PING));
        firewalls.dataPlane.held("l2").values().stream()
                .filter(FirewallRule.class::isInstance)
                .forEach(row -> firewalls.dataPlane.count("l2", row.key(), new Counters(3, 300)));
        JsonNode counters = firewalls.client.get("firewalls/fw/counters").json();
        assertThat(counters.get("read").booleanValue()).isTrue();
        assertThat(counters.at("/rules/0/hits").intValue()).as("two rows").isEqualTo(6);
        assertThat(counters.at("/rules/1/hits").intValue()).isEqualTo(3);
        assertThat(counters.at("/default/hits").intValue()).isEqualTo(3);
        assertThat(counters.get("since").textValue()).endsWith("Z");
        firewalls.dataPlane.disconnect("l2", "away");
        firewalls.settle();
        assertThat(firewalls
                        .client
                        .get("firewalls/fw/counters")
                        .json()
                        .get("read")
                        .booleanValue())
                .isFalse();
    }

    @Test
    void a_node_that_remembers_says_when_a_rule_was_hit_last_and_of_another_two_readings_do() {
        firewalls.client.post("firewalls", firewall("", WEB, PING));
        List<FirewallRule> rows = firewalls.dataPlane.held("l2").values().stream()
                .filter(FirewallRule.class::isInstance)
                .map(FirewallRule.class::cast)
                .toList();
        rows.stream()
                .filter(row -> row.priority() == 0xffff)
                .forEach(row -> firewalls.dataPlane.count("l2", row.key(), new Counters(3, 300), Duration.ofDays(3)));
        Instant before = Instant.now();
        JsonNode counters = firewalls.client.get("firewalls/fw/counters").json();
        assertThat(Instant.parse(counters.at("/rules/0/lastHit").textValue()))
                .isBetween(
                        before.minus(Duration.ofDays(3)).minusSeconds(1),
                        Instant.now().minus(Duration.ofDays(3)));
        assertThat(counters.at("/rules/1").has("lastHit")).isFalse();
        assertThat(counters.at("/rules/1").has("lastHitBefore"))
                .as("it was never hit")
                .isFalse();
        rows.stream()
                .filter(row -> row.priority() == 0xfffe)
                .forEach(row -> firewalls.dataPlane.count("l2", row.key(), new Counters(1, 100)));
        JsonNode later = firewalls.client.get("firewalls/fw/counters").json();
        assertThat(Instant.parse(later.at("/rules/1/lastHitAfter").textValue()))
                .isBefore(Instant.parse(later.at("/rules/1/lastHitBefore").textValue()));
        assertThat(later.at("/rules/0").has("lastHitBefore")).isFalse();
        assertThat(typed(new CountersCommand(firewalls.app), "fw").out()).contains("last after ", ", before ");
    }

    @Test
    void in_audit_what_would_be_dropped_passes_and_is_logged() {
        firewalls.client.post(
                "firewalls", firewall(", 'enforcement': 'audit'", "{'protocol': 'tcp', 'action': 'drop'}"));
        assertThat(firewalls.row("l2", 0xffff).actionText()).isEqualTo("fw_go_next log");
        assertThat(firewalls.row("l2", 1).actionText()).isEqualTo("fw_go_next log");
        JsonNode traced = firewalls.trace(
                "fw", "{'packet': {'source': '2001:db8::1', 'destination': '2001:db8::2', 'protocol': 'tcp'}}");
        assertThat(traced.get("verdict").textValue()).isEqualTo("drop");
        assertThat(traced.get("enforced").textValue()).isEqualTo("accept");
    }

    @Test
    void what_cannot_be_is_refused_with_field_and_remedy() {
        for (String[] bad : new String[][] {
            {firewall("", WEB).replace("'l2'", "'nowhere'"), "/node", "422"},
            {firewall("", WEB.replace("'tcp'", "'icmp'")), "/rules/0/destinationPorts", "400"},
            {firewall("", "{'source': ['!::/0'], 'family': 'ipv6', 'action': 'drop'}"), "/rules/0", "400"},
        }) {
            Client.Answer answer = firewalls.client.post("firewalls", bad[0]);
            assertThat(answer.json().at("/errors/0/field").textValue()).isEqualTo(bad[1]);
            assertThat(answer.status()).isEqualTo(Integer.parseInt(bad[2]));
        }
        String wide =
                "{'source': ['!2001:db8::1'], 'destination': ['!2001:db8::2'], 'protocol': '!tcp', 'action': 'drop'}";
        Client.Answer many = firewalls.client.post("firewalls", firewall("", WEB, wide));
        assertThat(many.status()).isEqualTo(422);
        assertThat(many.json().at("/errors/0/message").textValue())
                .contains("131083 rows")
                .contains("rule 1 (/rules/1) with 131080, web (/rules/0) with 2");
    }

    @Test
    void what_ip6tables_saved_is_imported_and_a_packet_traced() {
        Client.Answer tried = firewalls.imported("format=ip6tables-save&node=l2&name=web&dryRun=true", SAVED);
        assertThat(tried.status()).isEqualTo(200);
        assertThat(tried.json().at("/plan/rows").intValue()).isEqualTo(2);
        assertThat(firewalls.client.get("firewalls").json()).isEmpty();
        Client.Answer imported = firewalls.imported("format=ip6tables-save&node=l2&name=web", SAVED);
        assertThat(imported.status()).isEqualTo(201);
        assertThat(imported.json().at("/receipt/state").textValue()).isEqualTo("INSTALLED");
        JsonNode passed = firewalls.trace(
                "web",
                "{'packet': {'source': '2001:db8:1::1', 'destination': '2001:db8:2::1', 'protocol': 'tcp',"
                        + " 'destinationPort': 443}}");
        assertThat(passed.get("verdict").textValue()).isEqualTo("accept");
        assertThat(passed.at("/rule/name").textValue()).isEqualTo("line-3");
        JsonNode dropped = firewalls.trace(
                "web",
                "{'packet': {'source': '2001:db8:1::1', 'destination': '2001:db8:2::1', 'protocol': 'tcp',"
                        + " 'destinationPort': 80}}");
        assertThat(dropped.get("verdict").textValue()).isEqualTo("drop");
        assertThat(dropped.at("/rule/name").textValue()).isEqualTo("default");
        assertThat(dropped.at("/passed/0/differs").textValue()).isEqualTo("/destinationPorts");
    }

    @Test
    void an_import_with_lines_that_have_no_counterpart_stores_nothing_unless_told_so() {
        String text = SAVED.replace("COMMIT", "-A FORWARD -i eth0 -j ACCEPT\nCOMMIT");
        Client.Answer refused = firewalls.imported("format=ip6tables-save&node=l2", text);
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.json().at("/errors/0/field").textValue()).isEqualTo("/lines/4");
        assertThat(refused.json().at("/errors/0/message").textValue())
                .contains("no interface eth0", "-A FORWARD -i eth0");
        assertThat(firewalls.client.get("firewalls").json()).isEmpty();
        Client.Answer partial = firewalls.imported("format=ip6tables-save&node=l2&partial=true", text);
        assertThat(partial.status()).isEqualTo(201);
        assertThat(partial.json().at("/refused/0/line").intValue()).isEqualTo(4);
        Client.Answer whole = firewalls.imported(
                "format=ip6tables-save&node=l2&dryRun=true&interfaces=eth0=2001:db8:1::/64,eth1=10.0.0.0/8", text);
        assertThat(whole.json().at("/refused")).isEmpty();
        assertThat(whole.json().at("/firewall/rules/1/source/0").textValue()).isEqualTo("2001:db8:1::/64");
        assertThat(firewalls
                        .imported("format=ip6tables-save&node=l2&interfaces=eth0", text)
                        .json()
                        .at("/errors/0/field")
                        .textValue())
                .isEqualTo("/interfaces");
        assertThat(firewalls
                        .imported("format=pf&node=l2", text)
                        .json()
                        .at("/errors/0/field")
                        .textValue())
                .isEqualTo("/format");
        assertThat(firewalls
                        .imported("format=nft", text)
                        .json()
                        .at("/errors/0/field")
                        .textValue())
                .isEqualTo("/node");
        assertThat(firewalls
                        .client
                        .as("viewer")
                        .call(
                                "POST",
                                "firewalls/import?format=nft&node=l2",
                                "text/plain",
                                java.io.InputStream.nullInputStream())
                        .status())
                .isEqualTo(403);
    }

    @Test
    void words_say_the_same_as_rest() {
        Typed imported =
                Typed.run(new ImportCommand(firewalls.app), SAVED, new String[] {"l2", "--name", "web", "--file", "-"});
        assertThat(imported.err()).isEmpty();
        assertThat(imported.out()).contains("web INSTALLED", "fcbb:bbbb:200:f200::/60");
        assertThat(typed(new TraceCommand(firewalls.app), "web", "--from", "2001:db8::1", "--to", "2001:db8:2::1")
                        .out())
                .contains("drop, says rule default", "not line-3: /protocol differs");
        assertThat(typed(new CountersCommand(firewalls.app), "web").out()).contains("line-3", "default");
        String ping = firewall("", PING).replace('\'', '"').replace("\"fw\"", "\"web\"");
        Typed.run(Typed.command(firewalls.app, "firewall-add"), ping, new String[] {"--file", "-"});
        assertThat(typed(new RollbackCommand(firewalls.app), "web").out()).contains("version 3");
        assertThat(typed(Typed.command(firewalls.app, "firewalls")).out()).contains("web", "fcbb:bbbb:200:f200::/60");
        assertThat(typed(Typed.command(firewalls.app, "firewall"), "web").out()).contains("version 3 on l2");
        assertThat(typed(Typed.command(firewalls.app, "firewall-explain"), "web")
                        .out())
                .contains("line-3  accept");
    }

    @Test
    void a_firewall_names_the_policies_that_lead_through_it_and_stays_as_long() {
        firewalls.client.post("firewalls", firewall("", WEB));
        assertThat(firewalls.client.get("firewalls/fw").json().at("/policies")).isEmpty();
        Through policies = new Through();
        firewalls.engine.register(policies);
        firewalls.engine.submit(policies, List.of("fw"));
        firewalls.settle();
        assertThat(firewalls.client.get("firewalls/fw").json().at("/policies/0").textValue())
                .isEqualTo("through-fw");
        assertThat(firewalls.client.delete("firewalls/fw").status()).isEqualTo(409);
    }

    @Test
    void a_packet_is_followed_along_a_policy_through_the_firewall() {
        firewalls.client.post("firewalls", firewall("", PING));
        Through policies = new Through();
        firewalls.engine.register(policies);
        firewalls.engine.submit(policies, List.of("fw"));
        firewalls.settle();
        String ping = "'packet': {'source': 'fd00:0:11::2', 'destination': 'fd00:0:31::2', 'protocol': 'icmpv6',"
                + " 'icmpType': '128/0'}";
        JsonNode passed = firewalls.trace("fw", "{'policy': 'through-fw', " + ping + "}");
        assertThat(passed.at("/rule/name").textValue()).isEqualTo("ping");
        assertThat(passed.at("/end/to").textValue()).isEqualTo("h31");
        assertThat(passed.at("/hops/1/before/header").textValue())
                .isEqualTo(
                        "600000000030293f" + "fcff0001000000000000000000000001" + "fcbbbbbb0200f20006000300f00d0000");
        assertThat(passed.at("/hops/1/firewall/id").textValue()).isEqualTo("fw");
        assertThat(passed.get("paths").intValue()).isEqualTo(2);
        JsonNode past = firewalls.trace("fw", "{'policy': 'through-fw', 'path': 1, " + ping + "}");
        assertThat(past.has("verdict")).isFalse();
        assertThat(past.at("/end/outcome").textValue()).isEqualTo("delivered");
        assertThat(typed(
                                new TraceCommand(firewalls.app),
                                "fw",
                                "--policy",
                                "through-fw",
                                "--from",
                                "fd00:0:11::2",
                                "--to",
                                "fd00:0:31::2")
                        .out())
                .contains("along policy through-fw", "End.AN", "fw: drop by default", "dropped: node l2 drops it");
        for (String[] bad : new String[][] {
            {"{'policy': 'none', " + ping + "}", "/policy"},
            {"{'policy': 'through-fw', 'path': 2, " + ping + "}", "/path"},
            {"{'policy': 'through-fw', " + ping.replace("31::2", "32::2") + "}", "/packet/destination"}
        }) {
            Client.Answer refused = firewalls.client.post("firewalls/fw/trace", bad[0]);
            assertThat(refused.status()).as(bad[1]).isEqualTo(422);
            assertThat(refused.json().at("/errors/0/field").textValue()).isEqualTo(bad[1]);
        }
        assertThat(firewalls
                        .client
                        .post("firewalls/fw/trace", "{'path': 1, " + ping + "}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void a_firewall_is_removed_sid_first() {
        firewalls.client.post("firewalls", firewall("", WEB));
        logged = firewalls.dataPlane.log().size();
        assertThat(firewalls.client.delete("firewalls/fw").status()).isEqualTo(204);
        assertThat(firewalls.rows("l2")).isEmpty();
        assertThat(log().get(0)).contains("my_sid");
    }

    @Test
    void a_packet_that_goes_elsewhere_and_a_request_without_one_are_refused() {
        firewalls.client.post("firewalls", firewall("", WEB));
        Client.Answer other = firewalls.client.post(
                "firewalls/fw/trace",
                "{'packet': {'source': '2001:db8::1', 'destination': '2001:db8::2',"
                        + " 'destinationAddress': 'fcbb:bbbb:300:f200::'}}");
        assertThat(other.status()).isEqualTo(400);
        assertThat(other.json().at("/errors/0/message").textValue())
                .contains("this firewall's SID is fcbb:bbbb:200:f200::/60");
        assertThat(firewalls.client.post("firewalls/fw/trace", "{}").status()).isEqualTo(400);
        assertThat(firewalls.client.post("firewalls/fw/trace", "{'hex': 'zz'}").status())
                .isEqualTo(400);
        assertThat(firewalls
                        .client
                        .post("firewalls/none/trace", "{'hex': '60'}")
                        .status())
                .isEqualTo(404);
    }
}
