// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.sextant.kit.Settling;
import org.sextant.livelive.service.LiveLives;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code srv6:livelive-remove}. */
@Command(
        name = "livelive-remove",
        description = "Removes a Live-Live flow; its packets take the usual way again.",
        footer = {"", "Example:", "  srv6:livelive-remove video"})
final class LiveLiveRemoveCommand extends LiveLiveCommand {
    @Parameters(paramLabel = "FLOW", description = "The flow's id; srv6:livelive-list lists them.")
    private String id;

    LiveLiveRemoveCommand(LiveLives flows) {
        super(flows);
    }

    @Override
    protected int run() throws IOException {
        Settling.await(flows.remove(id), PATIENCE);
        boolean leaving = flows.leaving(id).isPresent();
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.putArray("removed").add(id);
        ArrayNode some = view.putArray("leaving");
        if (leaving) {
            some.add(id);
        }
        print(
                view,
                "removed " + id
                        + (leaving
                                ? ", but nodes may still have entries of it; they go when the node can be written\n"
                                : "\n"));
        return 0;
    }
}
