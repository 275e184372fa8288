// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Set;
import org.sextant.core.text.Columns;
import org.sextant.core.text.Moments;
import org.sextant.northbound.view.NodeView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code srv6:node}. */
@Command(
        name = "node",
        description = "Shows one node: configuration, ports, what it can do.",
        footer = {"", "Examples:", "  srv6:node l1", "  srv6:node l1 --json"})
final class NodeCommand extends NetworkCommand {
    private static final Set<String> TIMES = Set.of("lastRead", "since", "lastSeen", "overloadedSince");

    @Parameters(paramLabel = "NODE", description = "The node's name.")
    private String name;

    NodeCommand(NetworkCommands controller) {
        super(controller);
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        JsonNode view = NodeView.of(network(), intents(), name);
        print(view, text(view));
        return 0;
    }

    private static String text(JsonNode view) {
        Columns facts = new Columns();
        values(view, facts);
        values(view.path("srv6"), facts);
        JsonNode ports = view.path("ports");
        return facts.text("")
                + (ports.isEmpty()
                        ? "no ports\n"
                        : "\n" + JsonTable.of(ports, "number", "name", "up", "mac", "mtuBytes", "speedKbps"));
    }

    private static void values(JsonNode object, Columns facts) {
        object.fields().forEachRemaining(field -> {
            if (field.getValue().isValueNode()) {
                String value = field.getValue().asText();
                facts.row(field.getKey(), TIMES.contains(field.getKey()) ? Moments.text(value) : value);
            }
        });
    }
}
