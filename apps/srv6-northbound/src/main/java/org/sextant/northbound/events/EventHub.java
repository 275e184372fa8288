// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.sextant.core.calls.Daemons;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Subscription;
import org.sextant.core.port.Telemetry;
import org.sextant.kit.app.EventSource;
import org.sextant.kit.app.ProbeLoad;

/**
 * Collects the events of the controller for a moment and sends them to all clients. One thread owns the collected news;
 * each client has a thread that writes to it, so that a slow one delays no other.
 *
 * <pre>
 *   inventory, engine, counters -> news (100 ms) -> feed -> client
 *   apps ------------------------/              \-> feed -> client
 * </pre>
 */
@Component(service = EventHub.class)
public class EventHub {
    /** A controller serves people, not crowds. */
    static final int MAX_CLIENTS = 64;

    private static final long CALM_MILLIS = 100;

    /** Where a client listens. */
    public interface Client extends AutoCloseable {
        /** @throws IOException if it is gone */
        void send(String text) throws IOException;

        @Override
        void close();
    }

    @Reference
    protected Inventory inventory;

    @Reference
    protected Intents intents;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policyOption = ReferencePolicyOption.GREEDY)
    protected Telemetry telemetry;

    private final Set<Feed> feeds = ConcurrentHashMap.newKeySet();
    /** The apps with news, and whether they are listened to; in the order in which they came. Guarded by this. */
    private final Map<EventSource, Optional<Subscription>> apps = new LinkedHashMap<>();

    private final Set<ProbeLoad> probing = ConcurrentHashMap.newKeySet();

    private final PendingEvents news = new PendingEvents(() -> Probes.of(inventory.snapshot(), probing));
    private final Rates rates = new Rates();
    private volatile @Nullable ScheduledThreadPoolExecutor collector;
    private List<Subscription> sources = List.of();
    private Optional<Subscription> counters = Optional.empty();
    private boolean planned;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    protected synchronized void addApp(EventSource app) {
        apps.put(app, Optional.empty());
        count();
    }

    protected synchronized void removeApp(EventSource app) {
        Optional<Subscription> listening = apps.remove(app);
        if (listening != null) {
            listening.ifPresent(Subscription::close);
        }
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    protected void addProbeLoad(ProbeLoad app) {
        probing.add(app);
    }

    protected void removeProbeLoad(ProbeLoad app) {
        probing.remove(app);
    }

    @Activate
    protected synchronized void activate() {
        ScheduledThreadPoolExecutor clock = Daemons.clock("sextant-news");
        clock.setRemoveOnCancelPolicy(true);
        collector = clock;
        sources = List.of(
                inventory.onChange((before, after) -> collect(() -> news.add(NetworkDiff.between(before, after)))),
                intents.listen(event -> collect(() -> news.add(event))));
    }

    @Deactivate
    protected synchronized void deactivate() {
        sources.forEach(Subscription::close);
        counters.ifPresent(Subscription::close);
        counters = Optional.empty();
        ScheduledThreadPoolExecutor clock = collector;
        if (clock != null) {
            clock.shutdownNow();
        }
        listenToApps(false);
        feeds.forEach(Feed::end);
    }

    /** Sends a client everything from now on until it is gone; false if there are too many. Returns at once. */
    public synchronized boolean serve(Client client) {
        if (feeds.size() >= MAX_CLIENTS) {
            return false;
        }
        Feed feed = new Feed(client);
        feeds.add(feed);
        count();
        Daemons.one("sextant-feed").newThread(() -> write(feed)).start();
        return true;
    }

    private void write(Feed feed) {
        try {
            feed.run();
        } finally {
            synchronized (this) {
                feeds.remove(feed);
                count();
            }
        }
    }

    /** Nodes send counters, and apps their news, only while there are clients. */
    private void count() {
        ScheduledThreadPoolExecutor clock = collector;
        boolean looking = clock != null && !clock.isShutdown() && !feeds.isEmpty();
        listenToApps(looking);
        boolean wanted = telemetry != null && looking;
        if (wanted && counters.isEmpty()) {
            counters = Optional.of(
                    telemetry.onCounters(sample -> collect(() -> news.add(sample.node(), rates.take(sample)))));
        } else if (!wanted) {
            counters.ifPresent(Subscription::close);
            counters = Optional.empty();
        }
    }

    private void listenToApps(boolean wanted) {
        apps.replaceAll((app, listening) -> {
            if (wanted && listening.isEmpty()) {
                return Optional.of(app.listen(() -> collect(() -> {})));
            }
            if (!wanted) {
                listening.ifPresent(Subscription::close);
                return Optional.empty();
            }
            return listening;
        });
    }

    private void collect(Runnable addition) {
        ScheduledThreadPoolExecutor clock = collector;
        if (clock == null || feeds.isEmpty()) {
            return; // a client that comes later looks at everything first
        }
        try {
            clock.execute(() -> {
                addition.run();
                if (!planned) {
                    planned = true;
                    clock.schedule(this::tell, CALM_MILLIS, TimeUnit.MILLISECONDS);
                }
            });
        } catch (RejectedExecutionException closing) {
            return; // and its clients come back to the next one
        }
    }

    private synchronized List<EventSource> sources() {
        return List.copyOf(apps.keySet());
    }

    private void tell() {
        planned = false;
        List<String> events = new ArrayList<>(news.take());
        sources().forEach(app -> app.take().forEach(told -> events.add(PendingEvents.event(told.kind(), told.data()))));
        feeds.forEach(feed -> {
            if (!feed.offer(events)) {
                feed.end();
            }
        });
    }
}
