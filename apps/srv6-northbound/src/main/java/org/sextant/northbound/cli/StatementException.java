// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import org.jspecify.annotations.Nullable;

/** The host's shell cannot run a statement, or one of its own commands failed; the message says why. */
class StatementException extends Exception {
    private static final long serialVersionUID = 1;

    StatementException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
