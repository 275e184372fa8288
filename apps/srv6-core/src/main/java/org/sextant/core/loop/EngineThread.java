// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.sextant.core.calls.Daemons;

/**
 * The one thread that owns the engine's state. Every event is a message to it; when the messages at hand are handled,
 * it runs {@code afterwards} once, so that a burst of messages causes one reaction. A message that fails, by whatever
 * is thrown, is reported, and the next one is handled: a timer that stopped would be worse.
 */
public final class EngineThread implements EventLoop {
    private final ScheduledThreadPoolExecutor executor;
    private final Handler handler;
    private final Runnable afterwards;
    private final Consumer<Throwable> onFault;
    private final FrameBuilder frame;
    private final AtomicLong longestNanos = new AtomicLong();
    private final LoadMeter meter = new LoadMeter();
    private boolean reactionQueued;

    /**
     * @param afterwards reacts to the messages that were handled
     * @param recorder receives each message with all inputs of its handling; empty: messages are not recorded
     */
    public EngineThread(
            Handler handler,
            Runnable afterwards,
            Consumer<Throwable> onFault,
            Clock clock,
            Optional<? extends Recorder> recorder) {
        this.handler = handler;
        this.afterwards = afterwards;
        this.onFault = onFault;
        this.frame = new FrameBuilder(clock, recorder);
        this.executor = new ScheduledThreadPoolExecutor(1, Daemons.one("sextant-engine"));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        executor.setRemoveOnCancelPolicy(true);
        executor.prestartCoreThread();
    }

    /** @param recorder as of the constructor */
    public static EventLoop.Factory factory(Clock clock, Optional<? extends Recorder> recorder) {
        return (handler, afterwards, onFault) -> new EngineThread(handler, afterwards, onFault, clock, recorder);
    }

    @Override
    public void post(Message message) {
        queue(message, () -> handler.handle(message));
    }

    /**
     * Messages are not handled after closing: late answers of nodes, for example; the next start reads their entries.
     */
    private void queue(Message message, Runnable step) {
        meter.queued();
        try {
            executor.execute(() -> {
                meter.taken();
                handle(message, step);
            });
        } catch (RejectedExecutionException closed) {
            meter.taken();
        }
    }

    @Override
    public void every(Duration interval, Message message) {
        executor.scheduleAtFixedRate(
                () -> handle(message, () -> handler.handle(message)),
                interval.toNanos(),
                interval.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    @Override
    public void after(String timer, Duration delay, Runnable then) {
        String name = frame.number(timer);
        try {
            executor.schedule(
                    () -> handle(new Message.TimerExpired(name), then), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            return;
        }
    }

    @Override
    @SuppressWarnings("unchecked") // the message's type names the result of its handler
    public <T> T request(Message.Request<T> message) {
        return submitted(() -> {
            long from = frame.begin(true);
            try {
                return (T) handler.handle(message);
            } finally {
                frame.end(message);
                held(from);
                react();
            }
        });
    }

    @Override
    public <T> T ask(Callable<T> question) {
        return submitted(() -> {
            long from = frame.begin(false);
            try {
                return question.call();
            } finally {
                frame.abandon();
                held(from);
            }
        });
    }

    private <T> T submitted(Callable<T> step) {
        Future<T> answer;
        meter.queued();
        try {
            answer = executor.submit(() -> {
                meter.taken();
                return step.call();
            });
        } catch (RejectedExecutionException closed) {
            meter.taken();
            throw new IllegalStateException("the intent engine is closed", closed);
        }
        return result(answer);
    }

    /** Waits for an answer of the engine's thread; its exceptions come out as they are. */
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

    @Override
    public <T> void call(Call<T> call, Executor on, Consumer<Answer<T>> then) {
        String name = frame.begun(call);
        on.execute(() -> answered(name, call, call.make(), then));
    }

    private <T> void answered(String name, Call<T> call, Answer<T> answer, Consumer<Answer<T>> then) {
        queue(new Message.AnswerReceived(name, call.type(), answer), () -> then.accept(answer));
    }

    @Override
    public <T> T await(Call<T> call, Executor on, Duration patience, Consumer<Answer<T>> late) {
        String name = frame.begun(call);
        CompletableFuture<Answer<T>> answer = new CompletableFuture<>();
        on.execute(() -> answer.complete(call.make()));
        Answer<T> inTime = null;
        try {
            inTime = answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The thread has other work.
        }
        frame.observed(name, call, Optional.ofNullable(inTime));
        if (inTime == null) {
            answer.thenAccept(value -> answered(name, call, value, late));
            throw new StoreLateException(true);
        }
        return inTime.get();
    }

    @Override
    public <T> T observe(Call<T> call) {
        return frame.observe(call).get();
    }

    @Override
    public Turn turn() {
        return frame.turn();
    }

    @Override
    public Clock clock() {
        return frame.clock();
    }

    @Override
    public long nanoTime() {
        return frame.nanoTime();
    }

    @Override
    public void close(Duration patience) {
        executor.shutdown();
        try {
            executor.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Duration takeLongestHold() {
        return Duration.ofNanos(longestNanos.getAndSet(0));
    }

    @Override
    public EngineLoad load() {
        return meter.load();
    }

    private void handle(Message message, Runnable step) {
        guarded(message, step);
        react();
    }

    private void guarded(Message message, Runnable step) {
        long from = frame.begin(true);
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            onFault.accept(e);
        } finally {
            frame.end(message);
            held(from);
        }
    }

    private void held(long from) {
        long nanos = System.nanoTime() - from;
        longestNanos.accumulateAndGet(nanos, Math::max);
        meter.held(nanos);
    }

    @Override
    public void react() {
        if (!reactionQueued && !executor.isShutdown()) {
            reactionQueued = true;
            executor.execute(() -> {
                reactionQueued = false;
                guarded(new Message.Reaction(), afterwards);
            });
        }
    }
}
