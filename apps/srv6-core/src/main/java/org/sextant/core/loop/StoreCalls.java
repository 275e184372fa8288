// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sextant.core.calls.Daemons;
import org.sextant.core.port.StoreUnavailableException;

/**
 * Calls of the store on a thread of their own, one at a time and in their order. The engine's thread waits for an
 * answer only up to the timeout; a call that takes longer is late: its answer arrives as a message, and no other call
 * begins before. Used by the engine's thread only.
 */
public final class StoreCalls {
    private final EventLoop thread;
    private final Duration patience;
    private final Duration deadline;
    private final ExecutorService executor = Executors.newSingleThreadExecutor(Daemons.one("sextant-store"));
    private final Runnable afterwards;
    private final Runnable missed;
    private @Nullable Late late;

    /** A call that did not answer in time. */
    private static final class Late {
        boolean overdue;
    }

    /**
     * @param patience the thread waits so long at most for a call
     * @param deadline a call that has not answered within this time is {@link #overdue}
     * @param afterwards runs when a late answer was taken
     * @param missed runs when a call is overdue
     */
    StoreCalls(EventLoop thread, Duration patience, Duration deadline, Runnable afterwards, Runnable missed) {
        this.thread = thread;
        this.patience = patience;
        this.deadline = deadline;
        this.afterwards = afterwards;
        this.missed = missed;
    }

    /** True while a late call has not answered. */
    public boolean busy() {
        return late != null;
    }

    /** True while a call has not answered for longer than the deadline. */
    boolean overdue() {
        return late != null && late.overdue;
    }

    /** The longest duration of a call before its request fails. */
    Duration deadline() {
        return deadline;
    }

    /**
     * Makes a call and returns its answer.
     *
     * @param more time besides the timeout, for a call that is large
     * @param then gets the answer if it is late
     * @throws StoreLateException if the call has not answered, or was not made because another has not
     * @throws RuntimeException of the store
     */
    public <T> T call(Call<T> call, Duration more, Consumer<Answer<T>> then) {
        if (late != null) {
            throw new StoreLateException(false);
        }
        try {
            return thread.await(call, executor, patience.plus(more), answer -> answered(answer, then));
        } catch (RejectedExecutionException closed) {
            throw new StoreUnavailableException("the intent engine is closed");
        } catch (StoreLateException e) {
            leave();
            throw e;
        }
    }

    private <T> void answered(Answer<T> answer, Consumer<Answer<T>> then) {
        late = null;
        try {
            then.accept(answer);
        } finally {
            afterwards.run();
        }
    }

    private void leave() {
        Late left = new Late();
        late = left;
        thread.after("store deadline", deadline, () -> {
            if (late == left) {
                left.overdue = true;
                missed.run();
            }
        });
    }

    /** Lets the pending call end, and waits for it no longer than the deadline. */
    public void close() {
        executor.shutdown();
        try {
            executor.awaitTermination(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
