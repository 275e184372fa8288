// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.sextant.northbound.view.TopologyView;
import picocli.CommandLine.Command;

/** {@code srv6:topology}. */
@Command(
        name = "topology",
        description = "Shows nodes, links (each direction is one) and hosts.",
        footer = {"", "Example:", "  srv6:topology --json"})
final class TopologyCommand extends NetworkCommand {
    TopologyCommand(NetworkCommands controller) {
        super(controller);
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        JsonNode view = TopologyView.of(network(), ready());
        print(
                view,
                part(view, "nodes", "name", "srv6.uSid", "srv6.sid", "ready")
                        + "\n"
                        + part(
                                view,
                                "links",
                                "id",
                                "up",
                                "restores",
                                "igpMetric",
                                "delayMicros",
                                "measuredDelayMicros",
                                "mtuBytes")
                        + "\n"
                        + part(view, "hosts", "name", "node", "port", "addresses"));
        return 0;
    }

    private static String part(JsonNode view, String name, String... fields) {
        JsonNode rows = view.get(name);
        return rows.isEmpty() ? "no " + name + "\n" : JsonTable.of(rows, fields);
    }
}
