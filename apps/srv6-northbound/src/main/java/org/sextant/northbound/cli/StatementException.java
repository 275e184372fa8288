// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

/** The host's shell cannot run a statement, or one of its own commands failed; the message says why. */
class StatementException extends Exception {
    private static final long serialVersionUID = 1;

    StatementException(String message, Throwable cause) {
        super(message, cause);
    }
}
