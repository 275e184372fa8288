// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.karaf.shell.api.console.Session;

/** Runs statements of the shell's language in a session, in which variables live from one to the next. */
@FunctionalInterface
interface Statements {
    /** For a session's commands: where the exit status of the first one that fails goes. */
    String STATUS = "SEXTANT_STATEMENT_STATUS";

    /**
     * @return the exit status of the first of its commands that failed, 0 if all went well
     * @throws IncompleteStatementException if more of it has to come
     */
    int run(String statement) throws StatementException;

    /** True if a quote of the shell's language is open at the end of a text; a backslash escapes the next character. */
    static boolean hasOpenQuote(String text) {
        char open = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (open == 0 && (c == '"' || c == '\'')) {
                open = c;
            } else if (c == open) {
                open = 0;
            }
        }
        return open != 0;
    }

    static Statements of(Session session) {
        return statement -> {
            if (hasOpenQuote(statement)) {
                // The shell's parser fails on it in a way that a command could fail, too.
                throw new IncompleteStatementException("a quote is not closed", null);
            }
            AtomicInteger status = new AtomicInteger();
            session.put(STATUS, status);
            try {
                session.execute(statement);
                return status.get();
            } catch (Exception | StackOverflowError e) { // closures nested without end
                String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
                // By name: the class is the shell's own business.
                throw e.getClass().getSimpleName().equals("EOFError")
                        ? new IncompleteStatementException(message, e)
                        : new StatementException(message, e);
            } finally {
                session.put(STATUS, null);
            }
        };
    }
}
