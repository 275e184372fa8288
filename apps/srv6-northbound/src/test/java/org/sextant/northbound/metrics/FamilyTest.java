// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.history.Amount;
import org.sextant.core.history.Reading;

@DisplayNameGeneration(ReplaceUnderscores.class)
class FamilyTest {
    private final Scrape scrape = new Scrape();

    private List<String> lines() {
        return Scrapes.lines(scrape.snapshots());
    }

    private void measure(String of, Map<String, Amount> amounts) {
        MeasuredMetrics.collect(List.of(new Reading(of, "", 0, amounts)), scrape);
    }

    @Test
    void a_metric_has_at_most_its_limit_of_series_and_what_is_left_out_is_counted() {
        for (int i = 0; i < 10_005; i++) {
            scrape.of(Metric.LINK_UP).add(1, "l" + i);
        }
        scrape.of(Metric.LINK_UP).add(0, "l7");
        assertThat(lines())
                .contains("sextant_metrics_series_left_out{metric=\"sextant_link_up\"} 5.0")
                .contains("sextant_link_up{link=\"l7\"} 0.0")
                .filteredOn(line -> line.startsWith("sextant_link_up{"))
                .hasSize(10_000);
    }

    @Test
    void a_metric_without_series_is_left_out() {
        scrape.of(Metric.LINK_UP);
        assertThat(lines()).isEmpty();
    }

    @Test
    void quotes_backslashes_and_line_ends_of_labels_are_escaped() {
        scrape.of(Metric.LINK_UP).add(1, "a\"b\\c\nd");
        assertThat(lines()).contains("sextant_link_up{link=\"a\\\"b\\\\c\\nd\"} 1.0");
    }

    @Test
    void measures_of_apps_become_counters_and_base_units() {
        measure(
                "toy:one",
                Map.of(
                        "probeBytesPerSecond", new Amount.Counter(12),
                        "delayMicros", new Amount.Level(250),
                        "lossPercent", new Amount.Share(3, 60),
                        "noUnit", new Amount.Level(1)));
        assertThat(lines())
                .contains(
                        "# TYPE sextant_toy_probe_bytes_total counter",
                        "sextant_toy_probe_bytes_total{toy=\"one\"} 12.0",
                        "sextant_toy_delay_seconds{toy=\"one\"} 2.5E-4",
                        "sextant_toy_loss_part_total{toy=\"one\"} 3.0",
                        "sextant_toy_loss_whole_total{toy=\"one\"} 60.0")
                .noneMatch(line -> line.contains("no_unit"));
    }

    @Test
    void names_follow_the_conventions_of_Prometheus() {
        assertThat(Metric.values()).allSatisfy(metric -> {
            assertThat(metric.exposed()).matches("(sextant|jvm|process)_[a-z]+(_[a-z]+)*");
            assertThat(metric.exposed().endsWith("_total")).isEqualTo(metric.type() == Metric.Type.COUNTER);
            assertThat(metric.exposed()).doesNotContainPattern("milli|micro|nanos|percent|kilo");
            assertThat(metric.help()).endsWith(".");
            assertThat(metric.labels()).allMatch(label -> label.matches("[a-z]+"));
        });
        assertThat(Metric.values()).extracting(Metric::exposed).doesNotHaveDuplicates();
    }
}
