// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.Link;
import org.sextant.northbound.rest.Client;
import org.sextant.northbound.rest.Client.Answer;
import org.sextant.usid.Fig4;
import org.sextant.usid.probe.Probes;

/** Policies with disjoint paths, on Figure 4: from l2 to l3 there are the link between them, and paths by p7. */
class DisjointRestTest {
    private final Controller controller = new Controller();
    private final Client client = Client.of(controller.app, Probes.resource(controller, new Probes()));

    @BeforeEach
    void silver() {
        post("silver", "2001:db8:1::/48", "'dynamic':{}");
    }

    @AfterEach
    void close() {
        controller.close();
    }

    private Answer post(String name, String steered, String path) {
        return client.post(
                "policies",
                "{'name':'" + name + "','headend':'l2','endpoint':'l3','steering':['" + steered
                        + "'],'candidatePaths':[{" + path + "}]}");
    }

    private Answer gold(String share) {
        return post(
                "gold", "2001:db8:2::/48", "'dynamic':{'disjointFrom':[{'policy':'silver','share':'" + share + "'}]}");
    }

    private List<String> links(String policy) {
        JsonNode active = client.get("policies/" + policy + "/plan").json().at("/candidatePaths/0");
        assertThat(active.get("state").textValue()).isEqualTo("ACTIVE");
        return StreamSupport.stream(active.get("links").spliterator(), false)
                .map(JsonNode::textValue)
                .toList();
    }

    private void network(String from, String to, Set<Integer> srlgs, boolean up) {
        controller.inventory.set(Fig4.withLinks(
                link -> Fig4.joins(link, from, to) ? changed(link, srlgs).withUp(up) : link));
        controller.settle();
    }

    private static Link changed(Link link, Set<Integer> srlgs) {
        return new Link(
                link.from(),
                link.to(),
                link.igpMetric(),
                link.teMetric(),
                link.delayMicros(),
                link.mtuBytes(),
                srlgs,
                link.affinities(),
                link.up());
    }

    @Test
    void the_best_path_that_shares_no_link() {
        assertThat(links("silver")).containsExactly("l2/2-l3/1");
        assertThat(gold("link").status()).isEqualTo(201);
        assertThat(links("gold")).contains("l2/3-p7/1", "v4/1-l3/2").doesNotContain("l2/2-l3/1");
    }

    @Test
    void when_the_other_one_moves_it_is_computed_anew() {
        gold("node");
        network("l2", "l3", Set.of(), false);
        assertThat(links("silver")).contains("l2/3-p7/1");
        JsonNode gold = client.get("policies/gold").json();
        assertThat(gold.get("state").textValue()).isEqualTo("FAILED");
        assertThat(gold.at("/errors/0/message").textValue())
                .contains("disjoint from policy \"silver\" (node) stands in the way");
        network("l2", "l3", Set.of(), true);
        assertThat(links("silver")).containsExactly("l2/2-l3/1");
        assertThat(client.get("policies/gold").json().get("state").textValue()).isEqualTo("INSTALLED");
    }

    @Test
    void a_risk_that_both_would_share() {
        Set<Integer> duct = Set.of(7);
        controller.inventory.set(Fig4.withLinks(
                link -> Fig4.joins(link, "l2", "l3") || Fig4.joins(link, "p6", "v4") ? changed(link, duct) : link));
        controller.settle();
        assertThat(gold("srlg").status()).isEqualTo(201);
        assertThat(links("gold")).doesNotContain("p6/3-v4/3", "l2/2-l3/1").contains("v5/1-v4/2");
    }

    @Test
    void what_is_not_there_is_named() {
        Answer answer = post("gold", "2001:db8:2::/48", "'dynamic':{'disjointFrom':[{'policy':'sliver'}]}");
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().at("/errors/0/field").textValue()).isEqualTo("/candidatePaths/0/dynamic/disjointFrom");
        assertThat(answer.json().at("/errors/0/message").textValue()).isEqualTo("there is no policy \"sliver\"");
    }

    @Test
    void who_is_kept_away_from_stays() {
        gold("link");
        assertThat(client.delete("policies/silver").status()).isEqualTo(409);
        client.delete("policies/gold");
        assertThat(client.delete("policies/silver").status()).isEqualTo(204);
    }

    @Test
    void neither_from_itself_nor_in_a_circle() {
        String apart = "'dynamic':{'disjointFrom':[{'policy':'%s'}]}";
        Answer itself = post("silver", "2001:db8:1::/48", apart.formatted("silver"));
        assertThat(itself.status()).isEqualTo(422);
        assertThat(itself.json().at("/errors/0/message").textValue())
                .isEqualTo("it refers to itself by way of policy \"silver\"");
        gold("link");
        Answer circle = post("silver", "2001:db8:1::/48", apart.formatted("gold"));
        assertThat(circle.status()).isEqualTo(422);
        assertThat(circle.json().at("/errors/0/message").textValue())
                .isEqualTo("it refers to itself by way of policy \"gold\", policy \"silver\"");
        assertThat(links("silver")).containsExactly("l2/2-l3/1");
    }

    @Test
    void a_word_that_means_nothing() {
        Answer answer = gold("everything");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/message").textValue()).contains("srlg-node");
    }
}
