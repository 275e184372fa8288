// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.status;

import java.util.List;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.EntryFilter;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.intent.install.Installation;
import org.sextant.core.intent.install.IntentIndex;
import org.sextant.core.intent.orphan.OrphanedEntries;
import org.sextant.core.net.Network;

/** Statuses of intents, entries and nodes for readers. */
public final class StatusBoard {
    private final Views views;
    private final NodeViews nodeViews;
    private final EntryQuery entries;
    private final IntentIndex intents;

    public StatusBoard(EngineRuntime runtime, Installation installation, OrphanedEntries orphans, IntentIndex intents) {
        this.intents = intents;
        this.views = new Views(runtime, installation.entryReports(), intents, orphans, installation.nodes());
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

    /** Reports about an intent were stored or read. */
    public void reported(IntentRef intent) {
        intents.find(intent).ifPresent(views::refresh);
    }

    /** Shows the nodes as they are. */
    public void publish(Network network) {
        nodeViews.publish(network);
    }
}
