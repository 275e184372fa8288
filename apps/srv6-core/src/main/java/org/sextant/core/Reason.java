// SPDX-License-Identifier: Apache-2.0
package org.sextant.core;

/** Why something failed, for people. */
public final class Reason {
    private Reason() {}

    /** What the failure says, or its kind if it says nothing. */
    public static String of(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }
}
