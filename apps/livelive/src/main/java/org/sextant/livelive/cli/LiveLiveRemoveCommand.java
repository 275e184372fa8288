// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

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
    protected void run() throws IOException {
        Receipt.await(flows.remove(id), PATIENCE);
        printRemoved(id, !flows.leaving(id));
    }
}
