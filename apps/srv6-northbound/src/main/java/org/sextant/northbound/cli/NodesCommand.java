// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.Session;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.Inventory;
import org.sextant.northbound.view.NodeView;

/** {@code srv6:nodes}. */
@Service
@Command(scope = "srv6", name = "nodes", description = "Lists the nodes and whether what they hold is known")
public class NodesCommand implements Action {
    @Reference
    private Inventory inventory;

    @Reference
    private Intents intents;

    @Reference
    private Session session;

    @Option(name = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public Object execute() throws Exception {
        JsonNode view = NodeView.list(inventory.snapshot(), intents);
        if (json) {
            JsonPrinter.json(view, session.getConsole());
        } else {
            JsonPrinter.table(view, session.getConsole(), "no nodes; load a network description",
                    "name", "uSid", "state", "entries", "management", "pipeconf", "reason");
        }
        return null;
    }
}
