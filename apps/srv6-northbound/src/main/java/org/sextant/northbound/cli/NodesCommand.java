// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.sextant.northbound.view.NodeView;
import picocli.CommandLine.Command;

/** {@code srv6:nodes}. */
@Command(
        name = "nodes",
        description = "Lists the nodes and whether what they hold is known.",
        footer = {"", "Example:", "  srv6:nodes"})
final class NodesCommand extends NetworkCommand {
    NodesCommand(NetworkCommands controller) {
        super(controller);
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        JsonNode view = NodeView.list(network(), intents());
        print(
                view,
                view.isEmpty()
                        ? "no nodes; load a network description\n"
                        : JsonTable.of(
                                view,
                                "name",
                                "uSid",
                                "state",
                                "entries",
                                "management",
                                "pipeconf",
                                "reason",
                                "notice"));
        return 0;
    }
}
