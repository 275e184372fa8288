// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import com.fasterxml.jackson.core.type.TypeReference;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One message of an event loop, with all other inputs of its handling, and the calls that followed.
 *
 * @param moment the time of the message, which is the present in all steps that follow
 * @param observed answers of ports that the loop has waited for, in the order of its questions
 * @param turns steps in each {@link Turn} that was begun, in their order
 * @param calls made, in their order
 */
public record Frame(
        Moment moment, Message message, List<Observation> observed, List<Integer> turns, List<CallRecord> calls) {

    /**
     * The time of a message.
     *
     * @param time by the clock of the loop's owner
     * @param nanos by {@link System#nanoTime}
     */
    public record Moment(Instant time, long nanos) {}

    /**
     * An answer that the loop has waited for.
     *
     * @param type of the call
     * @param answer empty if it was late: then it comes as a message
     */
    public record Observation(
            String call, Optional<? extends TypeReference<?>> type, Optional<? extends Answer<?>> answer) {}

    /** A call and its arguments. */
    public record CallRecord(String call, Object request) {}
}
