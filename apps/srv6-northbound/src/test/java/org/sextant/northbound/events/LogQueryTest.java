// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LogQueryTest {
    private static final Instant START = Instant.parse("2026-11-23T06:43:00Z");
    private final EventLog log = new EventLog();

    LogQueryTest() {
        add(0, LogKind.NODE, Severity.ERROR, "node", "l1");
        add(1, LogKind.LINK, Severity.WARNING, "link", "l1/1-l2/1");
        add(2, LogKind.INTENT, Severity.INFO, "policy", "gold");
        add(3, LogKind.INTENT, Severity.WARNING, "policy", "gold2");
    }

    @Test
    void without_filters_everything_comes() {
        assertThat(numbers(LogQuery.parse(null, "", null, null, null, null))).containsExactly(4L, 3L, 2L, 1L);
    }

    @Test
    void filters_go_together() {
        assertThat(numbers(LogQuery.parse("intent", null, null, null, null, null)))
                .containsExactly(4L, 3L);
        assertThat(numbers(LogQuery.parse(null, "policy/gold", null, null, null, null)))
                .containsExactly(3L);
        assertThat(numbers(LogQuery.parse(null, null, "warning", null, null, null)))
                .containsExactly(4L, 2L, 1L);
        assertThat(numbers(LogQuery.parse(null, null, null, "2026-11-23T06:43:02Z", null, null)))
                .containsExactly(4L, 3L);
        assertThat(numbers(LogQuery.parse("intent", "policy", "warning", null, null, null)))
                .containsExactly(4L);
    }

    @Test
    void pages_follow_each_other() {
        assertThat(numbers(LogQuery.parse(null, null, null, null, "2", null))).containsExactly(4L, 3L);
        assertThat(numbers(LogQuery.parse(null, null, null, null, "2", "3"))).containsExactly(2L, 1L);
    }

    @Test
    void what_cannot_be_read_is_named() {
        refused("/kind", "nodes", null, null, null, null);
        refused("/severity", null, "bad", null, null, null);
        refused("/since", null, null, "yesterday", null, null);
        refused("/limit", null, null, null, "1001", null);
        refused("/limit", null, null, null, "0", null);
        refused("/after", null, null, null, null, "-1");
    }

    private static void refused(String field, String kind, String severity, String since, String limit, String after) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> LogQuery.parse(kind, null, severity, since, limit, after))
                .satisfies(e -> assertThat(e.problems().get(0).field()).isEqualTo(field));
    }

    private void add(long second, LogKind kind, Severity severity, String subject, String id) {
        log.add(START.plusSeconds(second), new LogEntry(kind, severity, new LogSubject(subject, id), "state", "text"));
    }

    private List<Long> numbers(LogQuery query) {
        return log.find(query).stream().map(LogEvent::number).toList();
    }
}
