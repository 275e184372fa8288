// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.io.InputStream;
import java.io.PrintStream;

/**
 * Where a command reads and writes: results go to {@code out}, problems to {@code err}.
 *
 * @param statements the shell that it was typed into
 */
public record Console(InputStream in, PrintStream out, PrintStream err, Statements statements) {
    /** For commands that run no others. */
    public Console(InputStream in, PrintStream out, PrintStream err) {
        this(in, out, err, statement -> {
            throw new UnsupportedOperationException("there is no shell here to run: " + statement);
        });
    }
}
