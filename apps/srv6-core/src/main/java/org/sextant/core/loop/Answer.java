// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.util.Optional;

/**
 * The result of a call.
 *
 * @param value empty if it failed
 * @param failure empty if it did not
 */
public record Answer<T>(Optional<T> value, Optional<Throwable> failure) {

    public static <T> Answer<T> of(T value) {
        return new Answer<>(Optional.of(value), Optional.empty());
    }

    public static <T> Answer<T> failed(Throwable failure) {
        return new Answer<>(Optional.empty(), Optional.of(failure));
    }

    /** The value, or the failure as it was thrown; a checked exception is not among the failures of ports. */
    public T get() {
        if (failure.isPresent()) {
            if (failure.get() instanceof Error error) {
                throw error;
            }
            throw failure.get() instanceof RuntimeException thrown ? thrown : new IllegalStateException(failure.get());
        }
        return value.orElseThrow();
    }
}
