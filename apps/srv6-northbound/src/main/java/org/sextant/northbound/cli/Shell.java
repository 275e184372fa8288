// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.util.List;
import java.util.function.Supplier;
import org.apache.karaf.shell.api.console.SessionFactory;

/** Commands that are in the host's shell until this is closed. */
public final class Shell implements AutoCloseable {
    private final SessionFactory host;
    private final List<RegisteredCommand> commands;

    /** @param makers each makes a bean of one command */
    public Shell(SessionFactory host, List<Supplier<? extends ShellCommand>> makers) {
        this.host = host;
        this.commands = makers.stream().map(RegisteredCommand::new).toList();
        commands.forEach(host.getRegistry()::register);
    }

    @Override
    public void close() {
        commands.forEach(host.getRegistry()::unregister);
    }
}
