// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.status;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.EntryFilter;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.intent.install.Installation;
import org.sextant.core.intent.install.IntentIndex;
import org.sextant.core.intent.orphan.OrphanedEntries;
import org.sextant.core.net.Network;
import org.sextant.core.port.Store;

/** Statuses of intents, entries and nodes for readers, and the reports between controllers. */
public final class StatusBoard {
    private final Reports reports;
    private final Views views;
    private final NodeViews nodeViews;
    private final EntryQuery entries;
    private final IntentIndex intents;

    /** @param workers run the writes of reports */
    public StatusBoard(
            EngineRuntime runtime,
            Installation installation,
            OrphanedEntries orphans,
            IntentIndex intents,
            Executor workers) {
        this.intents = intents;
        this.reports = new Reports(runtime, workers);
        this.views = new Views(runtime, reports, intents, orphans, installation.nodes());
        this.nodeViews = new NodeViews(installation.nodes(), installation.monitor());
        this.entries = new EntryQuery(runtime.loop(), installation.nodes(), orphans, views);
    }

    public Views views() {
        return views;
    }

    /** By name; any thread may call it. */
    public List<NodeStatus> nodes() {
        return nodeViews.published();
    }

    /** Any thread but the event loop may call it. */
    public List<EntryStatus> entries(EntryFilter filter) {
        return entries.entries(filter);
    }

    public void load() {
        reports.load();
    }

    /** Another controller stored or removed a report. */
    public void reported(Store.Change change) {
        reports.storeChanged(change);
        intents.find(Reports.refOf(change.key())).ifPresent(views::refresh);
    }

    /** Takes back reports about intents that are gone, of controllers that are gone. */
    public void tidyReports(Predicate<IntentRef> present) {
        reports.tidy(present);
    }

    /** Shows the nodes as they are. */
    public void publish(Network network) {
        nodeViews.publish(network);
    }

    /** Sends the reports that are due. */
    public void send() {
        reports.pump();
    }

    /** True if no report is pending. */
    public boolean isQuiet() {
        return reports.quiet();
    }
}
