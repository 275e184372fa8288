// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.net.Network;
import org.sextant.core.port.DataPlane;

/** The entries that nodes hold, and the updates that turn them into the admitted ones. */
public final class Installation {
    private final SortedMap<String, NodeTable> nodes = new TreeMap<>();
    private final NodeMonitor monitor;
    private final BootCounts bootCounts;
    private final RouteReports routeReports;
    private final EntryReports entryReports;
    private final Reconciler reconciler;

    /**
     * @param readers run the readings of nodes, and the reports to other controllers
     * @param writers run the writes to nodes
     */
    public Installation(
            EngineRuntime runtime,
            DataPlane dataPlane,
            Executor readers,
            Executor writers,
            IntentIndex intents,
            InstallListener listener) {
        this.monitor = new NodeMonitor(nodes, runtime, dataPlane, readers, listener);
        this.bootCounts = new BootCounts(runtime, listener);
        this.routeReports = new RouteReports(nodes, runtime, readers);
        this.entryReports = new EntryReports(runtime, readers);
        UpdateExecutor executor = new UpdateExecutor(nodes, monitor, routeReports, runtime, dataPlane, writers);
        UpdateStages stages = new UpdateStages(nodes, entryReports, intents);
        this.reconciler = new Reconciler(nodes, monitor, intents, bootCounts, executor, stages, listener);
    }

    /** By name; used by the event loop only. */
    public SortedMap<String, NodeTable> nodes() {
        return nodes;
    }

    public NodeMonitor monitor() {
        return monitor;
    }

    public BootCounts bootCounts() {
        return bootCounts;
    }

    public RouteReports routeReports() {
        return routeReports;
    }

    public EntryReports entryReports() {
        return entryReports;
    }

    /** Sets the desired network. */
    public void network(Network network) {
        routeReports.network(network);
    }

    public Reconciler reconciler() {
        return reconciler;
    }
}
