// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.spf;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.sextant.core.net.Network;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Subscription;

/**
 * Another inventory, for those that compute paths: changes of links are passed on with the delays of {@link SpfDelay},
 * several as one. Changes of an operator, that is of nodes, hosts and their settings, are passed on at once, with all
 * links in their state at that time.
 */
public final class PacedInventory implements Inventory, AutoCloseable {
    private final ScheduledExecutorService thread;
    private final LongSupplier clock;
    private final List<BiConsumer<Network, Network>> listeners = new CopyOnWriteArrayList<>();
    private final Subscription subscription;
    private SpfDelay delay;
    private Network latest;
    private @Nullable ScheduledFuture<?> timer;
    private volatile Network passed;

    /**
     * @param delay the state to begin with
     * @param thread single; listeners are called by it
     * @param clock milliseconds of a clock that only goes forward
     */
    public PacedInventory(Inventory inventory, SpfDelay delay, ScheduledExecutorService thread, LongSupplier clock) {
        this.thread = thread;
        this.clock = clock;
        this.delay = delay;
        this.latest = inventory.snapshot();
        this.passed = latest;
        this.subscription = inventory.onChange((before, after) -> run(() -> changed(after)));
        run(() -> changed(inventory.snapshot()));
    }

    /** With the delays of {@link SpfDelay.Timers#DEFAULT}. */
    public static PacedInventory of(Inventory inventory, ScheduledExecutorService thread) {
        return new PacedInventory(
                inventory, SpfDelay.START, thread, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    private void run(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException ended) {
            return; // nothing is computed any more
        }
    }

    @Override
    public Network snapshot() {
        return passed;
    }

    @Override
    public Subscription onChange(BiConsumer<Network, Network> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    private void changed(Network after) {
        Network before = latest;
        latest = after;
        if (!before.hosts().equals(after.hosts())
                || !before.rules().equals(after.rules())
                || !before.hasSameNodes(after)) {
            pass();
        } else if (!before.links().equals(after.links())) {
            linksChanged();
        } else if (timer == null) {
            pass();
        }
    }

    private void linksChanged() {
        SpfDelay.Step step = delay.changed(clock.getAsLong());
        delay = step.after();
        if (timer != null) {
            return;
        }
        if (step.delay().isZero()) {
            pass();
        } else {
            timer = thread.schedule(this::pass, step.delay().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void pass() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        Network before = passed;
        if (!before.equals(latest)) {
            passed = latest;
            listeners.forEach(listener -> listener.accept(before, latest));
        }
    }

    @Override
    public void close() {
        subscription.close();
    }
}
