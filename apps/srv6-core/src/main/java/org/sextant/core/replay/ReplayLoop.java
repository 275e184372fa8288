// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.replay;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.sextant.core.loop.Answer;
import org.sextant.core.loop.Call;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.loop.Frame;
import org.sextant.core.loop.Message;
import org.sextant.core.loop.StoreLateException;
import org.sextant.core.loop.Turn;

/**
 * Handles recorded messages instead of new ones, on the calling thread: time, answers and the lengths of turns are those of the
 * record, and no call is made. Timers whose names begin with {@code view} follow from how busy the thread was, and decide nothing.
 */
final class ReplayLoop implements EventLoop {
    private static final String VIEW = "view ";

    private final MessageCodec messages;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, Consumer<JsonNode>> calls = new HashMap<>();
    private final Map<String, Runnable> timers = new HashMap<>();
    private final List<String> begun = new ArrayList<>();
    private final Map<String, Answer<?>> answers = new HashMap<>();
    private Handler handler = message -> null;
    private Runnable afterwards = () -> {};
    private Frame.Moment moment = new Frame.Moment(Instant.EPOCH, 0);
    private Deque<JsonNode> observed = new ArrayDeque<>();
    private Deque<Integer> turns = new ArrayDeque<>();

    ReplayLoop(MessageCodec messages) {
        this.messages = messages;
    }

    /** A {@link EventLoop.Factory} for one owner. */
    EventLoop connect(Handler owner, Runnable reaction, Consumer<Throwable> faultsAreRecordedToo) {
        handler = owner;
        afterwards = reaction;
        return this;
    }

    /**
     * Handles a message again.
     *
     * @throws DivergenceException if something else follows from it than is recorded
     * @throws IllegalArgumentException if it is no message
     */
    void replay(RecordedFrame frame) {
        moment = frame.moment();
        observed = new ArrayDeque<>(frame.observed());
        turns = new ArrayDeque<>(frame.turns());
        begun.clear();
        answers.clear();
        Runnable step = step(frame.message());
        try {
            step.run();
        } catch (DivergenceException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            // The recorded run threw it, too, or the following decisions differ.
        }
        List<String> recorded = frame.calls().stream().map(JsonNode::toString).toList();
        for (int i = 0; i < Math.max(begun.size(), recorded.size()); i++) {
            String now = i < begun.size() ? begun.get(i) : "no call";
            String then = i < recorded.size() ? recorded.get(i) : "no call";
            if (!now.equals(then)) {
                throw new DivergenceException("recorded: " + then + "; replayed: " + now);
            }
        }
        if (!observed.isEmpty() || !turns.isEmpty()) {
            throw new DivergenceException("recorded, and not asked for: " + observed + ", turns " + turns);
        }
    }

    private Runnable step(JsonNode message) {
        return switch (message.path(MessageCodec.CLASS).asText()) {
            case RecordedFrame.ANSWERED ->
                answered(message.path(RecordedFrame.CALL).asText(), message);
            case RecordedFrame.EXPIRED ->
                expired(message.path(RecordedFrame.TIMER).asText());
            case RecordedFrame.REACTION -> afterwards;
            default -> {
                Message decoded = messages.decode(message);
                yield () -> handler.handle(decoded);
            }
        };
    }

    private Runnable answered(String call, JsonNode message) {
        Consumer<JsonNode> then = calls.remove(call);
        if (then == null) {
            throw new DivergenceException("an answer to " + call + ", which was not called");
        }
        return () -> then.accept(message.path(RecordedFrame.ANSWER));
    }

    private Runnable expired(String timer) {
        Runnable then = timers.remove(timer);
        if (then == null && !timer.startsWith(VIEW)) {
            throw new DivergenceException("the timer " + timer + " expired, which was not set");
        }
        return then == null ? () -> {} : then;
    }

    private String number(String name) {
        return name + "#" + numbers.merge(name, 1, Integer::sum);
    }

    private String begin(Call<?> call) {
        String name = number(call.name());
        begun.add(RecordedFrame.call(name, call.request()).toString());
        return name;
    }

    private static <T> Answer<T> decode(Call<T> call, JsonNode answer) {
        return call.type().map(type -> RecordedFrame.answer(answer, type)).orElseGet(() -> computed(call));
    }

    private static <T> Answer<T> computed(Call<T> call) {
        try {
            return Answer.of(call.question().get());
        } catch (RuntimeException | Error e) {
            return Answer.failed(e);
        }
    }

    @Override
    public <T> void call(Call<T> call, Executor on, Consumer<Answer<T>> then) {
        calls.put(begin(call), answer -> then.accept(decode(call, answer)));
    }

    @Override
    public <T> T await(Call<T> call, Executor on, Duration patience, Consumer<Answer<T>> late) {
        String name = begin(call);
        JsonNode answer = next(name);
        if (!answer.has(RecordedFrame.ANSWER)) {
            calls.put(name, later -> late.accept(decode(call, later)));
            throw new StoreLateException(true);
        }
        return decode(call, answer.path(RecordedFrame.ANSWER)).get();
    }

    @Override
    @SuppressWarnings("unchecked") // calls of one name have answers of one type
    public <T> T observe(Call<T> call) {
        Answer<?> known = answers.get(call.name());
        if (known == null) {
            known = decode(call, next(call.name()).path(RecordedFrame.ANSWER));
            answers.put(call.name(), known);
        }
        return ((Answer<T>) known).get();
    }

    private JsonNode next(String call) {
        JsonNode next = observed.poll();
        if (next == null || !next.path(RecordedFrame.CALL).asText().equals(call)) {
            throw new DivergenceException("recorded: an answer to "
                    + (next == null ? "nothing" : next.path(RecordedFrame.CALL).asText()) + "; replayed: " + call);
        }
        return next;
    }

    @Override
    public void after(String timer, Duration delay, Runnable then) {
        timers.put(number(timer), then);
    }

    @Override
    public Turn turn() {
        return Turn.of(Optional.ofNullable(turns.poll())
                .orElseThrow(() -> new DivergenceException("recorded: no turn; replayed: one")));
    }

    /** A question changes nothing, so it is answered here. */
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
    public Clock clock() {
        InstantSource source = () -> moment.time();
        return source.withZone(ZoneOffset.UTC);
    }

    @Override
    public long nanoTime() {
        return moment.nanos();
    }

    /** The record has the messages that came. */
    @Override
    public void post(Message message) {}

    @Override
    public void every(Duration interval, Message message) {}

    @Override
    public void react() {}

    /** @throws IllegalStateException always: only recorded requests are handled */
    @Override
    public <T> T request(Message.Request<T> message) {
        throw new IllegalStateException("a replayed engine takes no requests");
    }

    @Override
    public void close(Duration patience) {}

    @Override
    public Duration takeLongestHold() {
        return Duration.ZERO;
    }
}
