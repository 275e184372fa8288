// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.sextant.core.history.History;
import org.sextant.core.intent.Intents;
import org.sextant.core.net.Network;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.StoreTelemetry;
import org.sextant.core.port.Subscription;
import org.sextant.core.port.Telemetry;
import org.sextant.northbound.history.HistoryKeeper;

/** Collects the metrics of a scrape from published data, and counts the engine's events between scrapes. */
@Component(immediate = true, service = MetricsCollector.class)
public class MetricsCollector {
    private static final double NANOS = 1e9;

    @Reference
    protected Inventory inventory;

    @Reference
    protected Intents intents;

    @Reference
    protected HistoryKeeper keeper;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policyOption = ReferencePolicyOption.GREEDY)
    protected @Nullable Telemetry telemetry;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policyOption = ReferencePolicyOption.GREEDY)
    protected @Nullable StoreTelemetry store;

    private final EventCounters events = new EventCounters();
    private final NetworkMetrics networks = new NetworkMetrics();
    private List<Subscription> sources = List.of();

    @Activate
    protected void activate() {
        List<Subscription> heard = new ArrayList<>();
        heard.add(intents.listen(events::take));
        Telemetry host = telemetry;
        if (host != null) {
            heard.add(host.onSlowCounters(
                    networks::take)); // the history subscribes to the same readings: no node is asked twice
        }
        sources = List.copyOf(heard);
    }

    @Deactivate
    protected void deactivate() {
        sources.forEach(Subscription::close);
        sources = List.of();
    }

    /** The metrics now. From any thread; waits for neither the engine nor a node. */
    public MetricSnapshots collect() {
        Scrape scrape = new Scrape();
        Network network = inventory.snapshot();
        EngineMetrics.collect(intents, network, scrape);
        events.collect(scrape);
        networks.collect(network, scrape);
        StoreTelemetry stored = store;
        if (stored != null) {
            collect(stored.load(), scrape);
        }
        MeasuredMetrics.collect(keeper.latest(), scrape);
        History history = keeper.lookback().history();
        scrape.of(Metric.HISTORY_SERIES).add(history.series());
        scrape.of(Metric.HISTORY_LEFT_OUT).add(history.leftOut());
        JvmMetrics.collect(scrape);
        return scrape.snapshots();
    }

    private static void collect(StoreTelemetry.Load load, Scrape scrape) {
        scrape.of(Metric.STORE_BYTES).add(load.bytes());
        scrape.of(Metric.STORE_COMMITS)
                .summary(load.commits(), load.committing().toNanos() / NANOS);
        scrape.of(Metric.STORE_REFUSED).add(load.refused());
    }
}
