// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.io.PrintStream;
import java.lang.reflect.Field;
import org.apache.karaf.shell.api.console.Session;

/**
 * The stream for errors of a session without a terminal, that is of {@code ssh HOST COMMAND}. {@code System.err} leads
 * there through channels that do not pass a flush on, and Karaf 4.4 closes the stream for results first, which ends the
 * connection's data: bytes that were not flushed to the very end by then are lost. The session has the stream, but no
 * method that returns it.
 */
final class SessionErrors {
    private static final String FIELD = "perr";

    private SessionErrors() {}

    static PrintStream of(Session session) {
        Object gogo = session.getTerminal() == null ? session.get(".commandSession") : null;
        if (gogo == null) {
            return System.err;
        }
        try {
            Field field = gogo.getClass().getDeclaredField(FIELD);
            field.setAccessible(true);
            return field.get(gogo) instanceof PrintStream errors ? errors : System.out;
        } catch (ReflectiveOperationException | RuntimeException another) {
            return System.out; // another Karaf; among the results they are at least seen
        }
    }
}
