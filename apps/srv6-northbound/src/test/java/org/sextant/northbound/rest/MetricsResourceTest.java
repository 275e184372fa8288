// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.ws.rs.core.Response;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.northbound.metrics.MetricsCollector;

@DisplayNameGeneration(ReplaceUnderscores.class)
class MetricsResourceTest {
    private static final String PROMETHEUS_2 = "application/openmetrics-text;version=1.0.0;q=0.8,"
            + "application/openmetrics-text;version=0.0.1;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";

    private final MetricsResource resource = new MetricsResource();

    MetricsResourceTest() {
        resource.collector = new MetricsCollector() {
            @Override
            public MetricSnapshots collect() {
                return MetricSnapshots.of(CounterSnapshot.builder()
                        .name("sextant_toys")
                        .help("Toys.")
                        .dataPoint(CounterDataPointSnapshot.builder().value(3).build())
                        .build());
            }
        };
    }

    private String text(String accept, String type) throws IOException {
        Response response = resource.get(accept);
        assertThat(String.valueOf(response.getHeaders().getFirst("Content-Type")))
                .startsWith(type);
        return new String((byte[]) response.getEntity(), StandardCharsets.UTF_8);
    }

    @Test
    void Prometheus_gets_OpenMetrics_and_other_clients_its_text() throws IOException {
        assertThat(text(PROMETHEUS_2, "application/openmetrics-text"))
                .isEqualTo("# TYPE sextant_toys counter\n# HELP sextant_toys Toys.\nsextant_toys_total 3.0\n# EOF\n");
        String plain = "# HELP sextant_toys_total Toys.\n# TYPE sextant_toys_total counter\nsextant_toys_total 3.0\n";
        assertThat(text("*/*", "text/plain")).isEqualTo(plain);
        assertThat(text(null, "text/plain")).isEqualTo(plain);
    }

    @Test
    void a_form_that_is_not_offered_is_answered_in_text_and_a_change_of_the_path_is_not_offered() throws IOException {
        assertThat(text("application/vnd.google.protobuf", "text/plain")).startsWith("# HELP");
        Client client = Client.of(resource);
        assertThat(client.as("viewer").delete("metrics").status()).isIn(403, 405);
    }
}
