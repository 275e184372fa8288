// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread at a time owns state, and handles messages in their order. All inputs of the handling of a message pass
 * through here: its time, answers of ports, the lengths of turns. So a run can be recorded, and repeated from its
 * record.
 */
public interface EventLoop {

    /** Handles a message when those before it are handled; after closing, never. */
    void post(Message message);

    /** Posts a message again and again. */
    void every(Duration interval, Message message);

    /** Makes the owner react, as after a message; called while a message is handled. */
    void react();

    /**
     * Handles a message when those before it are handled, and returns its handler's result; its exceptions are thrown
     * as they are.
     */
    <T> T request(Message.Request<T> message);

    /**
     * Runs a question that changes nothing, and waits for the answer; the question's exceptions are thrown as they are.
     */
    <T> T ask(Callable<T> question);

    /**
     * Runs a step after a delay.
     *
     * @param timer timers of one name are numbered in the order in which they are set
     */
    void after(String timer, Duration delay, Runnable then);

    /**
     * Makes a call on another thread.
     *
     * @param then gets the answer in a message
     * @throws java.util.concurrent.RejectedExecutionException if {@code on} is closed
     */
    <T> void call(Call<T> call, Executor on, Consumer<Answer<T>> then);

    /**
     * Makes a call on another thread and waits for the answer.
     *
     * @param patience how long it waits
     * @param late gets the answer in a message, if it takes longer
     * @throws StoreLateException if it takes longer
     * @throws RuntimeException of the call
     */
    <T> T await(Call<T> call, Executor on, Duration patience, Consumer<Answer<T>> late);

    /** Makes a call that does not block, here. Within a message, calls of the same name have the same answer. */
    <T> T observe(Call<T> call);

    /** A share of the thread that begins now. */
    Turn turn();

    /** The time of the message that is being handled; elsewhere the present. */
    Clock clock();

    /** As {@link System#nanoTime}, for the message that is being handled; elsewhere the present. */
    long nanoTime();

    /** Lets the messages at hand finish, takes no more, and waits. */
    void close(Duration patience);

    /**
     * The longest time that the thread was held by one message, or by the reaction to it, since the last call. Any
     * thread may call it.
     */
    Duration takeLongestHold();

    /** The work of the thread so far. Any thread may call it. */
    default EngineLoad load() {
        return EngineLoad.NONE;
    }

    /** Handles messages. */
    interface Handler {
        /** @return the result of a {@link #request} of this message; null if there is none */
        @Nullable
        Object handle(Message message);
    }

    /** Makes a loop for the owner of some state. */
    interface Factory {
        /**
         * @param afterwards reacts when the messages at hand were handled
         */
        EventLoop create(Handler handler, Runnable afterwards, Consumer<Throwable> onFault);
    }
}
