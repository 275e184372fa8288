// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Reservation;
import org.sextant.core.intent.SetupHoldPriority;
import org.sextant.northbound.rest.Client;
import org.sextant.northbound.rest.Client.Answer;
import org.sextant.usid.Fig4;
import org.sextant.usid.probe.Probes;

/**
 * Policies that reserve bandwidth, on Figure 4 with links of 1 Mbit/s: from l2 to l3 there are the link between them,
 * and paths by p7.
 */
class BandwidthRestTest {
    private static final String DIRECT = "l2/2-l3/1";

    private final Controller controller = new Controller();
    private final Client client = Client.of(controller.app, Probes.resource(controller, new Probes()));

    @BeforeEach
    void capacities() {
        capacity(1000, 1000);
    }

    private void capacity(long direct, long others) {
        controller.inventory.set(
                Fig4.withLinks(link -> link.withCapacityKbps(Fig4.joins(link, "l2", "l3") ? direct : others)));
        controller.settle();
    }

    @AfterEach
    void close() {
        controller.close();
    }

    private Answer post(String name, int number, String dynamic) {
        Answer answer = client.post(
                "policies",
                "{'name':'" + name + "','headend':'l2','endpoint':'l3','steering':['2001:db8:" + number
                        + "::/48'],'candidatePaths':[{'dynamic':{" + dynamic + "}}]}");
        controller.settle();
        return answer;
    }

    private List<String> links(String policy) {
        JsonNode active = client.get("policies/" + policy + "/plan").json().at("/candidatePaths/0");
        assertThat(active.get("state").textValue()).as(active.toString()).isEqualTo("ACTIVE");
        return StreamSupport.stream(active.get("links").spliterator(), false)
                .map(JsonNode::textValue)
                .toList();
    }

    private static String problem(Answer answer) {
        return answer.json().at("/errors/0/message").textValue();
    }

    @Test
    void the_second_takes_another_path_and_the_third_none() {
        assertThat(post("gold", 1, "'bandwidthKbps':600").status()).isEqualTo(201);
        assertThat(post("silver", 2, "'bandwidthKbps':600").status()).isEqualTo(201);
        assertThat(links("gold")).containsExactly(DIRECT);
        assertThat(links("silver")).contains("l2/3-p7/1").doesNotContain(DIRECT);
        Answer none = post("bronze", 3, "'bandwidthKbps':600");
        assertThat(none.status()).isEqualTo(422);
        assertThat(problem(none))
                .isEqualTo(
                        "no path from l2 to l3 meets all constraints: bandwidth 600 kbit/s stands in the way; without it there is"
                                + " one of IGP metric 10 over l2, l3, but l2/2-l3/1 has 400 of 1000 kbit/s left,"
                                + " the rest has policy \"gold\" (600)");
        assertThat(controller.engine.reservations())
                .contains(new Reservation(DIRECT, new IntentRef("policy", "gold"), new SetupHoldPriority(7, 7), 600));
        client.delete("policies/gold");
        controller.settle();
        assertThat(links("silver")).as("there is room again").containsExactly(DIRECT);
    }

    @Test
    void a_better_one_takes_it_and_it_is_said_who() {
        post("gold", 1, "'bandwidthKbps':600");
        assertThat(post("platinum", 2, "'bandwidthKbps':600,'setupPriority':3").status())
                .isEqualTo(201);
        assertThat(links("platinum")).containsExactly(DIRECT);
        assertThat(links("gold")).contains("l2/3-p7/1");
        assertThat(client.get("policies/gold").json().at("/warnings").toString())
                .contains("preempted by policy \\\"platinum\\\" (600) on l2/2-l3/1");
        assertThat(post("palladium", 3, "'bandwidthKbps':600,'setupPriority':3").status())
                .isEqualTo(201);
        JsonNode gold = client.get("policies/gold").json();
        assertThat(gold.get("state").textValue()).isEqualTo("FAILED");
        assertThat(gold.at("/errors/0/message").textValue())
                .contains("preempted by policy \"platinum\" (600) on l2/2-l3/1");
        client.delete("policies/platinum");
        controller.settle();
        assertThat(links("palladium")).containsExactly(DIRECT);
        assertThat(links("gold")).contains("l2/3-p7/1");
    }

