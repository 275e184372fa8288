// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import org.apache.karaf.shell.api.console.Command;
import org.apache.karaf.shell.api.console.Registry;
import org.sextant.core.text.Columns;

/** {@code srv6:help}: the commands of all apps. The host's own {@code help} prints nothing without a terminal. */
@picocli.CommandLine.Command(
        name = "help",
        description = "Lists these commands.",
        footer = {"", "Example:", "  srv6:help"})
final class HelpCommand extends ShellCommand {
    private final Registry host;

    HelpCommand(Registry host) {
        this.host = host;
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        List<Command> commands = host.getCommands().stream()
                .filter(command -> command.getScope().equals(Run.SCOPE))
                .sorted(Comparator.comparing(Command::getName))
                .toList();
        Columns table = new Columns();
        commands.forEach(command -> table.row(Run.SCOPE + ":" + command.getName(), command.getDescription()));
        ArrayNode view = JsonNodeFactory.instance.arrayNode();
        commands.forEach(command -> view.addObject()
                .put("name", Run.SCOPE + ":" + command.getName())
                .put("description", command.getDescription()));
        print(view, table.text("") + "\nEach explains itself with --help, and prints JSON with --json.\n");
        return 0;
    }
}
