// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class EventLogTest {
    private static final Instant START = Instant.parse("2026-11-23T06:43:00Z");
    private final EventLog log = new EventLog();

    @Test
    void events_are_numbered_and_the_newest_is_first() {
        add(0, LogKind.NODE, "node", "l1", "l1 does not answer");
        add(1, LogKind.LINK, "link", "a", "link a is down");
        assertThat(all()).extracting(LogEvent::number).containsExactly(2L, 1L);
        assertThat(all()).extracting(LogEvent::text).containsExactly("link a is down", "l1 does not answer");
        assertThat(all().get(0).first()).isEqualTo(START.plusSeconds(1));
        assertThat(log.last()).isEqualTo(2);
    }

    @Test
    void a_link_that_flaps_has_its_first_events_and_one_that_counts_the_rest() {
        for (int i = 0; i < 100; i++) {
            add(i, LogKind.LINK, "link", "a", i % 2 == 0 ? "link a is down" : "link a is up again");
        }
        assertThat(all()).hasSize(LogShelf.OWN);
        LogEvent rest = all().get(0);
        assertThat(rest.count()).isEqualTo(100 - LogShelf.OWN + 1);
        assertThat(rest.first()).isEqualTo(START.plusSeconds(LogShelf.OWN - 1));
        assertThat(rest.last()).isEqualTo(START.plusSeconds(99));
        assertThat(rest.text()).isEqualTo("link a is up again");
    }

    @Test
    void what_happens_again_after_a_calm_is_an_event_of_its_own() {
        for (int i = 0; i < 10; i++) {
            add(i, LogKind.LINK, "link", "a", i % 2 == 0 ? "down" : "up");
        }
        add(9 + LogShelf.CALM.toSeconds(), LogKind.LINK, "link", "a", "down");
        assertThat(all()).hasSize(LogShelf.OWN + 1);
        assertThat(all().get(0).count()).isEqualTo(1);
    }

    @Test
    void ten_thousand_events_a_minute_of_one_link_neither_fill_it_nor_drown_the_others() {
        add(0, LogKind.NODE, "node", "l1", "l1 does not answer");
        add(0, LogKind.LINK, "link", "quiet", "link quiet is down");
        for (int i = 0; i < 10_000; i++) {
            log.add(START.plusMillis(6L * i), entry(LogKind.LINK, "link", "a", i % 2 == 0 ? "down" : "up"));
        }
        assertThat(all()).hasSize(2 + LogShelf.OWN);
        assertThat(all()).extracting(LogEvent::text).contains("l1 does not answer", "link quiet is down");
        assertThat(all().stream().mapToInt(LogEvent::count).sum()).isEqualTo(10_002);
    }

    @Test
    void ten_thousand_policies_that_change_in_a_minute_are_told_of_in_part_and_counted_in_full() {
        add(0, LogKind.NODE, "node", "l1", "l1 does not answer");
        add(0, LogKind.INTENT, "firewall", "web", "firewall web failed");
        for (int i = 0; i < 10_000; i++) {
            log.add(
                    START.plusMillis(6L * i),
                    entry(LogKind.INTENT, "policy", "p" + i, "policy p" + i + " is degraded"));
        }
        List<LogEvent> policies = find("policy");
        assertThat(policies).hasSizeBetween(LogShelf.BURST, 500);
        assertThat(policies.stream().mapToInt(LogEvent::count).sum()).isEqualTo(10_000);
        LogEvent rest = policies.stream()
                .filter(one -> one.subject().id().isEmpty())
                .findFirst()
                .orElseThrow();
        assertThat(rest.text()).startsWith("more events at once than are listed, the last: policy p");
        assertThat(all()).extracting(LogEvent::text).contains("l1 does not answer", "firewall web failed");
    }

    @Test
    void the_oldest_of_a_kind_go_when_there_are_too_many() {
        int many = EventLog.CAPACITY + 500;
        for (int i = 0; i < many; i++) {
            add(60L * i, LogKind.LINK, "link", "link " + i, "down");
        }
        add(0, LogKind.NODE, "node", "l1", "l1 does not answer");
        List<LogEvent> links = page(null, 1000, null);
        int count = 0;
        while (!links.isEmpty()) {
            count += links.size();
            links = page(null, 1000, Long.toString(links.get(links.size() - 1).number()));
        }
        assertThat(count).isEqualTo(EventLog.CAPACITY + 1);
    }

    @Test
    void an_event_has_a_bound_in_bytes() {
        add(0, LogKind.PATH, "policy", "p".repeat(10_000), "x".repeat(1_000_000));
        assertThat(all().get(0).text()).hasSize(LogEntry.MAX_TEXT).endsWith("…");
        assertThat(all().get(0).subject().id()).hasSizeLessThan(300);
    }

    @Test
    void audits_that_find_nothing_are_one_event_however_long_ago_the_last_one_was() {
        for (int hour = 0; hour < 5; hour++) {
            add(Duration.ofHours(hour).toSeconds(), LogKind.AUDIT, "controller", "", "nothing to repair");
        }
        assertThat(all()).singleElement().extracting(LogEvent::count).isEqualTo(5);
    }

    @Test
    void a_clock_that_is_set_back_an_hour_loses_nothing() {
        add(3600, LogKind.NODE, "node", "l1", "l1 does not answer");
        add(0, LogKind.NODE, "node", "l1", "l1 answers again");
        assertThat(all()).extracting(LogEvent::number).containsExactly(2L, 1L);
        for (int i = 0; i < 1000; i++) {
            add(-i, LogKind.LINK, "link", "a", i % 2 == 0 ? "down" : "up");
        }
        assertThat(find("link")).hasSize(LogShelf.OWN);
    }

    private void add(long second, LogKind kind, String subject, String id, String text) {
        log.add(START.plusSeconds(second), entry(kind, subject, id, text));
    }

    private static LogEntry entry(LogKind kind, String subject, String id, String text) {
        return new LogEntry(kind, Severity.WARNING, new LogSubject(subject, id), "state", text);
    }

    private List<LogEvent> all() {
        return page(null, LogQuery.MOST, null);
    }

    private List<LogEvent> find(String subject) {
        return page(subject, LogQuery.MOST, null);
    }

    private List<LogEvent> page(String subject, int limit, String after) {
        return log.find(LogQuery.parse(null, subject, null, null, Integer.toString(limit), after));
    }
}
