// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.sextant.core.loop.Answer;
import org.sextant.core.loop.Call;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.loop.Message;
import org.sextant.core.loop.StoreLateException;
import org.sextant.core.loop.Turn;

/**
 * An event loop on the thread of a test: the test advances the time, and starts and answers each call. A failure of the
 * handler fails the test.
 */
final class StepLoop implements EventLoop {
    private final Deque<Runnable> messages = new ArrayDeque<>();
    private final List<OpenCall> calls = new ArrayList<>();
    private final List<OpenCall> begun = new ArrayList<>();
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparing(Timer::time).thenComparing(Timer::number));
    private Handler handler = message -> null;
    private Runnable afterwards = () -> {};
    private Instant now = Instant.parse("2026-11-23T06:43:00Z");
    private boolean reacts;
    private boolean storeHangs;
    private int number;

    /**
     * A call that was not made.
     *
     * @param answers makes it, and has its answer handled
     * @param fails has a failure handled instead
     */
    record OpenCall(String name, Object request, Runnable answers, Consumer<RuntimeException> fails) {}

    private record Timer(Instant time, int number, Runnable then) {}

    EventLoop connect(Handler owner, Runnable reaction, Consumer<Throwable> onFault) {
        handler = owner;
        afterwards = reaction;
        return this;
    }

    /** Handles the messages at hand, and all that follow from them. */
    void run() {
        while (!messages.isEmpty() || reacts) {
            Runnable next = messages.poll();
            if (next == null) {
                reacts = false;
                afterwards.run();
            } else {
                next.run();
                reacts = true;
            }
        }
    }

    /** Takes out the first pending call with such a name; one of its parts makes it. */
    OpenCall take(Predicate<String> name) {
        OpenCall first = calls.stream()
                .filter(call -> name.test(call.name()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no such call is under way: " + calls));
        calls.remove(first);
        return first;
    }

    /** The writes since the last call. */
    List<OpenCall> begun() {
        List<OpenCall> writes =
                begun.stream().filter(call -> call.name().startsWith("write ")).toList();
        begun.clear();
        return writes;
    }

    boolean has(Predicate<String> name) {
        return calls.stream().anyMatch(call -> name.test(call.name()));
    }

    void storeHangs(boolean hangs) {
        storeHangs = hangs;
    }

    /** Advances the clock; due timers are handled in their order. */
    void pass(Duration duration) {
        Instant end = now.plus(duration);
        while (!timers.isEmpty() && !timers.element().time().isAfter(end)) {
            Timer next = timers.remove();
            now = next.time();
            messages.add(next.then());
            run();
        }
        now = end;
    }

    @Override
    public void post(Message message) {
        messages.add(() -> handler.handle(message));
    }

    @Override
    public void every(Duration interval, Message message) {
        throw new UnsupportedOperationException("stories have no audits of their own");
    }

    @Override
    public void react() {
        reacts = true;
    }

    @Override
    @SuppressWarnings("unchecked") // the message's type names the result of its handler
    public <T> T request(Message.Request<T> message) {
        run();
        T result = (T) handler.handle(message);
        reacts = true;
        run();
        return result;
    }

    @Override
    public <T> T ask(Callable<T> question) {
        try {
            return question.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void after(String timer, Duration delay, Runnable then) {
        timers.add(new Timer(now.plus(delay), number++, then));
    }

    @Override
    public <T> void call(Call<T> call, Executor on, Consumer<Answer<T>> then) {
        OpenCall waiting = new OpenCall(
                call.name(),
                call.request(),
                () -> answered(made(call), then),
                failure -> answered(Answer.failed(failure), then));
        calls.add(waiting);
        begun.add(waiting);
    }

    private <T> void answered(Answer<T> answer, Consumer<Answer<T>> then) {
        messages.add(() -> then.accept(answer));
    }

    private static <T> Answer<T> made(Call<T> call) {
        try {
            return Answer.of(call.question().get());
        } catch (RuntimeException | Error e) {
            return Answer.failed(e);
        }
    }

    @Override
    public <T> T await(Call<T> call, Executor on, Duration patience, Consumer<Answer<T>> late) {
        if (storeHangs) {
            call(call, on, late);
            throw new StoreLateException(true);
        }
        return made(call).get();
    }

    @Override
    public <T> T observe(Call<T> call) {
        return made(call).get();
    }

    @Override
    public Turn turn() {
        return Turn.of(Integer.MAX_VALUE);
    }

    @Override
    public Clock clock() {
        InstantSource source = () -> now;
        return source.withZone(ZoneOffset.UTC);
    }

    @Override
    public long nanoTime() {
        return Duration.between(Instant.EPOCH, now).toNanos();
    }

    @Override
    public void close(Duration patience) {}

    @Override
    public Duration takeLongestHold() {
        return Duration.ZERO;
    }
}
