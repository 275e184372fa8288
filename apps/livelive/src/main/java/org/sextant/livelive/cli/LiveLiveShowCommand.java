// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.sextant.livelive.service.LiveLives;
import org.sextant.livelive.text.LiveLiveText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code srv6:livelive}. */
@Command(
        name = "livelive",
        description = "Shows one Live-Live flow: its paths, what each delivers now, and which of them fell silent.",
        footer = {"", "Example:", "  srv6:livelive video"})
final class LiveLiveShowCommand extends LiveLiveCommand {
    @Parameters(paramLabel = "FLOW", description = "The flow's id; srv6:livelive-list lists them.")
    private String id;

    LiveLiveShowCommand(LiveLives flows) {
        super(flows);
    }

    @Override
    protected int run() throws IOException {
        ObjectNode view = flows.view(id);
        print(view, LiveLiveText.of(view));
        return 0;
    }
}
