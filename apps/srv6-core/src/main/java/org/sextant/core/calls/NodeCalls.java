// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.calls;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs calls to nodes, a few at a time and in the order in which they came. A call that takes longer than the timeout
 * does not count any more: another begins beside it. So hanging nodes delay no others, and there are never more threads
 * than the limit and one per node that hangs.
 */
public final class NodeCalls implements Executor, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration CLOSING = Duration.ofSeconds(30);
    private static final long IDLE_SECONDS = 10;
    private static final long NO_THREAD_MILLIS = 100;

    private final int limit;
    private final Duration patience;
    private final ThreadPoolExecutor threads;
    private final ScheduledExecutorService clock;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int counted;
    private boolean closed;

    /** @param limit calls at a time, those aside that take longer than two seconds */
    public NodeCalls(String name, int limit) {
        this(name, limit, PATIENCE);
    }

    NodeCalls(String name, int limit, Duration patience) {
        this.limit = limit;
        this.patience = patience;
        this.threads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), Daemons.numbered(name));
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, Daemons.numbered(name + "-clock"));
        timer.setRemoveOnCancelPolicy(true);
        this.clock = timer;
    }

    /** @throws RejectedExecutionException after {@link #close} */
    @Override
    public void execute(Runnable call) {
        synchronized (this) {
            if (closed) {
                throw new RejectedExecutionException("closed");
            }
            waiting.add(call);
            next();
        }
    }

    private synchronized void next() {
        while (counted < limit && !waiting.isEmpty()) {
            Runnable call = waiting.peek();
            if (!begin(new Call(call))) {
                return;
            }
            waiting.remove();
            counted++;
        }
        if (closed && waiting.isEmpty()) {
            threads.shutdown();
        }
    }

    private boolean begin(Call call) {
        try {
            threads.execute(call);
            return true;
        } catch (OutOfMemoryError noThread) {
            clock.schedule(this::next, NO_THREAD_MILLIS, TimeUnit.MILLISECONDS);
            return false;
        }
    }

    /** Lets pending calls end, and waits for them, within reason. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            next();
        }
        try {
            threads.awaitTermination(CLOSING.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        clock.shutdownNow();
    }

    /** Ends at once; calls that run are interrupted, those that wait are dropped. */
    public void closeNow() {
        synchronized (this) {
            closed = true;
            waiting.clear();
        }
        threads.shutdownNow();
        clock.shutdownNow();
    }

    private final class Call implements Runnable {
        private final Runnable task;
        private boolean counts = true;

        Call(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            Future<?> impatience = impatience();
            try {
                task.run();
            } finally {
                impatience.cancel(false);
                leave();
            }
        }

        private Future<?> impatience() {
            try {
                return clock.schedule(this::leave, patience.toNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closing) {
                return CompletableFuture.completedFuture(null);
            }
        }

        private void leave() {
            synchronized (NodeCalls.this) {
                if (counts) {
                    counts = false;
                    counted--;
                    next();
                }
            }
        }
    }
}
