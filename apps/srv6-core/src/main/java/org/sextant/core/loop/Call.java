// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import com.fasterxml.jackson.core.type.TypeReference;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Work on another thread that an event loop waits for, or whose answer comes as a message.
 *
 * @param name calls of one name are numbered in the order in which the loop makes them, so that an answer finds its call
 * @param request the arguments, an immutable value
 * @param type of an answer that comes from outside; empty if it follows from the arguments alone
 * @param question runs on another thread
 */
public record Call<T>(String name, Object request, Optional<TypeReference<T>> type, Supplier<T> question) {

    /** A call of a port. */
    public static <T> Call<T> outside(String name, Object request, TypeReference<T> type, Supplier<T> question) {
        return new Call<>(name, request, Optional.of(type), question);
    }

    /** A computation without effects: the same state of the loop's owner always gives the same answer. */
    public static <T> Call<T> computation(String name, Supplier<T> question) {
        return new Call<>(name, "", Optional.empty(), question);
    }

    /** Makes the call here. */
    Answer<T> make() {
        try {
            return Answer.of(question.get());
        } catch (RuntimeException | Error e) {
            return Answer.failed(e);
        }
    }
}
