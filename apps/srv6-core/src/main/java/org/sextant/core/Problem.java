// SPDX-License-Identifier: Apache-2.0
package org.sextant.core;

import java.util.Objects;

/**
 * An expected fault of an input, as a value.
 *
 * @param field where, as a JSON pointer into the request ("" for the whole)
 * @param message the fault, quoting the offending value
 * @param remedy the correction
 */
public record Problem(Code code, String field, String message, String remedy) {

    public Problem {
        Objects.requireNonNull(code);
        Objects.requireNonNull(field);
        Objects.requireNonNull(message);
        Objects.requireNonNull(remedy);
    }

    /** The classes of problems; REST maps them to status codes, the CLI to exit codes. */
    public enum Code {
        /** Not well-formed, a wrong type, out of range. */
        INVALID,
        /** Names something that is not there. */
        UNKNOWN,
        /** Another object owns the requested resource. */
        CONFLICT,
        /** The object to change differs from the request's condition: another change was quicker. */
        PRECONDITION,
        /** Well-formed, but this network cannot do it: no path, a node lacks the action, a list too long. */
        UNFEASIBLE
    }

    @Override
    public String toString() {
        return (field.isEmpty() ? "" : field + ": ") + message + (remedy.isEmpty() ? "" : "; " + remedy);
    }
}
