// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.calls.Daemons;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Subscription;
import org.sextant.kit.app.EventSource;
import org.sextant.northbound.cluster.Shares;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the members of the cluster and their nodes whenever these may have changed, and reports the changes to the log
 * and the stream. When a member goes, its nodes change hands one by one: they are looked at once a second.
 */
@Component(
        immediate = true,
        service = {ClusterWatch.class, EventSource.class})
public class ClusterWatch implements EventSource {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

    @Reference
    protected Coordination coordination;

    @Reference
    protected Inventory inventory;

    @Reference
    protected LogKeeper log;

    long calmMillis = 1_000;

    private final Set<Runnable> listeners = new CopyOnWriteArraySet<>();
    private final AtomicBoolean planned = new AtomicBoolean();
    private final AtomicBoolean news = new AtomicBoolean();
    private List<Subscription> sources = List.of();
    private volatile @Nullable ScheduledExecutorService thread;
    /** Touched by the thread only, once there is one. */
    private @Nullable Shares known;

    @Activate
    protected void activate() {
        look();
        thread = Daemons.clock("sextant-cluster");
        sources = List.of(coordination.onChange(this::plan), inventory.onChange((before, after) -> {
            if (!before.nodes().keySet().equals(after.nodes().keySet())) {
                plan();
            }
        }));
        plan(); // for changes before there were listeners
    }

    @Deactivate
    protected void deactivate() {
        sources.forEach(Subscription::close);
        ScheduledExecutorService own = thread;
        if (own != null) {
            own.shutdownNow();
        }
    }

    private void plan() {
        ScheduledExecutorService own = thread;
        if (own == null || !planned.compareAndSet(false, true)) {
            return;
        }
        try {
            own.schedule(this::look, calmMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closing) {
            return; // there is no client any more
        }
    }

    private void look() {
        planned.set(false);
        try {
            Shares before = known;
            Shares now = Shares.of(coordination, inventory.snapshot().nodes().keySet());
            known = now;
            if (before != null && !before.equals(now)) {
                log.tell(ClusterWords.of(before, now));
                news.set(true);
                listeners.forEach(Runnable::run);
            }
        } catch (RuntimeException e) {
            LOG.warn("the members of the cluster cannot be read; the next change is", e);
        }
    }

    @Override
    public Subscription listen(Runnable anew) {
        listeners.add(anew);
        return () -> listeners.remove(anew);
    }

    /** That the cluster has changed is enough: clients that show it ask for it. */
    @Override
    public List<Told> take() {
        return news.getAndSet(false) ? List.of(new Told("cluster", JsonNodeFactory.instance.objectNode())) : List.of();
    }
}
