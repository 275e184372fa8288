// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.karaf.shell.api.console.Command;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Parser;
import org.apache.karaf.shell.api.console.Session;
import org.jspecify.annotations.Nullable;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.audit.AuditLog;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A command as the host's shell knows it. Karaf could parse words itself, but takes options only in front of arguments,
 * and prints errors among the results, in colours.
 */
final class RegisteredCommand implements Command {
    /** A variable of the client's environment: a word that it wants in front of the exit status among the errors. */
    private static final String STATUS_MARK = "SEXTANT_STATUS_MARK";

    private final Supplier<? extends ShellCommand> maker;
    private final Supplier<Optional<AuditLog>> trail;
    private final String name;
    private final String description;

    RegisteredCommand(Supplier<? extends ShellCommand> maker, Supplier<Optional<AuditLog>> trail) {
        this.maker = maker;
        this.trail = trail;
        CommandSpec spec = Run.line(maker.get()).getCommandSpec();
        this.name = spec.name().substring(Run.SCOPE.length() + 1);
        this.description = String.join(" ", spec.usageMessage().description());
    }

    @Override
    public String getScope() {
        return Run.SCOPE;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public String getDescription() {
        return description;
    }

    /**
     * The exit status for a client that runs one command over SSH; to a person at a terminal it would be a number out
     * of nowhere.
     */
    @Override
    public @Nullable Object execute(Session session, List<Object> arguments) {
        // System's, not the session's: in a pipe the session's console is still the terminal.
        Console console = new Console(System.in, System.out, SessionErrors.of(session), Statements.of(session));
        int status = Run.of(
                maker.get(),
                console,
                arguments.stream().map(String::valueOf).toList(),
                new AuditedCommand(trail, () -> Caller.of(session)));
        if (session.get(Statements.STATUS) instanceof AtomicInteger first) {
            first.compareAndSet(0, status);
            return null;
        }
        if (session.getTerminal() != null) {
            return null;
        }
        // Karaf closes the connection while the exit status is on its way, which may then never arrive.
        Object mark = session.get(STATUS_MARK);
        if (mark != null) {
            console.err().println(mark + " " + status);
            console.err().flush();
        }
        return status;
    }

    @Override
    public Completer getCompleter(boolean scoped) {
        return new WordCompleter(maker, name, scoped);
    }

    @Override
    public @Nullable Parser getParser() {
        return null;
    }
}
