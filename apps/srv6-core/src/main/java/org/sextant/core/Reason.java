// SPDX-License-Identifier: Apache-2.0
package org.sextant.core;

/** The reason of a failure, for operators. */
public final class Reason {
    private Reason() {}

    /** The message of a failure, or its class if it has none. */
    public static String of(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }
}
