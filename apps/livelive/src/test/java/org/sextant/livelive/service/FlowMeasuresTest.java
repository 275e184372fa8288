// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.history.Amount;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.table.DedupFlow;
import org.sextant.core.table.Flow;
import org.sextant.northbound.rest.Client;

@DisplayNameGeneration(ReplaceUnderscores.class)
class FlowMeasuresTest {
    private final LiveController controller = new LiveController();
    private final Client client = Client.of(controller.app);

    @AfterEach
    void close() {
        controller.close();
    }

    @Test
    void what_a_flow_delivers_and_loses_as_it_was_read_last() {
        client.post("livelive", "{'name':'gold','from':'a','to':'b','paths':2}");
        int window = controller.dataPlane.held("e2").values().stream()
                .filter(DedupFlow.class::isInstance)
                .map(entry -> ((DedupFlow) entry).window())
                .findFirst()
                .orElseThrow();
        controller.dataPlane.held("e1").values().stream()
                .filter(Flow.class::isInstance)
                .forEach(entry -> controller.dataPlane.count("e1", entry.key(), new Counters(100, 10_000)));
        controller.count("e2", "dedup_first", window, 1, 70);
        controller.count("e2", "dedup_first", window, 2, 20);
        client.get("livelive/gold");
        assertThat(controller.app.measure()).singleElement().satisfies(reading -> {
            assertThat(reading.of()).isEqualTo("livelive:gold");
            assertThat(reading.amounts()).containsEntry("deliveredPerSecond", new Amount.Counter(90));
        });
    }
}
