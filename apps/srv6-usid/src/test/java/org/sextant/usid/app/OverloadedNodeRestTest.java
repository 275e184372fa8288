// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.Overload;
import org.sextant.northbound.rest.Client;
import org.sextant.usid.probe.Probes;

/** Policies from l1 to v8 on Figure 4, whose shortest path leads over p7; p7 becomes overloaded. */
class OverloadedNodeRestTest {
    private final Controller controller = new Controller();
    private final Client client = Client.of(controller.app, Probes.resource(controller, new Probes()));

    @AfterEach
    void close() {
        controller.close();
    }

    private static String policy(int number) {
        return "{'name':'p" + number + "','headend':'l1','endpoint':'v8','steering':['2001:db8:" + number
                + "::/48'],'candidatePaths':[{'dynamic':{}}]}";
    }

    private void overload(boolean drained) {
        controller.inventory.overloads(Map.of("p7", new Overload(Instant.EPOCH, drained)));
        controller.settle();
    }

    private static List<String> passed(JsonNode plan) {
        return StreamSupport.stream(plan.at("/directions/0/hops").spliterator(), false)
                .map(hop -> hop.get("node").textValue())
                .toList();
    }

    private JsonNode plan(int number) {
        return client.get("policies/p" + number + "/plan").json();
    }

    @Test
    void the_plan_that_is_shown_is_the_one_that_is_installed() {
        client.post("policies", policy(1));
        controller.settle();
        overload(false);

        JsonNode tried = client.post("policies?dryRun=true", policy(2)).json();
        assertThat(passed(tried)).doesNotContain("p7").endsWith("v8");
        client.post("policies", policy(2));
        controller.settle();
        assertThat(passed(plan(1))).as("installed before").contains("p7");
        assertThat(passed(plan(2))).isEqualTo(passed(tried));
        assertThat(plan(2).at("/directions/0/containers"))
                .isEqualTo(client.get("policies/p2").json().at("/directions/0/containers"));

        overload(true);
        assertThat(passed(plan(1))).doesNotContain("p7").endsWith("v8");
        controller.inventory.overloads(Map.of());
        controller.settle();
        assertThat(passed(plan(1))).contains("p7");
        assertThat(passed(plan(2))).contains("p7");
    }
}
