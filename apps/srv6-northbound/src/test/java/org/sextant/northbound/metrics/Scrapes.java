// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A scrape as Prometheus reads it. */
final class Scrapes {
    private Scrapes() {}

    /** The lines of Prometheus' text format. */
    static List<String> lines(MetricSnapshots snapshots) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            ExpositionFormats.init().getPrometheusTextFormatWriter().write(text, snapshots);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return text.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
