// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.sextant.northbound.view.BandwidthView;
import picocli.CommandLine.Command;

/** {@code srv6:bandwidth}. */
@Command(
        name = "bandwidth",
        description = "Shows how much of each link is reserved.",
        footer = {"", "Examples:", "  srv6:bandwidth", "  srv6:bandwidth --json"})
final class BandwidthCommand extends NetworkCommand {
    BandwidthCommand(NetworkCommands controller) {
        super(controller);
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        JsonNode view =
                BandwidthView.of(intents().context().network(), intents().reservations());
        JsonNode links = view.get("links");
        print(
                view,
                links.isEmpty()
                        ? "no link of known capacity\n"
                        : JsonTable.of(links, "id", "capacityKbps", "reservedKbps"));
        return 0;
    }
}
