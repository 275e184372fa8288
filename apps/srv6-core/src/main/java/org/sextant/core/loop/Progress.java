// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.util.function.Function;
import java.util.function.Supplier;

/** The progress of a change of intents. */
public sealed interface Progress<T> {

    /** The change is made, and this is its result. */
    record Done<T>(T result) implements Progress<T> {}

    /**
     * Its commit has not answered.
     *
     * @param next goes on, once the commit has answered and its keys were read again
     */
    record Pending<T>(Supplier<Progress<T>> next) implements Progress<T> {}

    /** The same with another result. */
    default <R> Progress<R> map(Function<T, R> function) {
        if (this instanceof Pending<T> pending) {
            return new Pending<>(() -> pending.next().get().map(function));
        }
        return new Done<>(function.apply(((Done<T>) this).result()));
    }
}
