// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.calls;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task at the earliest of the times for which it was set; it may run more often. To be set by the thread that runs it.
 */
public final class Alarm {
    private final ScheduledExecutorService thread;
    private final Runnable task;
    private @Nullable Instant next;

    public Alarm(ScheduledExecutorService thread, Runnable task) {
        this.thread = thread;
        this.task = task;
    }

    public void set(Instant due, Instant now) {
        if (next != null && !due.isBefore(next)) {
            return;
        }
        next = due;
        try {
            thread.schedule(this::ring, Math.max(0, Duration.between(now, due).toMillis() + 1), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            next = null;
        }
    }

    private void ring() {
        next = null;
        task.run();
    }
}
