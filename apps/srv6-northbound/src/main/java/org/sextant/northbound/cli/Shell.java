// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.util.List;
import java.util.function.Supplier;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.sextant.northbound.audit.CurrentAuditLog;

/** Commands that are in the host's shell until this is closed. */
public final class Shell implements AutoCloseable {
    private final SessionFactory host;
    private final List<RegisteredCommand> commands;
    private final CurrentAuditLog trails = new CurrentAuditLog();

    /** @param makers each makes a bean of one command */
    public Shell(SessionFactory host, List<Supplier<? extends ShellCommand>> makers) {
        this.host = host;
        this.commands = makers.stream()
                .map(maker -> new RegisteredCommand(maker, trails))
                .toList();
        commands.forEach(host.getRegistry()::register);
    }

    @Override
    public void close() {
        commands.forEach(host.getRegistry()::unregister);
        trails.close();
    }
}
