// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.provision.Fig4;
import org.sextant.core.provision.Provisioning;

/** The entries of Figure 4, provisioned between fakes of the four ports. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class EntriesResourceTest {
    private final FakeInventory inventory = new FakeInventory(Fig4.CONNECTED);
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final IntentEngine engine = new IntentEngine(
            inventory,
            dataPlane,
            new FakeStore(),
            new FakeCoordination(),
            EngineSettings.DEFAULT.withAuditInterval(Duration.ZERO).withAdoptionGrace(Duration.ZERO));
    private final Client entries = Client.of(resource());
    private final Client nodes = Client.of(nodes());

    @BeforeEach
    void start() throws Exception {
        Fig4.CONNECTED.nodes().keySet().forEach(dataPlane::connect);
        engine.register(new Provisioning());
        engine.start();
        engine.idle().get(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private EntriesResource resource() {
        EntriesResource resource = new EntriesResource();
        resource.inventory = inventory;
        resource.intents = engine;
        return resource;
    }

    private NodesResource nodes() {
        NodesResource resource = new NodesResource();
        resource.inventory = inventory;
        resource.intents = engine;
        return resource;
    }

    @Test
    void a_node_that_is_not_there_is_not_a_node_without_entries() {
        Client.Answer typo = entries.get("entries?node=l11");
        assertThat(typo.status()).isEqualTo(404);
        assertThat(typo.json().at("/errors/0/message").asText()).isEqualTo("there is no node \"l11\"");
        assertThat(typo.json().at("/errors/0/remedy").asText()).isEqualTo("did you mean l1?");
        assertThat(nodes.get("nodes/l11/entries").status()).isEqualTo(404);
        assertThat(entries.get("entries?node=l1").json()).isNotEmpty();
    }

    @Test
    void pages_that_link_to_each_other_are_the_whole_list() {
        JsonNode whole = entries.get("entries").json();
        ArrayNode pages = JsonNodeFactory.instance.arrayNode();
        String next = "entries?limit=7";
        while (next != null) {
            Client.Answer page = entries.get(next);
            assertThat(page.json()).hasSizeBetween(1, 7);
            pages.addAll((ArrayNode) page.json());
            next = page.link() == null
                    ? null
                    : page.link().replaceFirst("<http://localhost/srv6/([^>]*)>; rel=\"next\"", "$1");
        }
        assertThat(pages).isEqualTo(whole);
        assertThat(nodes.get("nodes/l1/entries?limit=2").json()).hasSize(2);
        assertThat(entries.get("entries?limit=0").status()).isEqualTo(400);
        Client.Answer nothing = entries.get("entries?limit=7&after=l1%20next_hop%20seven");
        assertThat(nothing.status()).isEqualTo(400);
        assertThat(nothing.json().at("/errors/0/field").asText()).isEqualTo("/after");
    }
}
