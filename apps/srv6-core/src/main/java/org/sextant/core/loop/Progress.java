// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.util.function.Supplier;

/** How far a change of intents has come. */
public sealed interface Progress<T> {

    /** It is made, and this is its result. */
    record Done<T>(T result) implements Progress<T> {}

    /**
     * Its commit has not answered.
     *
     * @param next goes on, once the commit has answered and what the store has was read again
     */
    record Pending<T>(Supplier<Progress<T>> next) implements Progress<T> {}
}
