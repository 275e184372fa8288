// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.text.Moments;
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
        ArrayNode view = NodeView.list(network(), intents());
        print(
                view,
                view.isEmpty()
                        ? "no nodes; load a network description\n"
                        : JsonTable.of(
                                lines(view),
                                "name",
                                "uSid",
                                "state",
                                "entries",
                                "waiting",
                                "management",
                                "pipeconf",
                                "overload",
                                "reason",
                                "notice"));
        return 0;
    }

    /** Adds the meaning of an overload, and of a lost node; srv6:node has the text of the observation. */
    private static ArrayNode lines(ArrayNode view) {
        ArrayNode lines = view.deepCopy();
        lines.forEach(line -> {
            if (line.has("overloadedSince")) {
                String since = Moments.text(line.get("overloadedSince").textValue());
                String state = line.path("drained").asBoolean() ? "drained, overloaded" : "overloaded";
                ((ObjectNode) line).put("overload", state + " since " + since);
            }
            if (line.path("state").asText().equals(NodeStatus.State.LOST.name())) {
                String seen = line.has("lastSeen")
                        ? "last seen " + Moments.text(line.get("lastSeen").textValue())
                        : "never seen";
                ((ObjectNode) line).put("reason", "control lost, forwarding unobserved, " + seen);
            }
        });
        return lines;
    }
}
