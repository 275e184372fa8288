// SPDX-License-Identifier: Apache-2.0
package org.sextant.marker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import org.sextant.northbound.cli.ShellCommand;
import picocli.CommandLine.Command;

/** {@code srv6:markers}. */
@Command(
        name = "markers",
        description = "Lists markers with their state.",
        footer = {"", "Example:", "  srv6:markers"})
final class MarkersCommand extends ShellCommand {
    private final Markers markers;

    MarkersCommand(Markers markers) {
        this.markers = markers;
    }

    @Override
    protected int run() throws IOException {
        ArrayNode list = markers.list();
        StringBuilder text = new StringBuilder();
        for (JsonNode one : list) {
            text.append(one.get("id").textValue())
                    .append("  ")
                    .append(one.get("state").textValue())
                    .append('\n');
        }
        print(list, text.toString());
        return 0;
    }
}
