// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.calls;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

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

    public static ScheduledExecutorService clock(String name) {
        return Executors.newSingleThreadScheduledExecutor(one(name));
    }

    private static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
