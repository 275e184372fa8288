// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import org.jspecify.annotations.Nullable;

/** A statement ends inside of a quote or a brace; none of it was run. */
final class IncompleteStatementException extends StatementException {
    private static final long serialVersionUID = 1;

    IncompleteStatementException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
