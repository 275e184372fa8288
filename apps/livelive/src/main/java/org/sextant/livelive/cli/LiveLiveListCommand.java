// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.sextant.livelive.text.LiveLiveText;

/** {@code srv6:livelive-list}. */
@Service
@Command(scope = "srv6", name = "livelive-list", description = "Lists Live-Live flows with their state")
public class LiveLiveListCommand extends LiveLiveCommand {
    @Override
    protected void run() throws IOException {
        ArrayNode views = flows.views();
        print(views, LiveLiveText.list(views));
    }
}
