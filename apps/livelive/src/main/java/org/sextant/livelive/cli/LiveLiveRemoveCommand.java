// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.sextant.usid.service.Receipt;

/** {@code srv6:livelive-remove}. */
@Service
@Command(scope = "srv6", name = "livelive-remove", description = "Removes a Live-Live flow")
public class LiveLiveRemoveCommand extends LiveLiveCommand {
    @Argument(name = "id", description = "the flow's id", required = true)
    @Completion(LiveLiveCompleter.class)
    String id;

    @Override
    void run() throws IOException {
        boolean gone = Receipt.await(flows.remove(id), PATIENCE);
        print(
                JsonNodeFactory.instance
                        .objectNode()
                        .put("id", id)
                        .put("removed", true)
                        .put("entriesGone", gone),
                "removed " + id + (gone ? "\n" : "; some entries go when their node answers again\n"));
    }
}
