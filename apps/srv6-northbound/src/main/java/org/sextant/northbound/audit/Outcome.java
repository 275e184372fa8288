// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import java.util.Locale;

/** The outcome of a deed, in a word. */
public enum Outcome {
    /** As it was asked for. */
    DONE,
    /** Some of a list. */
    PARTLY,
    /** It was asked for wrongly, or cannot be had. */
    REFUSED,
    /** The user may not. */
    DENIED,
    /** A fault, or a part of the controller is not there. */
    FAILED,
    /** It was begun, and the process ended before it did. */
    UNKNOWN;

    /** The outcome of an HTTP status. */
    public static Outcome of(int status) {
        if (status == 207) {
            return PARTLY;
        }
        if (status == 401 || status == 403 || status == 429) {
            return DENIED;
        }
        return status < 400 ? DONE : status < 500 ? REFUSED : FAILED;
    }

    /** As lines have it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
