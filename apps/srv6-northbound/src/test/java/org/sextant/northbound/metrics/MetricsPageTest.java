// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class MetricsPageTest {
    private static final Path PAGE = Path.of("../../docs/reference/metrics.md");

    private static String row(Metric metric) {
        String labels = metric.labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
        return "| `%s` | %s | %s | %s |"
                .formatted(
                        metric.exposed(),
                        metric.type().name().toLowerCase(Locale.ROOT),
                        labels.isEmpty() ? "–" : labels,
                        metric.help());
    }

    @Test
    void the_page_lists_the_metrics_of_the_controller_and_no_others() throws IOException {
        List<String> rows = Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.equals("## Controller"))
                .takeWhile(line -> !line.equals("## Measures of apps"))
                .filter(line -> line.startsWith("| `"))
                .toList();
        assertThat(rows)
                .containsExactlyElementsOf(
                        Arrays.stream(Metric.values()).map(MetricsPageTest::row).toList());
    }
}
