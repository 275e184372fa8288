// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.northbound.cluster.Clusters.lost;
import static org.sextant.northbound.cluster.Clusters.ready;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.CompilerVersions;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.provision.Fig4;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ClusterResourceTest {
    private final FakeInventory inventory = new FakeInventory(Fig4.CONNECTED);
    private final FakeCoordination coordination = new FakeCoordination();
    private final FakeStore store = new FakeStore();
    private final IntentEngine engine = new IntentEngine(
            inventory,
            new FakeDataPlane(),
            store,
            coordination,
            EngineSettings.DEFAULT.withAuditInterval(Duration.ZERO).withCompilers(new CompilerVersions(1, 2)));

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void an_operator_sees_which_members_hold_the_compiler_version_back() throws Exception {
        store.put("compilers", Map.of("member/c2", "{\"oldest\":1,\"newest\":2}"));
        coordination.cluster(List.of(ready("c2"), lost("c3")), key -> Optional.of("c1"));
        JsonNode cluster = start();
        assertThat(cluster.get("compiler"))
                .hasToString("{\"inForce\":1,\"own\":{\"oldest\":1,\"newest\":2},\"heldBackBy\":[\"c3\"]}");
        assertThat(cluster.get("members"))
                .extracting(member -> member.get("id").textValue() + member.get("compilers"))
                .containsExactly(
                        "c1{\"oldest\":1,\"newest\":2}",
                        "c2{\"oldest\":1,\"newest\":2}",
                        "c3{\"oldest\":1,\"newest\":1}");
    }

    @Test
    void a_controller_without_a_cluster_shows_its_own_version() throws Exception {
        JsonNode cluster = start();
        assertThat(cluster.get("compiler"))
                .hasToString("{\"inForce\":2,\"own\":{\"oldest\":1,\"newest\":2},\"heldBackBy\":[]}");
        assertThat(cluster.at("/members/0/compilers")).hasToString("{\"oldest\":1,\"newest\":2}");
    }

    private JsonNode start() throws Exception {
        engine.start();
        engine.idle().get(20, TimeUnit.SECONDS);
        ClusterResource resource = new ClusterResource();
        resource.coordination = coordination;
        resource.inventory = inventory;
        resource.intents = engine;
        return Client.of(resource).get("cluster").json();
    }
}
