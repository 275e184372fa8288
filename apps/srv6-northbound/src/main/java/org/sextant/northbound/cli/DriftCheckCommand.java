// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sextant.northbound.view.DriftCheckView;
import picocli.CommandLine.Command;

/** {@code srv6:audit}. */
@Command(
        name = "audit",
        description = "Reads all nodes now and repairs what drifted.",
        footer = {"", "Example:", "  srv6:audit"})
final class DriftCheckCommand extends NetworkCommand {
    private static final int PATIENCE_SECONDS = 60;

    DriftCheckCommand(NetworkCommands controller) {
        super(controller);
    }

    @Override
    protected int run() throws Exception {
        try {
            JsonNode view = DriftCheckView.of(intents().audit().get(PATIENCE_SECONDS, TimeUnit.SECONDS));
            print(view, text(view));
            return 0;
        } catch (TimeoutException e) {
            note("the nodes did not answer within " + PATIENCE_SECONDS + " s; the audit goes on");
            return 1;
        }
    }

    private static String text(JsonNode view) {
        String text = view.at("/repairs").asInt() + " repaired\n";
        if (!view.at("/drift").isEmpty()) {
            text += "\n" + JsonTable.of(view.at("/drift"), "node", "kind", "table", "match");
        }
        if (!view.at("/unread").isEmpty()) {
            text += "\n" + JsonTable.of(view.at("/unread"), "node", "reason");
        }
        return text;
    }
}
