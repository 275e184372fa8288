// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.calls;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Threads that keep no process alive, with names that a thread dump can be read by. */
public final class Daemons {
    private Daemons() {}

    /** Threads of a pool: the first is {@code name}-1. */
    public static ThreadFactory numbered(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> thread(name + "-" + count.incrementAndGet(), task);
    }

    /** The only thread of its kind. */
    public static ThreadFactory one(String name) {
        return task -> thread(name, task);
    }

    /**
     * Tasks of one thread, now, later and again. A handler receives their exceptions; a repeating task ends with one.
     */
    public static ScheduledThreadPoolExecutor clock(String name) {
        return new Clock(one(name));
    }

    /** The future of a scheduled task is never read, so its exception would be lost. */
    private static final class Clock extends ScheduledThreadPoolExecutor {
        Clock(ThreadFactory threads) {
            super(1, threads);
        }

        @Override
        protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
            if (task instanceof Future<?> future && future.isDone() && !future.isCancelled()) {
                try {
                    future.get();
                } catch (ExecutionException e) {
                    Thread thread = Thread.currentThread();
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, e.getCause());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
