// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.history;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.sextant.core.calls.Daemons;
import org.sextant.core.calls.NodeCalls;
import org.sextant.core.history.History;
import org.sextant.core.history.Reading;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.net.Network;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Subscription;
import org.sextant.core.port.Telemetry;
import org.sextant.kit.app.Measures;
import org.sextant.kit.app.SrApp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the history of the last hour, with clients or without. Every ten seconds one thread takes the measurements of
 * links and apps into the history; each app measures on a thread of its own, so that one that waits for a node delays
 * no other.
 *
 * <pre>
 *   telemetry --> links --\
 *   apps ------> readings --> history (10 s)
 *   inventory, engine ----> states
 * </pre>
 */
@Component(immediate = true, service = HistoryKeeper.class)
public class HistoryKeeper {
    /** The links of 1,000 nodes, 2,000 policies, and a fifth more; about 40 MB. */
    static final int MOST_SERIES = 24_000;

    private static final Logger LOG = LoggerFactory.getLogger(HistoryKeeper.class);
    private static final int APPS_AT_A_TIME = 4;

    @Reference
    protected Inventory inventory;

    @Reference
    protected Intents intents;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policyOption = ReferencePolicyOption.GREEDY)
    protected @Nullable Telemetry telemetry;

    /** By the clock that never jumps. */
    LongSupplier nanos = System::nanoTime;

    Clock clock = Clock.systemUTC();

    long stepSeconds = History.STEP_SECONDS;

    private final History history = new History(MOST_SERIES);
    private final LatestReadings latest = new LatestReadings();
    private final LinkMeasures links = new LinkMeasures();
    /** True for an app that measures now. Guarded by this, as are their measurements since the last round. */
    private final Map<Measures, AtomicBoolean> apps = new LinkedHashMap<>();

    private final List<SrApp<?>> early = new ArrayList<>();
    private List<Reading> measured = new ArrayList<>();
    private @Nullable States states;
    private List<Subscription> sources = List.of();
    private @Nullable ScheduledExecutorService rounds;
    private @Nullable NodeCalls calls;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    protected synchronized void addMeasures(Measures app) {
        apps.put(app, new AtomicBoolean());
    }

    protected synchronized void removeMeasures(Measures app) {
        apps.remove(app);
    }

    /** Its intents may have been there before the engine had listeners here. */
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    protected synchronized void addApp(SrApp<?> app) {
        States known = states;
        if (known == null) {
            early.add(app);
        } else {
            begin(known, app);
        }
    }

    protected synchronized void removeApp(SrApp<?> app) {
        early.remove(app);
    }

    @Activate
    protected synchronized void activate() {
        States began = new States(nanos.getAsLong());
        states = began;
        calls = new NodeCalls("sextant-measures", APPS_AT_A_TIME);
        List<Subscription> heard = new ArrayList<>();
        heard.add(inventory.onChange((before, after) -> began.network(nanos.getAsLong(), before, after)));
        heard.add(intents.listen(event -> take(began, event)));
        Telemetry host = telemetry;
        if (host != null) {
            heard.add(host.onSlowCounters(links::take));
        }
        sources = List.copyOf(heard);
        look(began);
        intents.nodes().forEach(node -> began.node(nanos.getAsLong(), node));
        early.forEach(app -> begin(began, app));
        early.clear();
        ScheduledExecutorService every = Daemons.clock("sextant-history");
        every.scheduleAtFixedRate(this::round, stepSeconds, stepSeconds, TimeUnit.SECONDS);
        rounds = every;
    }

    @Deactivate
    protected synchronized void deactivate() {
        sources.forEach(Subscription::close);
        sources = List.of();
        ScheduledExecutorService every = rounds;
        if (every != null) {
            every.shutdownNow();
        }
        NodeCalls running = calls;
        if (running != null) {
            running.closeNow();
        }
    }

    /** Until nothing changed while it was looked at, as listeners may have received something younger. */
    private void look(States known) {
        Network seen = Network.EMPTY;
        for (Network now = inventory.snapshot(); !now.equals(seen); now = inventory.snapshot()) {
            known.network(nanos.getAsLong(), seen, now);
            seen = now;
        }
    }

    private void begin(States known, SrApp<?> app) {
        for (IntentStatus<?> status : app.intents().list()) {
            known.intent(nanos.getAsLong(), status.ref(), status.state());
        }
    }

    private void take(States known, EngineEvent event) {
        known.take(nanos.getAsLong(), event);
        if (event instanceof EngineEvent.NodeChanged changed && changed.node().state() == NodeStatus.State.LOST) {
            links.lost(changed.node().node());
        }
    }

    /** The measurements since the last round are taken, and measuring begins anew. */
    void round() {
        try {
            List<Reading> all = new ArrayList<>(links.measure(inventory.snapshot()));
            synchronized (this) {
                latest.take(nanos.getAsLong(), measured);
                all.addAll(measured);
                measured = new ArrayList<>();
                apps.forEach(this::measure);
            }
            history.take(nanos.getAsLong(), all);
        } catch (RuntimeException | Error e) {
            LOG.error("how it is now could not be kept; tried again soon", e);
        }
    }

    private void measure(Measures app, AtomicBoolean busy) {
        NodeCalls running = calls;
        if (running == null || !busy.compareAndSet(false, true)) {
            return;
        }
        try {
            running.execute(() -> {
                try {
                    took(app.measure());
                } catch (RuntimeException | Error e) {
                    LOG.error("kind={} could not be measured; tried again soon", app.kind(), e);
                } finally {
                    busy.set(false);
                }
            });
        } catch (RejectedExecutionException closing) {
            busy.set(false);
        }
    }

    private synchronized void took(List<Reading> readings) {
        measured.addAll(readings.subList(0, Math.min(readings.size(), MOST_SERIES)));
    }

    /** The last readings of apps that are not older than three rounds, by name. */
    public List<Reading> latest() {
        return latest.all();
    }

    /** The history as known now. */
    public synchronized Lookback lookback() {
        States known = states;
        if (known == null) {
            throw new IllegalStateException("not activated");
        }
        SortedSet<String> kinds = new TreeSet<>();
        kinds.add(LinkMeasures.KIND);
        apps.keySet().forEach(app -> kinds.add(app.kind()));
        return new Lookback(
                nanos.getAsLong(), clock.instant(), kinds, history, known.network, known.intents, inventory.snapshot());
    }
}
