// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The message that an event loop handles now: its time, and its record if one is made. Used by the loop's thread only, but for the clocks. */
final class FrameBuilder {
    private final Clock clock;
    private final Optional<? extends Recorder> recorder;
    private final Map<String, Integer> numbers = new HashMap<>();

    /** The thread that handles a message. */
    private volatile @Nullable Thread owner;

    private Frame.Moment moment = new Frame.Moment(Instant.EPOCH, 0);

    /** The message is recorded. */
    private boolean recording;

    private final Map<String, Answer<?>> answers = new HashMap<>();
    private List<Frame.Observation> observed = new ArrayList<>();
    private List<Turn> turns = new ArrayList<>();
    private List<Frame.CallRecord> calls = new ArrayList<>();

    FrameBuilder(Clock clock, Optional<? extends Recorder> recorder) {
        this.clock = clock;
        this.recorder = recorder;
    }

    /**
     * @param changes true if the message may change state, and is recorded
     * @return {@link System#nanoTime}
     */
    long begin(boolean changes) {
        moment = new Frame.Moment(clock.instant(), System.nanoTime());
        recording = changes && recorder.isPresent();
        owner = Thread.currentThread();
        return moment.nanos();
    }

    /** Ends a message that is not recorded. */
    void abandon() {
        owner = null;
        answers.clear();
    }

    void end(Message message) {
        abandon();
        if (recording) {
            recording = false;
            recorder.ifPresent(to -> to.handled(new Frame(
                    moment,
                    message,
                    List.copyOf(observed),
                    turns.stream().map(Turn::steps).toList(),
                    List.copyOf(calls))));
            observed = new ArrayList<>();
            turns = new ArrayList<>();
            calls = new ArrayList<>();
        }
    }

    /** The name with its number, where that is of use. */
    String number(String name) {
        return recorder.isEmpty() ? name : name + "#" + numbers.merge(name, 1, Integer::sum);
    }

    String begun(Call<?> call) {
        String name = number(call.name());
        if (recording) {
            calls.add(new Frame.CallRecord(name, call.request()));
        }
        return name;
    }

    void observed(String name, Call<?> call, Optional<? extends Answer<?>> answer) {
        if (recording) {
            observed.add(new Frame.Observation(name, call.type(), answer));
        }
    }

    /** Within a message, the same question has the same answer. */
    @SuppressWarnings("unchecked") // calls of one name have answers of one type
    <T> Answer<T> observe(Call<T> call) {
        if (!isOwner()) {
            return call.make();
        }
        Answer<?> known = answers.get(call.name());
        if (known == null) {
            known = call.make();
            answers.put(call.name(), known);
            observed(call.name(), call, Optional.of(known));
        }
        return (Answer<T>) known;
    }

    Turn turn() {
        Turn turn = Turn.timed();
        if (recording) {
            turns.add(turn);
        }
        return turn;
    }

    /** The time of the message on the loop's thread; any other thread sees the clock itself. */
    Clock clock() {
        InstantSource present = () -> isOwner() ? moment.time() : clock.instant();
        return present.withZone(clock.getZone());
    }

    long nanoTime() {
        return isOwner() ? moment.nanos() : System.nanoTime();
    }

    private boolean isOwner() {
        return owner == Thread.currentThread();
    }
}
