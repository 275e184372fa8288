// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.sextant.edge.Peer;
import org.sextant.northbound.cli.AppCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code srv6:edge}. */
@Command(
        name = "edge",
        description = "Shows the roles of ports, their peers, and dropped packets.",
        footer = {"", "Examples:", "  srv6:edge", "  srv6:edge l1 --json"})
final class EdgeCommand extends AppCommand<Peer> {
    private final EdgeApp edge;

    @Parameters(paramLabel = "NODE", arity = "0..1", description = "Only this node.")
    private @Nullable String node;

    EdgeCommand(EdgeApp edge) {
        super(edge);
        this.edge = edge;
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        JsonNode view = node == null ? edge.edge() : edge.edge(node);
        print(view, node == null ? EdgeText.all(view) : EdgeText.node(view));
        return 0;
    }
}
