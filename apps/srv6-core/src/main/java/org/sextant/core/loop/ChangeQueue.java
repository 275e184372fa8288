// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.sextant.core.port.StoreUnavailableException;

/**
 * Changes of intents, one after the other in the order in which they came. A change with a late commit is not finished
 * before the store has answered and been read again, and later ones are not begun; each of them fails at its deadline.
 * Used by the engine's thread only.
 */
final class ChangeQueue {
    private final Commits commits;
    private final EventLoop thread;
    private final Duration deadline;
    private final Deque<Change<?>> waiting = new ArrayDeque<>();
    private boolean running;
    private boolean closed;

    private static final class Change<T> {
        final CompletableFuture<T> result = new CompletableFuture<>();
        Supplier<Progress<T>> next;

        /** Its commit was late. */
        boolean committing;

        Change(Supplier<Progress<T>> first) {
            next = first;
        }

        void proceed() {
            Progress<T> step = next.get();
            if (step instanceof Progress.Pending<T> late) {
                committing = true;
                next = late.next();
            } else if (step instanceof Progress.Done<T> done) {
                result.complete(done.result());
            }
        }
    }

    /** @param deadline from the request to its failure, if the store does not answer */
    ChangeQueue(Commits commits, EventLoop thread, Duration deadline) {
        this.commits = commits;
        this.thread = thread;
        this.deadline = deadline;
    }

    /**
     * Makes a change when those before it are made.
     *
     * @param first is run again from its beginning if a call of the store before its commit was late
     * @return completes with the result of the change; at the deadline with a {@link StoreUnavailableException}
     */
    <T> CompletableFuture<T> submit(Supplier<Progress<T>> first) {
        Change<T> change = new Change<>(first);
        if (closed) {
            change.result.completeExceptionally(closed());
        } else if (commits.overdue()) {
            change.result.completeExceptionally(refusal(change));
        } else {
            waiting.add(change);
            proceed();
        }
        if (!change.result.isDone()) {
            thread.after("change deadline", deadline, () -> expire(change));
        }
        return change.result;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Goes on as far as the store has answered. */
    void proceed() {
        if (running) {
            return;
        }
        running = true;
        try {
            while (!waiting.isEmpty() && ready(waiting.peek())) {
                proceed(waiting.peek());
            }
        } finally {
            running = false;
        }
    }

    /** True if the change can go on: the keys of a late commit are read first. */
    private boolean ready(Change<?> head) {
        return !commits.busy() && (!head.committing || commits.isKnown());
    }

    private void proceed(Change<?> head) {
        try {
            head.proceed();
        } catch (StoreLateException e) {
            return; // the answer of that call has it proceed
        } catch (RuntimeException | Error e) {
            head.result.completeExceptionally(e);
        }
        if (head.result.isDone()) {
            waiting.remove(head);
        }
    }

    /** The store has not answered a call within the deadline. */
    void expire() {
        List.copyOf(waiting).forEach(this::expire);
    }

    private void expire(Change<?> change) {
        if (waiting.remove(change)) {
            if (change.committing) {
                commits.abandon();
            }
            change.result.completeExceptionally(refusal(change));
        }
    }

    private StoreUnavailableException refusal(Change<?> change) {
        return new StoreUnavailableException("the store has not answered within " + deadline.toMillis() + " ms; "
                + (change.committing
                        ? "whether this is stored is unknown until it answers"
                        : "nothing of this is stored: try again when it answers"));
    }

    /** Fails the changes that wait. */
    void close() {
        closed = true;
        waiting.forEach(change -> change.result.completeExceptionally(closed()));
        waiting.clear();
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the intent engine is closed");
    }
}