    @Test
    void what_is_held_fast_is_not_taken() {
        post("gold", 1, "'bandwidthKbps':600,'setupPriority':7,'holdPriority':0");
        post("silver", 2, "'bandwidthKbps':600,'setupPriority':0");
        assertThat(links("gold")).containsExactly(DIRECT);
        assertThat(links("silver")).contains("l2/3-p7/1");
    }

    @Test
    void a_change_does_not_count_its_own_share_twice() {
        post("gold", 1, "'bandwidthKbps':600");
        assertThat(post("gold", 1, "'bandwidthKbps':1000").status()).isEqualTo(200);
        assertThat(links("gold")).containsExactly(DIRECT);
        assertThat(controller.engine.reservations())
                .extracting(Reservation::kbps)
                .containsExactly(1000L);
    }

    @Test
    void more_than_any_link_has() {
        Answer answer = post("gold", 1, "'bandwidthKbps':1001");
        assertThat(answer.status()).isEqualTo(422);
        assertThat(problem(answer))
                .contains("bandwidth 1001 kbit/s stands in the way", "l2/2-l3/1 has 1000 of 1000 kbit/s left");
    }

    @Test
    void nobody_can_say_what_is_left_of_a_link_of_unknown_capacity() {
        capacity(0, 1000);
        post("gold", 1, "'bandwidthKbps':1");
        assertThat(links("gold")).doesNotContain(DIRECT).contains("l2/3-p7/1");
        capacity(0, 0);
        JsonNode gold = client.get("policies/gold").json();
        assertThat(gold.get("state").textValue()).isEqualTo("FAILED");
        assertThat(gold.at("/errors/0/message").textValue()).contains("l2/2-l3/1 is of unknown capacity");
    }

    @Test
    void a_link_that_has_less_now() {
        post("gold", 1, "'bandwidthKbps':600");
        capacity(500, 1000);
        assertThat(links("gold")).contains("l2/3-p7/1");
        capacity(600, 1000);
        assertThat(links("gold")).containsExactly(DIRECT);
    }

    @Test
    void who_keeps_away_from_another_comes_after_it_whatever_its_priority() {
        post("silver", 1, "'bandwidthKbps':600");
        post("gold", 2, "'bandwidthKbps':600,'setupPriority':0,'disjointFrom':[{'policy':'silver'}]");
        assertThat(links("silver")).containsExactly(DIRECT);
        assertThat(links("gold")).contains("l2/3-p7/1");
    }

    @Test
    void a_dry_run_and_the_explanation_know_what_is_left() {
        post("gold", 1, "'bandwidthKbps':600");
        Answer dry = client.post(
                "policies?dryRun=true",
                "{'name':'silver','headend':'l2','endpoint':'l3','steering':['2001:db8:2::/48'],"
                        + "'candidatePaths':[{'dynamic':{'bandwidthKbps':600}}]}");
        assertThat(dry.status()).isEqualTo(200);
        assertThat(dry.json().at("/candidatePaths/0/links").toString()).contains("l2/3-p7/1");
        assertThat(controller.engine.reservations()).hasSize(1);
    }

    @Test
    void words_that_mean_nothing() {
        assertThat(problem(post("gold", 1, "'bandwidthKbps':0"))).contains("bandwidthKbps");
        assertThat(post("gold", 1, "'bandwidthKbps':-5").status()).isEqualTo(400);
        assertThat(post("gold", 1, "'bandwidthKbps':5,'setupPriority':8").status())
                .isEqualTo(400);
        Answer hold = post("gold", 1, "'bandwidthKbps':5,'setupPriority':3,'holdPriority':4");
        assertThat(hold.status()).isEqualTo(400);
        assertThat(hold.json().at("/errors/0/field").textValue()).isEqualTo("/candidatePaths/0/dynamic/holdPriority");
        assertThat(problem(hold)).contains("RFC 3209, 4.7.1");
        assertThat(problem(post("gold", 1, "'setupPriority':3"))).contains("none is requested");
        Answer two = client.post(
                "policies",
                "{'headend':'l2','endpoint':'l3','steering':['2001:db8:1::/48'],'candidatePaths':["
                        + "{'preference':2,'dynamic':{'bandwidthKbps':5}},"
                        + "{'preference':1,'dynamic':{'bandwidthKbps':5,'setupPriority':3}}]}");
        assertThat(two.status()).isEqualTo(400);
        assertThat(problem(two)).contains("the same setup and hold priority");
    }
}
