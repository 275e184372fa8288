// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.sextant.livelive.text.LiveLiveText;

/** {@code srv6:livelive}. */
@Service
@Command(
        scope = "srv6",
        name = "livelive",
        description = "Shows one flow: its paths, what each delivers now, and which of them fell silent")
public class LiveLiveShowCommand extends LiveLiveCommand {
    @Argument(name = "id", description = "the flow's id", required = true)
    @Completion(LiveLiveCompleter.class)
    String id;

    @Override
    protected void run() throws IOException {
        ObjectNode view = flows.view(id);
        print(view, LiveLiveText.of(view));
    }
}
