// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import com.fasterxml.jackson.core.type.TypeReference;
import java.util.Optional;

/**
 * An event that may change the state that an event loop owns: an immutable value that can be written to a file and handled again.
 * The loop's own messages are here; those of its owner implement this.
 */
public interface Message {

    /**
     * A message that a caller waits for.
     *
     * @param <T> the result
     */
    interface Request<T> extends Message {}

    /**
     * A {@link Call} has its answer.
     *
     * @param type of the call
     */
    record AnswerReceived(String call, Optional<? extends TypeReference<?>> type, Answer<?> answer)
            implements Message {}

    /** A delay is over. */
    record TimerExpired(String timer) implements Message {}

    /** The messages at hand were handled. */
    record Reaction() implements Message {}
}
