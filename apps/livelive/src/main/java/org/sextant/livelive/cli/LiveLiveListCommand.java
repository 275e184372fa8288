// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import org.sextant.livelive.service.LiveLives;
import org.sextant.livelive.text.LiveLiveText;
import picocli.CommandLine.Command;

/** {@code srv6:livelive-list}. */
@Command(
        name = "livelive-list",
        description = "Lists Live-Live flows with their state.",
        footer = {"", "Example:", "  srv6:livelive-list"})
final class LiveLiveListCommand extends LiveLiveCommand {
    LiveLiveListCommand(LiveLives flows) {
        super(flows);
    }

    @Override
    protected int run() throws IOException {
        ArrayNode views = flows.views();
        print(views, LiveLiveText.list(views));
        return 0;
    }
}
