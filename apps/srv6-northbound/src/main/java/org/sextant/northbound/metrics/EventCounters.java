// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.intent.DriftReport;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.NodeStatus;

/** Counts the events of the engine, on the thread that delivers them. Thread-safe. */
final class EventCounters {
    /** Counts of one metric and the values of its labels, in the order of the values. */
    private record Key(Metric metric, List<String> labels) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int order = metric.compareTo(other.metric);
            return order != 0 ? order : labels.toString().compareTo(other.labels.toString());
        }
    }

    private final SortedMap<Key, Long> counts = new TreeMap<>();
    private int unread;

    EventCounters() {
        for (Metric metric : List.of(Metric.ENGINE_FAULTS, Metric.UNREADABLE, Metric.DRIFT_CHECKS)) {
            counts.put(new Key(metric, List.of()), 0L);
        }
    }

    synchronized void take(EngineEvent event) {
        if (event instanceof EngineEvent.IntentChanged changed) {
            count(Metric.INTENT_CHANGES, 1, changed.intent().kind(), EngineMetrics.word(changed.state()));
        } else if (event instanceof EngineEvent.IntentRemoved removed) {
            count(Metric.INTENT_CHANGES, 1, removed.intent().kind(), "removed");
        } else if (event instanceof EngineEvent.EntriesWritten written) {
            count(Metric.ENTRIES_WRITTEN, written.inserted(), written.node(), "insert");
            count(Metric.ENTRIES_WRITTEN, written.modified(), written.node(), "modify");
            count(Metric.ENTRIES_WRITTEN, written.removed(), written.node(), "remove");
        } else if (event instanceof EngineEvent.EntryRefused refused) {
            count(
                    Metric.ENTRIES_REFUSED,
                    1,
                    refused.node(),
                    EngineMetrics.word(refused.failure().code()));
        } else if (event instanceof EngineEvent.NodeChanged changed) {
            changed(changed.node());
        } else if (event instanceof EngineEvent.DriftFound found) {
            found.drift()
                    .forEach(drift -> count(Metric.DRIFT_FOUND, 1, found.node(), EngineMetrics.word(drift.kind())));
        } else if (event instanceof EngineEvent.AuditEnded ended) {
            checked(ended.report());
        } else if (event instanceof EngineEvent.StoredIntentUnreadable) {
            count(Metric.UNREADABLE, 1);
        } else if (event instanceof EngineEvent.Fault) {
            count(Metric.ENGINE_FAULTS, 1);
        }
    }

    /** Counters of a node begin at zero with its session, so that its first drift is an increase. */
    private void changed(NodeStatus node) {
        count(Metric.NODE_SESSIONS_LOST, node.state() == NodeStatus.State.LOST ? 1 : 0, node.node());
        for (DriftReport.Kind kind : DriftReport.Kind.values()) {
            count(Metric.DRIFT_FOUND, 0, node.node(), EngineMetrics.word(kind));
        }
    }

    private void checked(DriftReport report) {
        count(Metric.DRIFT_CHECKS, 1);
        unread = report.unread().size();
        report.drift().forEach((node, drift) -> count(Metric.DRIFT_REPAIRED, drift.size(), node));
    }

    /** Beyond the limit of a scrape nothing is remembered. */
    private void count(Metric metric, long more, String... labels) {
        Key key = new Key(metric, List.of(labels));
        if (counts.size() < Family.MOST || counts.containsKey(key)) {
            counts.merge(key, more, Long::sum);
        }
    }

    synchronized void collect(Scrape scrape) {
        new ArrayList<>(counts.entrySet())
                .forEach(one -> scrape.of(one.getKey().metric())
                        .add(one.getValue(), one.getKey().labels().toArray(new String[0])));
        scrape.of(Metric.NODES_UNREAD).add(unread);
    }
}
