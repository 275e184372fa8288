// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.sextant.core.calls.Daemons;

/**
 * The one thread that owns the engine's state. Everything that happens is a message to it; when the messages at hand are
 * dealt with, it runs {@code afterwards} once, so that a burst of messages leads to one reaction. A message that fails,
 * by whatever is thrown, is reported, and the next one is handled: a timer that stopped would be worse.
 */
public final class EventLoop {
    private final ScheduledThreadPoolExecutor executor;
    private final Runnable afterwards;
    private final Consumer<Throwable> onFault;
    private final AtomicLong longestNanos = new AtomicLong();
    private boolean reactionQueued;

    public EventLoop(Runnable afterwards, Consumer<Throwable> onFault) {
        this.afterwards = afterwards;
        this.onFault = onFault;
        this.executor = new ScheduledThreadPoolExecutor(1, Daemons.one("sextant-engine"));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        executor.setRemoveOnCancelPolicy(true);
        executor.prestartCoreThread();
    }

    /** Runs a message when those before it are dealt with; after closing, never. */
    public void post(Runnable message) {
        try {
            executor.execute(() -> handle(message));
        } catch (RejectedExecutionException closed) {
            return; // late answers of nodes; what they hold is read again at the next start
        }
    }

    public void postAfter(Duration delay, Runnable message) {
        try {
            executor.schedule(() -> handle(message), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            return;
        }
    }

    public void postEvery(Duration interval, Runnable message) {
        executor.scheduleAtFixedRate(
                () -> handle(message), interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Asks a question and waits for the answer; the question's exceptions come out as they are. */
    public <T> T ask(Callable<T> question) {
        Future<T> answer;
        try {
            answer = executor.submit(() -> {
                long from = System.nanoTime();
                try {
                    return question.call();
                } finally {
                    held(from);
                    react();
                }
            });
        } catch (RejectedExecutionException closed) {
            throw new IllegalStateException("the intent engine is closed", closed);
        }
        return result(answer);
    }

    /** Waits for what the engine's thread will say; its exceptions come out as they are. */
    public static <T> T result(Future<T> answer) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the intent engine", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Lets the messages at hand finish, takes no more, and waits. */
    public void close(Duration patience) {
        executor.shutdown();
        try {
            executor.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How long at most one message, or what follows from several, has held the thread since this was last asked. Any thread may ask. */
    public Duration takeLongestHold() {
        return Duration.ofNanos(longestNanos.getAndSet(0));
    }

    private void handle(Runnable message) {
        guarded(message);
        react();
    }

    private void guarded(Runnable step) {
        long from = System.nanoTime();
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            onFault.accept(e);
        } finally {
            held(from);
        }
    }

    private void held(long from) {
        longestNanos.accumulateAndGet(System.nanoTime() - from, Math::max);
    }

    private void react() {
        if (!reactionQueued && !executor.isShutdown()) {
            reactionQueued = true;
            executor.execute(() -> {
                reactionQueued = false;
                guarded(afterwards);
            });
        }
    }
}
