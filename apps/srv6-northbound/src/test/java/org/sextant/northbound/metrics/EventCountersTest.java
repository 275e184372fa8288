// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.DriftReport;
import org.sextant.core.intent.DriftReport.Drift;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.table.EncapSource;
import org.sextant.core.table.Entry;

@DisplayNameGeneration(ReplaceUnderscores.class)
class EventCountersTest {
    private static final Drift MISSING = new Drift(DriftReport.Kind.MISSING, new Entry.Key(EncapSource.TABLE, ""));

    private final EventCounters counters = new EventCounters();

    private List<String> lines() {
        Scrape scrape = new Scrape();
        counters.collect(scrape);
        return Scrapes.lines(scrape.snapshots());
    }

    @Test
    void counters_without_labels_begin_at_zero_so_that_the_first_event_is_an_increase() {
        assertThat(lines())
                .contains(
                        "sextant_engine_faults_total 0.0",
                        "sextant_drift_checks_total 0.0",
                        "sextant_store_entries_unreadable_total 0.0");
    }

    @Test
    void what_a_node_is_written_loses_and_differs_in_is_counted() {
        counters.take(new EngineEvent.EntriesWritten("l1", 3, 2, 1));
        counters.take(new EngineEvent.EntriesWritten("l1", 4, 0, 0));
        counters.take(new EngineEvent.NodeChanged(node("l1", NodeStatus.State.SYNCED)));
        counters.take(new EngineEvent.NodeChanged(node("l1", NodeStatus.State.LOST)));
        counters.take(new EngineEvent.DriftFound("l1", List.of(MISSING, MISSING)));
        counters.take(new EngineEvent.AuditEnded(new DriftReport(
                new TreeMap<>(Map.of("l1", List.of(MISSING))), new TreeMap<>(Map.of("l2", "it does not answer")))));
        counters.take(new EngineEvent.IntentChanged(new IntentRef("policy", "p"), IntentState.DEGRADED));
        counters.take(new EngineEvent.Fault("x", new IllegalStateException()));
        assertThat(lines())
                .contains(
                        "sextant_entries_written_total{node=\"l1\",operation=\"insert\"} 7.0",
                        "sextant_entries_written_total{node=\"l1\",operation=\"modify\"} 2.0",
                        "sextant_node_sessions_lost_total{node=\"l1\"} 1.0",
                        "sextant_drift_found_total{kind=\"missing\",node=\"l1\"} 2.0",
                        "sextant_drift_found_total{kind=\"extra\",node=\"l1\"} 0.0",
                        "sextant_drift_repaired_total{node=\"l1\"} 1.0",
                        "sextant_drift_check_nodes_unread 1.0",
                        "sextant_intent_changes_total{kind=\"policy\",state=\"degraded\"} 1.0",
                        "sextant_engine_faults_total 1.0");
    }

    @Test
    void however_many_nodes_come_and_go_the_counters_are_bounded() {
        for (int i = 0; i < 30_000; i++) {
            counters.take(new EngineEvent.EntriesWritten("n" + i, 1, 0, 0));
        }
        assertThat(lines()).filteredOn(line -> !line.startsWith("#")).hasSizeBetween(9_000, 10_001);
    }

    private static NodeStatus node(String name, NodeStatus.State state) {
        return new NodeStatus(name, state, "", 0, Optional.empty(), Optional.empty());
    }
}
