// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.calls;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A task of one thread that runs once for all requests made before it began. */
public final class CoalescedTask {
    private final ScheduledExecutorService thread;
    private final Runnable task;
    private final Consumer<Throwable> failed;
    private final AtomicBoolean asked = new AtomicBoolean();

    /** @param failed receives the exceptions of the task when it runs on request */
    public CoalescedTask(ScheduledExecutorService thread, Runnable task, Consumer<Throwable> failed) {
        this.thread = thread;
        this.task = task;
        this.failed = failed;
    }

    /** No effect if the task is requested already, or if the thread has ended. */
    public void in(Duration delay) {
        if (!asked.compareAndSet(false, true)) {
            return;
        }
        try {
            thread.schedule(this::runOrTell, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            asked.set(false);
        }
    }

    private void runOrTell() {
        try {
            run();
        } catch (RuntimeException | Error e) {
            failed.accept(e);
        }
    }

    private void run() {
        asked.set(false);
        task.run();
    }

    /** Runs it in its turn, and returns when it has run. */
    public void settle() {
        try {
            thread.submit(this::run).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
