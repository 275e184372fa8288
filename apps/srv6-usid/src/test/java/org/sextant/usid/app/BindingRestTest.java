// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sextant.core.table.MySid;
import org.sextant.northbound.rest.Client;
import org.sextant.northbound.rest.Client.Answer;
import org.sextant.usid.Fig4;
import org.sextant.usid.probe.Probes;

/** Binding SIDs between policies of a controller. */
class BindingRestTest {
    private static final String SILVER = "{'name':'%s','headend':'p7','endpoint':'v5','bindingSid':'%s',"
            + "'candidatePaths':[{'hops':['p6','v5']}]}";

    private static final String OUTER =
            "{'name':'outer','headend':'l1','hops':['l2',{'policy':'silver'}],'egress':'l3','steering':['2001:db8::/48']}";

    private final Controller controller = new Controller();
    private final Client client = Client.of(controller.app, Probes.resource(controller, new Probes()));

    @AfterEach
    void close() {
        controller.close();
    }

    private String binding(String policy) {
        return client.get("policies/" + policy).json().get("bindingSid").textValue();
    }

    private long sids(String node) {
        return controller.dataPlane.held(node).values().stream()
                .filter(MySid.class::isInstance)
                .count();
    }

    @Test
    void each_policy_of_a_headend_gets_a_sid_of_its_own_and_keeps_it() {
        assertThat(client.post("policies", SILVER.formatted("silver", "auto")).status())
                .isEqualTo(201);
        assertThat(client.post("policies", SILVER.formatted("gold", "auto")).status())
                .isEqualTo(201);
        assertThat(binding("silver")).isEqualTo("fcbb:bbbb:700:f800::");
        assertThat(binding("gold")).isEqualTo("fcbb:bbbb:700:f801::");
        controller.inventory.set(Fig4.withLinks(link -> Fig4.joins(link, "l1", "l2") ? Fig4.metric(link, 77) : link));
        controller.settle();
        assertThat(binding("gold")).isEqualTo("fcbb:bbbb:700:f801::");
        assertThat(sids("p7")).isEqualTo(2);
        client.delete("policies/silver");
        assertThat(sids("p7")).isEqualTo(1);
    }

    @Test
    void a_sid_that_another_policy_has_is_a_conflict_that_names_it() {
        client.post("policies", SILVER.formatted("silver", "fcbb:bbbb:700:fc01::"));
        Answer answer = client.post("policies", SILVER.formatted("gold", "fcbb:bbbb:700:fc01::"));
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().at("/errors/0/field").textValue()).isEqualTo("/bindingSid");
        assertThat(answer.json().at("/errors/0/message").textValue())
                .isEqualTo("my_sid fcbb:bbbb:700:fc01::/64 on node p7 belongs to policy \"silver\"");
    }

    @Test
    void a_policy_is_not_deleted_under_one_that_leads_into_it() {
        client.post("policies", SILVER.formatted("silver", "auto"));
        assertThat(client.post("policies", OUTER).status()).isEqualTo(201);
        Answer answer = client.delete("policies/silver");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().toString()).contains("outer");
        assertThat(client.delete("policies/outer").status()).isEqualTo(204);
        assertThat(client.delete("policies/silver").status()).isEqualTo(204);
    }

    @Test
    void what_leads_into_it_follows_its_path_and_falls_with_it() {
        client.post(
                "policies",
                "{'name':'silver','headend':'p7','endpoint':'v5','bindingSid':'auto',"
                        + "'candidatePaths':[{'preference':200,'hops':['p6','v5']}]}");
        client.post("policies", OUTER);
        controller.inventory.set(Fig4.withLinks(link -> Fig4.joins(link, "p7", "p6") ? Fig4.down(link) : link));
        controller.settle();
        JsonNode outer = client.get("policies/outer").json();
        assertThat(outer.get("state").textValue()).isEqualTo("FAILED");
        assertThat(outer.at("/errors/0/message").textValue()).isEqualTo("policy \"silver\" has nothing to install now");
        controller.inventory.set(Fig4.NETWORK);
        controller.settle();
        assertThat(client.get("policies/outer").json().get("state").textValue()).isEqualTo("INSTALLED");
    }

    @Test
    void a_change_that_would_lead_them_into_each_other_is_refused() {
        client.post("policies", SILVER.formatted("silver", "auto"));
        client.post(
                "policies",
                "{'name':'gold','headend':'l2','endpoint':'v4','bindingSid':'auto',"
                        + "'candidatePaths':[{'hops':[{'policy':'silver'},'v4']}]}");
        Answer answer = client.post(
                "policies",
                "{'name':'silver','headend':'p7','endpoint':'v5','bindingSid':'auto',"
                        + "'candidatePaths':[{'hops':[{'policy':'gold','loose':true},'v5']}]}");
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().at("/errors/0/message").textValue())
                .isEqualTo("it refers to itself by way of policy \"gold\", policy \"silver\"");
        assertThat(client.get("policies/gold").json().get("state").textValue()).isEqualTo("INSTALLED");
    }

    @Test
    void a_change_that_takes_the_sid_away_from_who_leads_into_it_is_refused() {
        client.post("policies", SILVER.formatted("silver", "auto"));
        client.post("policies", OUTER);
        Answer answer = client.post(
                "policies",
                "{'name':'silver','headend':'p7','endpoint':'v5','steering':['2001:db8:1::/48'],"
                        + "'candidatePaths':[{'hops':['p6','v5']}]}");
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().toString()).contains("would break references of policy \\\"outer\\\"");
    }
}
